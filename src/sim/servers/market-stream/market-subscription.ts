/**
 * Reads the items of a subscribe or unsubscribe message and decides which can be served. Channel names are
 * case-sensitive; the first error decides the code. Spec: 1 §4.7, §6.1, §7.2; records §10.2, §10.6.
 */
import { isRecord } from "../../../core/record.ts";
import { MARKET_CHANNELS, type MarketChannel } from "../../../domain/market.ts";
import { parseSymbol } from "../../../domain/symbol.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { knownInterval } from "./candles.ts";

/** `interval` is null except for the three kinds of bars, and in the service's own spelling. */
export interface Topic {
  /** `CHANNEL|SYMBOL` or `CHANNEL|SYMBOL|INTERVAL`. */
  readonly name: string;
  readonly channel: MarketChannel;
  readonly symbol: string;
  readonly interval: string | null;
}

/** Code and text for one item of a subscription; records §10.2 has the codes. */
export interface ItemError {
  readonly code: number;
  readonly msg: string;
}

const PERP_ONLY: ReadonlySet<string> = new Set([
  "MARK_PRICE",
  "INDEX_PRICE",
  "INDEX_KLINE",
  "MARK_PRICE_KLINE",
  "OPEN_INTEREST",
]);
const WITH_INTERVAL: ReadonlySet<string> = new Set(["KLINE", "INDEX_KLINE", "MARK_PRICE_KLINE"]);

/** `carried` says whether the service has the symbol. */
export function readTopic(item: unknown, carried: (symbol: string) => boolean): Result<Topic, ItemError> {
  if (!isRecord(item)) return err({ code: 11103, msg: "each item of arg must be an object with channel and sym" });
  const channel = MARKET_CHANNELS.find((known) => known === item.channel);
  if (!channel) return err({ code: 11101, msg: `invalid channel ${shown(item.channel)}` });
  if (typeof item.sym !== "string") return err({ code: 11100, msg: `invalid symbol ${shown(item.sym)}` });
  const parts = parseSymbol(item.sym);
  if (!parts.ok) return err({ code: 11100, msg: parts.error });
  if (parts.value.type === "SPOT" && PERP_ONLY.has(channel)) {
    return err({ code: 11100, msg: `${channel} is for perpetuals only, found ${item.sym}` });
  }
  if (!carried(item.sym)) return err({ code: 11250, msg: `symbol ${item.sym} is not currently supported` });
  if (!WITH_INTERVAL.has(channel)) {
    return ok({ name: `${channel}|${item.sym}`, channel, symbol: item.sym, interval: null });
  }
  const interval = typeof item.interval === "string" ? knownInterval(item.interval) : null;
  if (interval === null)
    return err({ code: 11102, msg: `${channel} needs a known interval, found ${shown(item.interval)}` });
  return ok({ name: `${channel}|${item.sym}|${interval}`, channel, symbol: item.sym, interval });
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 80);
