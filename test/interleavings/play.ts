/**
 * One story of an order, a position and its stop, with the messages that arrive chosen one by one. The process may die
 * once; the next one starts from its journal. In the end the venue answers again, and the agent must know what is held.
 */
import { type Decimal, dec, ZERO } from "../../src/core/decimal.ts";
import type { RowKind } from "../../src/rows/row.ts";
import { act, answer, begin, pass, type Scene, start, type StoryName, unfold } from "./scene.ts";

/** A message by its name, `again` one that has arrived before, a list from before the story, or a death. */
export type Choice = `> ${string}` | `again ${string}` | "old list" | "death";

export interface Played {
  /** What could come next. */
  readonly next: readonly Choice[];
  readonly problems: readonly string[];
  /** How the agent sees the account after the last choice. */
  readonly state: string;
}

export interface Bounds {
  /** How many messages of a story have a fate; later ones are lost. */
  readonly messages: number;
  /** Row kinds that a journal loses: shows that the checker notices it. */
  readonly forgets?: readonly RowKind[];
}

const SETTLE_S = 25;
/** Long enough for a decision: one that knows too little would open again. */
const BETWEEN_MS = 1_200;
/** Longer than reads may lag, and than a stop that was believed is asked for. */
const CALM_S = 74;
const CALM_STEP_S = 2;

export function play(story: StoryName, choices: readonly Choice[], bounds: Bounds): Played {
  const scene = begin(story, bounds.forgets ?? []);
  const before = scene.venue.list();
  unfold(scene, story);
  const arrived: string[] = [];
  const problems: string[] = [];
  let [listed, died, repeated] = [false, false, false];
  const lost = new Set<string>();
  for (const choice of choices) {
    if (choice === "death") {
      died = true;
      for (const { isReply, name } of scene.messages) if (isReply && !arrived.includes(name)) lost.add(name);
      start(scene, scene.w.nowMs + 1_000);
    } else if (choice === "old list") {
      listed = true;
      act(scene, () => scene.w.feed({ kind: "account-read", account: { ...before, startedAtMs: scene.w.nowMs - 50 } }));
    } else {
      const name = choice.replace(/^(>|again) /, "");
      if (choice.startsWith("again")) repeated = true;
      else arrived.push(name);
      const message = scene.messages.find((each) => each.name === name);
      if (!message) throw new Error(`there is no message ${name}`);
      act(scene, () => scene.w.feed(message.event));
    }
    act(scene, () => scene.w.tick(BETWEEN_MS));
    problems.push(...wrongNow(scene));
  }
  const waiting = scene.messages
    .slice(0, bounds.messages)
    .map(({ name }) => name)
    .filter((name) => !arrived.includes(name) && !lost.has(name));
  const next: Choice[] = [
    ...waiting.map((name): Choice => `> ${name}`),
    ...(repeated ? [] : arrived.map((name): Choice => `again ${name}`)),
    ...(listed ? [] : (["old list"] as const)),
    ...(died ? [] : (["death"] as const)),
  ];
  const state = stateOf(scene, waiting);
  return { next, problems: [...new Set([...problems, ...wrongInTheEnd(scene)])], state };
}

function stateOf(scene: Scene, waiting: readonly string[]): string {
  const { positions, orders, stage } = scene.w.agent.status(scene.w.nowMs);
  const seen = positions.map(({ qty, protection, stopPrice }) => `${qty} ${protection} ${stopPrice ?? "-"}`);
  return JSON.stringify([stage, seen, orders.map(({ state, executedQty }) => `${state} ${executedQty}`), waiting]);
}

const believed = ({ w }: Scene): Decimal =>
  w.agent.status(w.nowMs).positions.reduce((sum, { qty }) => sum.add(dec(qty)), ZERO);

/** At every instant: nothing is opened twice, and no more is believed than has ever been held. */
function wrongNow(scene: Scene): readonly string[] {
  const { venue } = scene;
  scene.mostHeld = venue.qty().gt(scene.mostHeld) ? venue.qty() : scene.mostHeld;
  const held = believed(scene);
  return [
    ...(venue.openings() > 1 ? [`${venue.openings()} openings were sent`] : []),
    ...(venue.qty().isNegative() ? [`${venue.qty().toFixed()} is held after a reduction`] : []),
    ...(held.gt(scene.mostHeld) ? [`believes ${held.toFixed()}, ${scene.mostHeld.toFixed()} was held at most`] : []),
  ];
}

/** The venue answers again: what is known must be what is so, with one stop for what is held and none for nothing. */
function wrongInTheEnd(scene: Scene): readonly string[] {
  const { venue } = scene;
  scene.answers = true;
  scene.keeps = false;
  const asked = scene.asked.splice(0);
  act(scene, () => {
    for (const effect of asked) answer(scene, effect);
  });
  let bareS = 0;
  let longestS = 0;
  const problems: string[] = [];
  for (let passedS = 0; passedS < CALM_S; passedS += CALM_STEP_S) {
    pass(scene, CALM_STEP_S, CALM_STEP_S);
    problems.push(...wrongNow(scene));
    bareS = venue.qty().gt(0) && venue.stops().length === 0 ? bareS + CALM_STEP_S : 0;
    longestS = Math.max(longestS, bareS);
  }
  const held = believed(scene);
  const { orders, positions } = scene.w.agent.status(scene.w.nowMs);
  const unprotected = positions.filter(({ protection }) => protection !== "live").length;
  const standing = venue.stops();
  return [
    ...problems,
    ...(held.eq(venue.qty()) ? [] : [`believes ${held.toFixed()} in the end, ${venue.qty().toFixed()} is held`]),
    ...(orders.length === 0 ? [] : [`believes ${orders.length} orders open in the end`]),
    ...(unprotected === 0 ? [] : ["believes its position without a stop in the end"]),
    ...(standing.length === (venue.qty().isZero() ? 0 : 1)
      ? []
      : [`${standing.length} stops for ${venue.qty().toFixed()} in the end`]),
    ...(longestS > SETTLE_S ? [`no stop for ${longestS} s after the venue answered`] : []),
  ];
}
