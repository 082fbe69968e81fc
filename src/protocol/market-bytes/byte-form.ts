/** Which form the pushes of a channel have, byte by byte. */
import { KLINE_INTERVAL_MS, type MarketChannel } from "../../domain/market.ts";
import { BBO, type ByteForm, INDEX_PRICE, MARK_PRICE, OPEN_INTEREST, TICKER } from "./figure-bytes.ts";
import { ORDER_BOOK } from "./order-book-bytes.ts";
import { barForm, TRADES } from "./row-bytes.ts";

const FORMS: Readonly<Partial<Record<string, ByteForm>>> = {
  BBO,
  TICKER,
  MARK_PRICE,
  INDEX_PRICE,
  OPEN_INTEREST,
  ORDER_BOOK,
  TRADE: TRADES,
} satisfies Partial<Record<MarketChannel, ByteForm>>;

/** Null for a channel or an interval that it does not know. `interval` is the documented spelling. */
export function byteFormOf(channel: string, interval: string | undefined): ByteForm | null {
  switch (channel) {
    case "KLINE":
    case "INDEX_KLINE":
    case "MARK_PRICE_KLINE":
      return interval !== undefined && Object.hasOwn(KLINE_INTERVAL_MS, interval) ? barForm(channel, interval) : null;
    default:
      return Object.hasOwn(FORMS, channel) ? (FORMS[channel] ?? null) : null;
  }
}
