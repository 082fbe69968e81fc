/** What a row reads like in a chat. */
import { expect, test } from "vitest";
import { eventOf, notificationText } from "../../src/notify/events.ts";
import { dec } from "../../src/core/decimal.ts";
import { positionRow } from "../../src/rows/position.ts";
import type { RowValue } from "../../src/rows/row.ts";

const said = ({ kind, body }: RowValue): string => {
  const event = eventOf({ seq: 1, kind, body, atMs: 0, decisionId: null, boot: "b", monoMs: 0, hash: "" });
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
