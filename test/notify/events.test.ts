/** What a row reads like in a chat. */
import { expect, test } from "vitest";
import { eventOf, notificationText } from "../../src/notify/events.ts";
import { dec } from "../../src/core/decimal.ts";
import { positionRow } from "../../src/rows/position.ts";
import type { RowKind, RowValue } from "../../src/rows/row.ts";
import { wholeRow } from "../support/rows.ts";

const said = ({ kind, body }: RowValue): string => {
  const event = eventOf({ seq: 1, kind, body, atMs: 0, decisionId: null, runId: "b", monoMs: 0, hash: "" });
  return event === null ? "" : notificationText(event);
};

const position = {
  leg: "EXCHANGE_A_PERP_BTC_USDT|LONG",
  symbol: "EXCHANGE_A_PERP_BTC_USDT",
  side: "LONG",
  qty: dec("0.01"),
  avgPrice: dec("60000"),
  stopPrice: dec("58800"),
  targetPrice: null,
  strategy: null,
  thesis: null,
  basis: "none",
  openedAtMs: null,
} as const;

test("a message says what happened once, and no message is made of a size that changed", () => {
  expect(said(positionRow({ ...position, kind: "opened" }))).toBe(
    "Position: LONG EXCHANGE_A_PERP_BTC_USDT opened: 0.01 at 60000, stop 58800, target -",
  );
  expect(said(positionRow({ ...position, kind: "resized" }))).toBe("");
});

const POSITION = "EXCHANGE_A_PERP_BTC_USDT|LONG";
const MARK = { stopPrice: "59000", markPrice: "61000" };
const MOVED = { moving: true, leg: POSITION, from: "58800", why: "trailing", bestPrice: "61000", ...MARK };
const WATCHED = { supervised: true, leg: POSITION, unprotectedForMs: 9_000, untilMs: 9_000, ...MARK };

test.each<[expected: string, kind: RowKind, given: object]>([
  ["run warning", "boot", {}],
  ["run notice", "boot", { ready: true }],
  ["run warning", "stop", { reason: "stopped by SIGINT" }],
  ["position-opened notice", "position", { kind: "opened" }],
  ["nothing", "position", { kind: "closed" }],
  ["position-closed notice", "trade", { event: "closed" }],
  ["stop-moved notice", "protection", MOVED],
  ["stop-missing alarm", "protection", WATCHED],
  ["nothing", "protection", { standing: true }],
  ["floor notice", "floor", { to: "NORMAL", from: "WARN" }],
  ["floor warning", "floor", { to: "WARN" }],
  ["floor warning", "floor", { to: "HOLD" }],
  ["floor alarm", "floor", { to: "FLATTEN" }],
  ["floor alarm", "floor", { to: "HALT" }],
  ["command warning", "operator", { command: "halt", to: "HALT" }],
  ["strategy warning", "switch", { to: "momentum", from: "hold" }],
  ["nothing", "switch", { command: "use" }],
  ["nothing", "equity", {}],
])("%s comes of a %s row", (expected, kind, given) => {
  const { body } = wholeRow(kind, given);
  const event = eventOf({ seq: 1, kind, body, atMs: 0, decisionId: null, runId: "b", monoMs: 0, hash: "" });
  expect(event === null ? "nothing" : `${event.event} ${event.level}`).toBe(expected);
});

test("a row that this build cannot read is no event and no error", () => {
  const row = { seq: 1, atMs: 0, decisionId: null, runId: "b", monoMs: 0, hash: "" };
  expect(eventOf({ ...row, kind: "floor", body: { to: 7 } })).toBeNull();
});
