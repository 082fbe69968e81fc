/** The last answer and the last trouble of one model, and whether the trouble continues. */
import type { CallOutcome } from "./call.ts";
import type { ModelState, AskRequest } from "../contract/port.ts";
import type { Decimal } from "../../core/decimal.ts";
import type { ModelPrice } from "../contract/settings.ts";

/** Mutated by `noteCall`. */
export interface ModelHealth {
  failing: ModelState["failing"];
  last: ModelState["lastError"];
  answeredAtMs: ModelState["answeredAtMs"];
}

/** For a model that was not asked yet. */
export const newHealth = (): ModelHealth => ({ failing: null, last: null, answeredAtMs: null });

/** A call that was never made says nothing about the model; an answer ends its trouble, whose text is kept. */
export function noteCall(health: ModelHealth, called: CallOutcome, nowMs: number): void {
  if (called.kind === "over-budget") return;
  if (called.kind === "answered") {
    health.failing = null;
    health.answeredAtMs = nowMs;
    return;
  }
  if (!called.trouble) return;
  const { sinceMs, inARow } = health.failing ?? { sinceMs: nowMs, inARow: 0 };
  health.failing = { sinceMs, inARow: inARow + 1 };
  health.last = { ...called.trouble, atMs: nowMs };
}

interface Priced {
  readonly price: ModelPrice;
}

/** A question reads about ten times as many tokens as it writes. */
const READ_PER_WRITTEN = 10;

const weight = ({ price }: Priced): Decimal =>
  price.inputPerMillionUsd.mul(READ_PER_WRITTEN).add(price.outputPerMillionUsd);

/** "cheap" sorts by ten tokens read to one written; otherwise the order of the settings applies. */
export const byTier = <Model extends Priced>(models: readonly Model[], tier: AskRequest["tier"]): readonly Model[] =>
  tier === "cheap" ? [...models].sort((a, b) => weight(a).cmp(weight(b))) : models;
