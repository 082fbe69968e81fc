/** Judges the agent against what the exchange holds: at each step, and in the end. */
import { dec, type Decimal, maxDecimal, toWire, ZERO } from "../../src/core/decimal.ts";
import { type Truth, truthOf, grossOf, isCovered, isLoose } from "./truth.ts";
import { type Scene, SYMBOL, START_MS } from "./scene.ts";

/** What the desk's limits count is the most that can be held: it may never be less than what is held. */
export function uncountedAt({ loop, lives }: Scene, truth: Truth): string | null {
  if (!lives || truth.held.length === 0) return null;
  const nowMs = loop.clock.nowMs();
  const facts = loop.agent.wireFacts(SYMBOL, nowMs);
  if (!facts) return null;
  for (const { side, qty } of truth.held) {
    const counted = facts.stakes.filter(({ leg }) => leg === side).reduce((sum, stake) => sum.add(stake.qty), ZERO);
    if (counted.lt(qty))
      return `${toWire(qty)} ${side} held and ${toWire(counted)} counted, ${(nowMs - START_MS) / 1_000} s after the start`;
  }
  return null;
}

export const isReady = (scene: Scene): boolean =>
  (scene.isReady ||= scene.loop.agent.status(scene.loop.clock.nowMs()).stage !== "starting");

export function watch(scene: Scene): void {
  const nowMs = scene.loop.clock.nowMs();
  const [changes, steps] = [scene.loop.link.changes(), scene.loop.steps()];
  if (changes !== scene.changes) {
    scene.truth = truthOf(scene);
    scene.mostQty = maxDecimal(scene.mostQty, grossOf(scene.truth.held));
  }
  // What is held and what is counted change with nothing else.
  if (changes !== scene.changes || steps !== scene.steps) scene.uncounted ??= uncountedAt(scene, scene.truth);
  [scene.changes, scene.steps] = [changes, steps];
  // What the venue lets nobody place is no span of the agent's, nor is the time before it answers a new process.
  const acts = scene.reached && isReady(scene);
  scene.bareSinceMs = acts && !isCovered(scene.truth) ? (scene.bareSinceMs ?? nowMs) : null;
  scene.looseSinceMs = acts && isLoose(scene.truth) ? (scene.looseSinceMs ?? nowMs) : null;
  scene.bareMs = Math.max(scene.bareMs, nowMs - (scene.bareSinceMs ?? nowMs));
  scene.looseMs = Math.max(scene.looseMs, nowMs - (scene.looseSinceMs ?? nowMs));
}

/** What the agent makes of it all in the end, against what is so. */
export function problemsOf(scene: Scene): readonly string[] {
  const truth = truthOf(scene);
  const { positions: known, orders } = scene.loop.agent.status(scene.loop.clock.nowMs());
  const problems: string[] = [];
  const sides = (of: readonly { side: string; qty: string | Decimal }[]): string =>
    of
      .map(({ side, qty }) => `${side} ${toWire(dec(qty))}`)
      .sort()
      .join(" and ") || "nothing";
  const [believed, so] = [sides(known), sides(truth.held)];
  if (believed !== so) problems.push(`believes ${believed} held, ${so} is`);
  if (!isCovered(truth)) problems.push(`${so} held without a stop`);
  if (truth.stops.length > truth.held.length) problems.push(`${truth.stops.length} stops for ${so}`);
  if (orders.length > 0) problems.push(`believes ${orders.length} orders open`);
  if (scene.venue.resting().length > 0) problems.push("an order rests");
  return problems;
}
