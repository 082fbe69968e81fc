/** Rows of every kind: read back as they were written, refused by name where they do not fit, worded for a person. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { canonicalJson } from "../../src/core/hash.ts";
import type { PlaceOrder } from "../../src/domain/order.ts";
import { ALL_ROWS, rowText } from "../../src/rows/all-rows.ts";
import { fillRow, readFill } from "../../src/rows/fill.ts";
import { RowError, without } from "../../src/rows/form.ts";
import { intentRow } from "../../src/rows/intent.ts";
import { namesIn } from "../../src/rows/names.ts";
import { protectionRow, readProtection } from "../../src/rows/protection.ts";
import { ROW_KINDS, type RowKind } from "../../src/rows/row.ts";
import { whole } from "../support/rows.ts";

interface Before {
  readonly kind: RowKind;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Each shape that the build before this room wrote, as it lay in journals. */
const BEFORE: readonly Before[] = readFileSync(path.join(import.meta.dirname, "build-before", "rows.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Before);

test("the shapes of the build before cover every kind", () => {
  expect([...new Set(BEFORE.map(({ kind }) => kind))].sort()).toEqual([...ROW_KINDS].sort());
});

test.each(BEFORE.map((row, at): [string, number, Before] => [row.kind, at + 1, row]))(
  "a %s row of the build before (line %i) reads, is worded, and is written again byte for byte",
  (kind, seq, { body }) => {
    const row = { seq, kind, body };
    expect(rowText(row)).toMatch(/\S/);
    // What older builds wrote into other kinds, or left out, is not written any more.
    const { read, write } = ALL_ROWS[kind as RowKind]();
    expect(canonicalJson(write(read(row) as never).body)).toBe(canonicalJson(body));
  },
);

describe("a row that does not fit", () => {
  const wrong = (kind: RowKind, change: object) => () => rowText({ seq: 12, kind, body: whole(kind, change) });
  test.each<[RowKind, object, string]>([
    ["fill", { qty: "1e3" }, 'row 12 of kind fill: qty: must be a plain decimal such as 0.5, found "1e3"'],
    ["fill", { side: "HOLD" }, "row 12 of kind fill: side: "],
    ["intent", { event: "open", order: { qty: 5 } }, "row 12 of kind intent: order.qty: "],
    ["intent", { event: "begin" }, "row 12 of kind intent: event: "],
    ["verdict", { verdicts: [{ kind: "perhaps" }] }, "row 12 of kind verdict: verdicts.0.kind: "],
    ["protection", { stopPrice: "low" }, "row 12 of kind protection: stopPrice: must be a plain decimal"],
  ])("of kind %s with %j is an error that names number, field and rule", (kind, change, message) => {
    expect(wrong(kind, change)).toThrow(RowError);
    expect(wrong(kind, change)).toThrow(message);
  });

  test("is an error also where another kind was expected, or no object is there", () => {
    expect(() => readFill({ seq: 3, kind: "order", body: {} })).toThrow("row 3 is of kind order, not fill");
    expect(() => readFill({ seq: 3, kind: "fill", body: null })).toThrow("row 3 of kind fill: the body: ");
  });
});

test("decimals are written as on the wire, at every depth, and read as decimals", () => {
  const order: PlaceOrder = {
    ...{ symbol: "S", side: "BUY", positionSide: "LONG", orderType: "LIMIT", qty: dec("0.0050") },
    ...{ limitPrice: dec("60000.0"), timeInForce: "GTC", reduceOnly: false, clientOrderId: "i-1" },
  };
  const about = { event: "open", intentId: "i-1", clientOrderId: "i-1", decisionId: null, symbol: "S" } as const;
  const { kind, body } = intentRow({
    ...{ ...about, opening: true, leg: "LONG", order, stopPrice: null, targetPrice: dec("0.0000000010") },
    ...{ notional: dec(300), evidence: [] },
  });
  expect(body).toMatchObject({ order: { qty: "0.005", limitPrice: "60000" }, targetPrice: "0.000000001" });
  expect(kind).toBe("intent");
  const fill = whole("fill", { qty: "0.10" });
  expect(readFill({ seq: 1, kind: "fill", body: fill }).qty.toFixed()).toBe("0.1");
});

test("what older builds left out has its default, and unknown fields of newer ones are passed over", () => {
  const bare = without(whole("fill", { added: "later" }), "fee");
  const read = readFill({ seq: 1, kind: "fill", body: bare });
  expect(read.fee.isZero()).toBe(true);
  expect("added" in read).toBe(false);
  const standing = { leg: "S|LONG", standing: true, algoOrderId: "9", stopPrice: "?", unprotectedMs: 5 };
  expect(readProtection({ seq: 1, kind: "protection", body: standing })).toMatchObject({ stopPrice: null });
});

test("a row is found by the ids that it bears", () => {
  const { kind, body } = fillRow(readFill({ seq: 1, kind: "fill", body: whole("fill", {}) }));
  expect(namesIn({ seq: 1, kind, body })).toMatchObject({
    transactionId: "t-1",
    orderId: "77",
    clientOrderId: "agent-1",
  });
  const stop = protectionRow({ leg: "S|LONG", standing: true, algoOrderId: "9", stopPrice: null, unprotectedMs: 0 });
  expect(namesIn({ seq: 1, ...stop })).toMatchObject({ algoOrderId: "9", orderId: null });
  expect(namesIn({ seq: 1, kind: "beat", body: {} })).toEqual({});
});

test("a plain bag is no row", () => {
  // @ts-expect-error a body must come from a constructor
  const bag: import("../../src/rows/row.ts").RowValue = { kind: "fill", body: { qty: "1" } };
  expect(bag.kind).toBe("fill");
});
