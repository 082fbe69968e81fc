import { expect, test } from "vitest";
import type { JournalReader } from "../../src/journal/reader.ts";
import { endedIntents, promisesOf } from "../../src/restore/restore-intents.ts";
import { wholeRows } from "../support/rows.ts";

const NOW_MS = Date.UTC(2026, 0, 5, 9);
const SYMBOL = "EXCHANGE_A_PERP_BTC_USDT";

type Row = { readonly kind: string; readonly seq: number; readonly atMs: number; readonly body: object };

const readerOf = (given: readonly Row[], rows = wholeRows(given)) =>
  ({
    opened: { state: "ok" },
    rows: ({ kinds = [], sinceMs = 0 }: { kinds?: readonly string[]; sinceMs?: number }) =>
      rows.filter((row) => kinds.includes(row.kind) && row.atMs >= sinceMs),
  }) as unknown as JournalReader;

const promised = (seq: number, clientOrderId: string): Row => ({
  kind: "intent",
  seq,
  atMs: NOW_MS - 30_000,
  body: {
    event: "open",
    intentId: clientOrderId,
    clientOrderId,
    opening: true,
    order: { symbol: SYMBOL, side: "BUY", positionSide: "LONG", orderType: "LIMIT", qty: "1", limitPrice: "5" },
  },
});
const wrote = (seq: number, agoMs: number, action: string, clientOrderId: string): Row => {
  const reported = action === "order.place" ? { clientOrderId } : { clientOrderId: null, params: { clientOrderId } };
  return { kind: "wire-out", seq, atMs: NOW_MS - agoMs, body: { action, ...reported } };
};

test("of intents without an end, those that left are found, withdrawals among them, and no others", () => {
  const rows = [
    promised(1, "i-1"),
    wrote(2, 29_000, "order.place", "i-1"),
    promised(3, "i-2"),
    wrote(4, 28_000, "order.place", "i-2"),
    wrote(5, 4_000, "order.cancel", "i-1"),
    promised(6, "i-3"),
  ];
  const { sent, unsent } = promisesOf(readerOf(rows), NOW_MS);
  expect(sent.map(({ clientOrderId, cancelAskedMs }) => [clientOrderId, cancelAskedMs])).toEqual([
    ["i-1", NOW_MS - 4_000],
    ["i-2", null],
  ]);
  expect(unsent).toEqual(["i-3"]);
});

test("a withdrawal stamped by a clock that was ahead counts as one of now. Fault C2", () => {
  const rows = [
    promised(1, "i-1"),
    wrote(2, 29_000, "order.place", "i-1"),
    wrote(3, -3_600_000, "order.cancel", "i-1"),
  ];
  expect(promisesOf(readerOf(rows), NOW_MS).sent[0]?.cancelAskedMs).toBe(NOW_MS);
});

test.each([
  ["the reply to its request", { kind: "wire-in", body: { clientOrderId: "i-1", reply: { orderId: "77" } } }],
  ["its first fill", { kind: "fill", body: { clientOrderId: "i-1", orderId: "77" } }],
])("the order that an intent means is the one that %s named", (_, row) => {
  const rows = [
    promised(1, "i-1"),
    wrote(2, 29_000, "order.place", "i-1"),
    promised(3, "i-2"),
    wrote(4, 29_000, "order.place", "i-2"),
    { ...row, seq: 5, atMs: NOW_MS - 28_000 },
    { kind: "fill", seq: 6, atMs: NOW_MS - 27_000, body: { clientOrderId: "i-1", orderId: "78" } },
  ];
  const { sent } = promisesOf(readerOf(rows), NOW_MS);
  expect(sent.map(({ clientOrderId, orderId }) => [clientOrderId, orderId])).toEqual([
    ["i-1", "77"],
    ["i-2", undefined],
  ]);
});

const ended = (seq: number, intentId: string, how: object): Row => ({
  kind: "intent",
  seq,
  atMs: NOW_MS - 20_000,
  body: { event: "end", intentId, ...how },
});

test("intents that ended are known with what the venue said of them; one without an end is not", () => {
  const rows = [
    promised(1, "i-1"),
    promised(2, "i-2"),
    promised(3, "i-3"),
    promised(4, "i-4"),
    ended(5, "i-2", { how: "refused", code: "-1", message: "no margin" }),
    ended(6, "i-1", { how: "terminal", orderId: "219", state: "FILLED", executedQty: "1" }),
    ended(7, "i-4", { how: "not-sent", reason: "the desk was full" }),
  ];
  const found = endedIntents(readerOf(rows));
  expect(
    found.map(({ clientOrderId, orderId, state, executedQty, ending, unsent }) => [
      ...[clientOrderId, orderId, state, executedQty.toFixed(), ending, unsent],
    ]),
  ).toEqual([
    ["i-2", "", "NEW", "0", "no margin", false],
    ["i-1", "219", "FILLED", "1", "FILLED", false],
    ["i-4", "", "NEW", "0", "the desk was full", true],
  ]);
});
