/** Walks the venue's facts with the frames that are under way between them, for the two invariants about exposure. */
import { type Exposure, exposureOf } from "./exposure.ts";
import { text } from "./fields.ts";
import type { History } from "./history.ts";
import type { Frame } from "./outside.ts";
import { isOpeningFrame, matchedFrames } from "./wire-match.ts";
import { factsOf, type Standing, standings } from "./venue-view.ts";

/** The maps of `standing` live on: read them before the next stake is asked for. */
export interface Stake {
  readonly standing: Standing;
  readonly exposure: Exposure;
}

/** After each fact from the first figure of equity on. */
export function* stakes(history: History): Generator<Stake> {
  const accepted = new Map<string, number>();
  for (const { order, atMs } of factsOf(history, "order"))
    if (!accepted.has(order.clientOrderId)) accepted.set(order.clientOrderId, atMs);
  // Only what the venue took is under way to it; what it refused never counts.
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
