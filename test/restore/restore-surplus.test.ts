/** What orders that the venue took twice had opened is known after a start, as long as their position is held. */
import { expect, test } from "vitest";
import { surplusOf } from "../../src/restore/restore-surplus.ts";
import { ENDED_ROWS_READ } from "../../src/restore/restore-intents.ts";
import { readerOf } from "../support/rows.ts";

const fill = (orderId: string, body: object = {}) => ({
  kind: "fill",
  body: { transactionId: `t-${orderId}`, orderId, clientOrderId: "agent-1", qty: "0.002", opening: true, ...body },
});
const TWICE = [
  { kind: "intent", body: { event: "open", intentId: "agent-1" } },
  { kind: "wire-in", body: { clientOrderId: "agent-1", reply: { orderId: "77" } } },
  fill("77"),
  fill("78"),
];

const seconds = (rows: readonly { kind: string; body: object }[]) =>
  surplusOf(readerOf(rows.map((row) => ({ ...row, atMs: 1_000 }))), 2_000).flatMap(({ seconds: orders }) =>
    orders.map(({ orderId, qty }) => `${orderId} ${qty.toFixed()}`),
  );

test("the second order with the id of an intent opened too much", () => {
  expect(seconds(TWICE)).toEqual(["78 0.002"]);
});

test("nothing is left of it once its position is over", () => {
  expect(seconds([...TWICE, { kind: "position", body: { kind: "closed" } }])).toEqual([]);
});

test("it is known however many rows other positions have had since", () => {
  const elsewhere = { kind: "position", body: { kind: "resized", leg: "EXCHANGE_A_PERP_ETH_USDT|LONG" } };
  expect(seconds([...TWICE, ...Array.from({ length: ENDED_ROWS_READ }, () => elsewhere)])).toEqual(["78 0.002"]);
});

test("a withdrawal of it is not repeated at once by the next run", () => {
  const cancel = { kind: "wire-out", body: { action: "order.cancel", params: { orderId: "78" } } };
  const rows = [...TWICE, cancel].map((row) => ({ ...row, atMs: 1_000 }));
  const [found] = surplusOf(readerOf(rows), 2_000);
  expect(found?.seconds).toMatchObject([{ orderId: "78", cancelAskedMs: 1_000 }]);
});
