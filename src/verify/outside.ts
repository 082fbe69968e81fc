/**
 * Reads the exports of those who watched a run from outside, and decodes two of them: the writes that reached the venue
 * (W) and the model's charges (L). The venue's own facts (V) have a file of their own, `venue-facts.ts`.
 */
import { type Num, NIL } from "./decimal.ts";
import { decimal, isRec, list, type Rec, rec, text, timeIn, word } from "./fields.ts";
import { readObject } from "./rows.ts";

/** One write as the venue received it. */
export interface Frame {
  readonly seq: number;
  /** Arrival by the venue's clock. */
  readonly atMs: number;
  readonly accountId: string | null;
  /** `POST /api/v1/trading/order`, or an action's name on the user stream. */
  readonly call: string;
  readonly params: Rec;
  readonly result: string;
}

/** The actual cost of one call, from the gateway; `requestId` is empty if it had no id of ours. */
export interface Charge {
  readonly atMs: number;
  readonly startedMs: number;
  /** The trading account whose key paid; null if not recorded. */
  readonly accountId: string | null;
  readonly model: string;
  readonly requestId: string;
  readonly costUsd: Num;
}

/** The objects of an export: JSON lines, one array, or an object with `entries`. Null for anything else. */
export function readEntries(content: string): readonly Rec[] | null {
  const whole = readJson(content);
  if (Array.isArray(whole)) return whole.filter(isRec);
  if (isRec(whole) && Array.isArray(whole["entries"])) return list(whole, "entries").filter(isRec);
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const objects = lines.map(readObject);
  return objects.every((object) => object !== null) ? objects : null;
}

function readJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** Accepts anything: missing words read as empty, a missing time as NaN. */
export const decodeFrame = (from: Rec): Frame => ({
  seq: Number(from["seq"]),
  atMs: timeIn(from, "atMs") ?? NaN,
  accountId: text(from, "accountId"),
  call: word(from, "call"),
  params: rec(from, "params") ?? {},
  result: word(from, "result"),
});

/** Accepts anything; a call without a start time started when it was charged. */
export const decodeCharge = (from: Rec): Charge => ({
  atMs: timeIn(from, "atMs") ?? NaN,
  startedMs: timeIn(from, "startedMs") ?? timeIn(from, "atMs") ?? NaN,
  accountId: text(from, "accountId"),
  model: word(from, "model"),
  requestId: word(from, "requestId"),
  costUsd: decimal(from, "costUsd") ?? NIL,
});
