/** Walks the venue's facts together with the frames in flight between them, for the two invariants about exposure. */
import { type Exposure, exposureOf } from "./exposure.ts";
import { text } from "./fields.ts";
import type { History } from "./history.ts";
import type { Frame } from "./outside.ts";
import type { VenueFact } from "./venue-facts.ts";
import { isOpeningFrame, matchedFrames } from "./wire-match.ts";
import { factsOf, type AccountState, standings } from "./venue-view.ts";

/** The maps of `standing` are mutated: read them before requesting the next stake. */
export interface AccountExposure {
  readonly standing: AccountState;
  readonly exposure: Exposure;
}

/** The facts that change an exposure. All others, most of the ledger, leave it as it was. */
const CHANGES: ReadonlySet<VenueFact["fact"]> = new Set(["order", "position", "mark", "rules"]);

/** Several invariants walk the same exposures. */
const kept = new WeakMap<History, readonly Exposure[]>();

/** One per fact, from the first equity figure on. */
export function* stakes(history: History): Generator<AccountExposure> {
  const exposures = kept.get(history) ?? exposuresOf(history);
  kept.set(history, exposures);
  let next = 0;
  for (const standing of standings(history)) {
    const exposure = standing.equity === null ? undefined : exposures[next++];
    if (exposure) yield { standing, exposure };
  }
}

function exposuresOf(history: History): readonly Exposure[] {
  const accepted = new Map<string, number>();
  for (const { order, atMs } of factsOf(history, "order"))
    if (!accepted.has(order.clientOrderId)) accepted.set(order.clientOrderId, atMs);
  // Only frames that the venue accepted are in flight; refused ones never count.
  const frames = matchedFrames(history)
    .filter((matched) => isOpeningFrame(matched) && accepted.has(text(matched.frame.params, "clientOrderId") ?? ""))
    .map(({ frame }) => frame);
  const exposures: Exposure[] = [];
  let next = 0;
  let flying: readonly Frame[] = [];
  let exposure: Exposure | null = null;
  for (const standing of standings(history)) {
    const nowMs = standing.fact.atMs;
    const before = flying;
    for (let frame = frames[next]; frame && frame.atMs <= nowMs; frame = frames[++next]) flying = [...flying, frame];
    if (flying.length > 0)
      flying = flying.filter(({ params }) => (accepted.get(text(params, "clientOrderId") ?? "") ?? 0) > nowMs);
    if (flying !== before || CHANGES.has(standing.fact.fact)) exposure = null;
    if (standing.equity === null) continue;
    exposure ??= exposureOf(standing, flying);
    exposures.push(exposure);
  }
  return exposures;
}
