/** Reads the address of a market push before its content, in either generation of the wire. Records §10.3, §10.5. */
import { isRecord } from "../core/record.ts";
import { readInterval } from "../protocol/market/kline.ts";
import type { BookMessage } from "./book-sequence.ts";
import { itemKey } from "./subscriptions.ts";

type Frame = Readonly<Record<string, unknown>>;

/** The subscription that a push belongs to; `key` is that of `subscriptions.ts`. */
export interface PushAddress {
  readonly key: string;
  readonly channel: string;
  readonly symbol: string;
}

/** Null for a frame that is not a push. */
export function pushAddressOf(frame: Frame): PushAddress | null {
  const { arg } = frame;
  if (!isRecord(arg)) return null;
  const symbol = arg.sym ?? arg.instId;
  if (typeof arg.channel !== "string" || typeof symbol !== "string") return null;
  return { key: itemKey(arg.channel, symbol, intervalOf(arg.interval)), channel: arg.channel, symbol };
}

/** The sequence fields; `updatetype` is in `arg` in the older generation. */
export function bookMessageOf(frame: Frame): BookMessage {
  const data = isRecord(frame.data) ? frame.data : {};
  const arg = isRecord(frame.arg) ? frame.arg : {};
  return { updatetype: data.updatetype ?? arg.updatetype, seq: data.seq, preSeq: data.pre_seq };
}

/** The documented spelling, so that `1h` and `1H` are one subscription. */
export const intervalOf = (interval: unknown): string | undefined =>
  typeof interval === "string" && interval !== "" ? (readInterval(interval) ?? interval) : undefined;
