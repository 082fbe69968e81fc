import { expect, test } from "vitest";
import { endingsOf } from "../../src/restore/restore-endings.ts";
import { BTC, START_MS } from "../support/agent-world.ts";
import { readerOf } from "../support/rows.ts";

const LEG = `${BTC}|LONG`;
const position = (kind: string, openedAtMs: number) => ({
  kind: "position",
  body: {
    ...{ kind, leg: LEG, symbol: BTC, side: "LONG", qty: kind === "closed" ? "0" : "0.004", avgPrice: "60000" },
    ...{ openedAtMs, begunMs: openedAtMs, strategy: null, thesis: null, basis: "none" },
    ...{ stopPrice: null, targetPrice: null },
  },
});
const paid = (amountUsdt: string) => ({
  kind: "trade",
  body: { event: "funding", leg: LEG, amountUsdt, rate: 0.0001, atMs: START_MS },
});
const rowsOf = (bodies: readonly { kind: string; body: object }[]) =>
  bodies.map((each, seq) => ({
    ...each,
    seq,
    runId: "b",
    decisionId: null,
    hash: "",
    monoMs: 0,
    atMs: START_MS + seq,
  }));

test("a position that a later run found held, and reported as opened, keeps the funding that it has paid", () => {
  const rows = [position("opened", 1), paid("-0.01"), position("opened", 1), paid("-0.02"), position("closed", 1)];
  const [ending] = endingsOf(readerOf(rowsOf(rows)), (row) => row.atMs);
  expect(ending?.fundingUsdt.toFixed()).toBe("-0.03");
});

test("another one in its place, whose predecessor's end no row reports, has paid none of it", () => {
  const rows = [position("opened", 1), paid("-0.01"), position("opened", 2), position("closed", 2)];
  const [ending] = endingsOf(readerOf(rowsOf(rows)), (row) => row.atMs);
  expect(ending?.fundingUsdt.toFixed()).toBe("0");
});

test("a position held for long is known as one that ended, however many fills there were beside it", () => {
  const elsewhere = { kind: "fill", body: { leg: `${BTC}|SHORT`, opening: true } };
  const rows = [position("opened", 1), ...Array.from({ length: 5_000 }, () => elsewhere), position("closed", 1)];
  expect(endingsOf(readerOf(rowsOf(rows)), (row) => row.atMs)).toHaveLength(1);
});
