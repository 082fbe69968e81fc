/** Walks the venue's facts together with the frames in flight between them, for the two invariants about exposure. */
import { type Exposure, exposureOf } from "./exposure.ts";
import { text } from "./fields.ts";
import type { History } from "./history.ts";
import type { Frame } from "./outside.ts";
import { isOpeningFrame, matchedFrames } from "./wire-match.ts";
import { factsOf, type Standing, standings } from "./venue-view.ts";

/** The maps of `standing` are mutated: read them before requesting the next stake. */
export interface Stake {
  readonly standing: Standing;
  readonly exposure: Exposure;
}

/** One per fact, from the first equity figure on. */
export function* stakes(history: History): Generator<Stake> {
  const accepted = new Map<string, number>();
  for (const { order, atMs } of factsOf(history, "order"))
    if (!accepted.has(order.clientOrderId)) accepted.set(order.clientOrderId, atMs);
  // Only frames that the venue accepted are in flight; refused ones never count.
  const frames = matchedFrames(history)
    .filter((matched) => isOpeningFrame(matched) && accepted.has(text(matched.frame.params, "clientOrderId") ?? ""))
    .map(({ frame }) => frame);
  let next = 0;
  let flying: readonly Frame[] = [];
  for (const standing of standings(history)) {
    const nowMs = standing.fact.atMs;
    for (let frame = frames[next]; frame && frame.atMs <= nowMs; frame = frames[++next]) flying = [...flying, frame];
    flying = flying.filter(({ params }) => (accepted.get(text(params, "clientOrderId") ?? "") ?? 0) > nowMs);
    if (standing.equity === null) continue;
    yield { standing, exposure: exposureOf(standing, flying) };
  }
}
