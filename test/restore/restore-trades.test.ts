import { describe, expect, test } from "vitest";
import { NO_TRADES, createTradeBook } from "../../src/agent/positions/trade-book.ts";
import { dec } from "../../src/core/decimal.ts";
import type { JournalReader } from "../../src/journal/reader.ts";
import { heldBy } from "../../src/restore/restore-positions.ts";
import { restore } from "../../src/restore/restore.ts";
import { tradesOf } from "../../src/restore/restore-trades.ts";
import type { JournalRow } from "../../src/rows/row.ts";
import { BTC, ready, scripted, settingsOf, START_MS, target } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { readerOf as readerOfWorld } from "../support/reader-of.ts";
import { heldBefore } from "../support/past-facts.ts";

/** What the journal would hold of an agent's life. */
function readerOf(rows: readonly { kind: string; body: unknown }[]): JournalReader {
  const journal = rows.map((row, seq) => ({
    seq,
    runId: "t1",
    atMs: START_MS + 3_000,
    decisionId: null,
    hash: "",
    ...row,
  }));
  const found: Pick<JournalReader, "rows"> = {
    rows: (filter) => journal.filter((row) => filter?.kinds?.some((kind) => kind === row.kind) ?? true) as never,
  };
  return found as JournalReader;
}

const written = (row: JournalRow): number => row.atMs;

describe("own trades over a restart", () => {
  const targeting = scripted("momentum", () => ({ kind: "targets", targets: [target()], note: "" }));
  const life = () => {
    const w = ready({ strategies: { chosen: targeting, fallback: targeting } });
    w.tick(1_500);
    const { clientOrderId } = w.last("place").intent;
    const fill = (side: "BUY" | "SELL", id: string, realizedPnl: string) =>
      w.feed({
        kind: "fill",
        execution: {
          transactionId: id,
          orderId: side === "BUY" ? "2190000000000001" : "2190000000000002",
          clientOrderId: side === "BUY" ? clientOrderId : "",
          symbol: BTC,
          side,
          qty: dec("0.004"),
          price: dec("60000"),
          fee: dec("0.1"),
          realizedPnl: dec(realizedPnl),
          liquidity: "TAKER",
          atMs: w.nowMs,
        },
      });
    const push = (qty: string) =>
      w.feed({
        kind: "position",
        update: { symbol: BTC, positionSide: "LONG", qty: dec(qty), avgPrice: dec("60000"), leverage: 2 },
      });
    const rows = () =>
      w.effects.flatMap((effect) => (effect.kind === "record" ? [{ kind: effect.row, body: effect.body }] : []));
    return { w, fill, push, rows };
  };

  test("a closed one comes back as it was reported", () => {
    const { w, fill, push, rows } = life();
    fill("BUY", "a", "0");
    push("0.004");
    fill("SELL", "b", "1.5");
    push("0");
    w.tick(500);
    const { closed, fills } = tradesOf(readerOf(rows()), new Map(), written);
    expect(closed).toHaveLength(1);
    expect(closed[0]).toMatchObject({ symbol: BTC, side: "LONG", netUsdt: dec("1.3"), exitPrice: dec("60000") });
    expect(fills).toEqual([]);
    // An opening fill of its own that is found only now belongs to no later position.
    const ended = tradesOf(readerOf(rows()), new Map(), written).ended;
    expect(ended.get(`${BTC}|LONG`)).toBeGreaterThan(START_MS);
    expect(createTradeBook({ ...NO_TRADES, closed }).recent()).toEqual(closed);
  });

  test("an open one goes on with what it has cost", () => {
    const { w, fill, push, rows } = life();
    fill("BUY", "a", "0");
    push("0.004");
    const key = `${BTC}|LONG`;
    const held = heldBy(heldBefore({ key, openedAtMs: START_MS }), START_MS);
    const restored = tradesOf(readerOf(rows()), held, written);
    expect(restored.fills).toHaveLength(1);
    expect(createTradeBook(restored).costs(key)).toMatchObject({ feesUsdt: dec("0.1") });
    // A clock that was set back makes what was filled before look newer than the position.
    const setBack = ({ atMs }: JournalRow): number => atMs - 3_600_000;
    expect(tradesOf(readerOf(rows()), held, setBack).fills).toEqual([]);
    // A close from before the held position began ended the one before it, to which the opening fill belongs then.
    for (const position of held.values()) position.begunMs = START_MS + 3_600_000;
    expect(tradesOf(readerOf(rows()), held, written).fills).toHaveLength(1);
    w.tick(1_000);
    fill("SELL", "b", "1.5");
    expect(tradesOf(readerOf(rows()), held, written).fills).toEqual([]);
  });
});

const CLOSED = `
  list BTC LONG 0.004, S1
  30 s with list BTC LONG 0.004, S1
  push BTC LONG flat
`;
test.each([
  [
    "is reported by the next run with the fill that comes then",
    "fill SELL 0.004 @ 61000 by 301 earning 4 3 s ago",
    "61000 3.9",
  ],
  ["is reported without its exit where none comes", "1 s", "null"],
])("a trade that the last run did not report %s", (_, line, result) => {
  story(`
    ${CLOSED}
    2 s
    restart
    list nothing
    1 s                                                  -> writes trade closed never
    ${line}
    100 s with lists                                     -> writes trade closed ${result} once
    restart
    100 s with lists                                     -> writes trade closed never
  `);
});

test("a position that a list lacked, and that was held after all, leaves no trade to the next run", () => {
  const w = story(`
    list BTC LONG 0.004, S1
    6 s
    list nothing, S1                                     -> writes position closed true
    6 s
    list BTC LONG 0.004, S1                              -> holds BTC LONG 0.004
  `);
  expect(restore(readerOfWorld(w), w.nowMs).trades?.endings).toEqual([]);
});

test("the trades of two positions that one order opened, one after the other, are two to the next run", () => {
  const rests = { execution: { ...settingsOf().execution, restFor: 600_000 } };
  const w = story(
    `
    wants BTC LONG 0.5 resting
    1 s
    rest
    1 s
    fill BUY 0.001 by 001 as order now
    order PARTIALLY_FILLED executed 0.001
    2 s
    fill SELL 0.001 @ 61000 by 301 earning 1 now
    push BTC LONG flat
    2 s                                                  -> writes trade closed 0.001 once
    fill BUY 0.002 by 001 as order now
    order FILLED
    2 s
    fill SELL 0.002 @ 62000 by 302 earning 4 now
    push BTC LONG flat
    2 s                                                  -> writes trade closed 0.002 once
    `,
    ready({ settings: settingsOf(rests) }),
  );
  const closed = restore(readerOfWorld(w), w.nowMs).trades?.closed ?? [];
  expect(closed.map(({ qty }) => qty.toFixed())).toEqual(["0.001", "0.002"]);
});
