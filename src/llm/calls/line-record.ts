/** The last answer and the last trouble of one model, and whether the trouble continues. */
import type { CallOutcome } from "./call.ts";
import type { ModelState, AskRequest } from "../contract/port.ts";
import type { Decimal } from "../../core/decimal.ts";
import type { ModelPrice } from "../contract/settings.ts";

/** Mutated by `noteCall`. */
export interface LineRecord {
  failing: ModelState["failing"];
  last: ModelState["lastError"];
  answeredAtMs: ModelState["answeredAtMs"];
}

/** For a model that was not asked yet. */
export const newRecord = (): LineRecord => ({ failing: null, last: null, answeredAtMs: null });

/** A call that was never made says nothing about the model; an answer ends its trouble, whose text is kept. */
export function noteCall(record: LineRecord, called: CallOutcome, nowMs: number): void {
  if (called.kind === "over-budget") return;
  if (called.kind === "answered") {
    record.failing = null;
    record.answeredAtMs = nowMs;
    return;
  }
  if (!called.trouble) return;
  const { sinceMs, inARow } = record.failing ?? { sinceMs: nowMs, inARow: 0 };
  record.failing = { sinceMs, inARow: inARow + 1 };
  record.last = { ...called.trouble, atMs: nowMs };
}

interface Priced {
  readonly price: ModelPrice;
}

/** A question reads about ten times as many tokens as it writes. */
const READ_PER_WRITTEN = 10;

const weight = ({ price }: Priced): Decimal =>
  price.inputPerMillionUsd.mul(READ_PER_WRITTEN).add(price.outputPerMillionUsd);

/** "cheap" sorts by ten tokens read to one written; otherwise the order of the settings applies. */
export const byTier = <Line extends Priced>(lines: readonly Line[], tier: AskRequest["tier"]): readonly Line[] =>
  tier === "cheap" ? [...lines].sort((a, b) => weight(a).cmp(weight(b))) : lines;
