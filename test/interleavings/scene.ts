/** An agent at the small venue: what it asks for is carried out, and what the venue says of that arrives or waits. */
import type { Effect } from "../../src/agent/contract/effects.ts";
import { type Decimal, ZERO } from "../../src/core/decimal.ts";
import { restore } from "../../src/restore/restore.ts";
import type { RowKind } from "../../src/rows/row.ts";
import { wireOutRow } from "../../src/rows/wire-out.ts";
import type { TargetPosition } from "../../src/strategy/strategy.ts";
import {
  BTC,
  ETH,
  holding,
  rulesOf,
  scripted,
  session,
  settingsOf,
  START_MS,
  target,
  world,
  type World,
} from "../support/agent-world.ts";
import { nudgeItem } from "../market-days/begin.ts";
import { memoryJournal, type MemoryJournal } from "../support/memory-journal.ts";
import { type Message, smallVenue, type SmallVenue } from "./small-venue.ts";

/** What happens: an order opens a position, a decision closes one, or its stop fires. */
export const STORIES = ["open", "close", "fire"] as const;
export type StoryName = (typeof STORIES)[number];

export interface Scene {
  readonly venue: SmallVenue;
  readonly journal: MemoryJournal;
  w: World;
  want: readonly TargetPosition[];
  lives: number;
  /** Whether the venue answers reads. */
  answers: boolean;
  /** Whether its messages wait for the choices instead of arriving at once. */
  keeps: boolean;
  /** Effects that were carried out already. */
  done: number;
  /** Reads whose answers were not given. */
  asked: Effect[];
  readonly messages: Message[];
  mostHeld: Decimal;
}

/** A decision now and then would open again what it does not know to be held. */
const SETTINGS = settingsOf({
  cadence: { ...settingsOf().cadence, every: 30_000, minGap: 1_000, onFill: false },
});
const longTarget = target({ size: 0.5 });
const flatTarget = target({ size: 0 });

export function start(scene: Scene, atMs: number): World {
  scene.lives += 1;
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets: scene.want, note: "" }));
  const w = world({
    strategies: { chosen, fallback: holding() },
    settings: SETTINGS,
    restored: restore(scene.journal.reader, atMs),
    runId: `t${scene.lives}`,
    atMs,
  });
  scene.w = w;
  scene.done = 0;
  scene.asked = [];
  act(scene, () => {
    w.tick();
    w.feed({ kind: "rules", rules: [rulesOf(BTC), rulesOf(ETH)] });
    w.feed({ kind: "leverage", settings: [BTC, ETH].map((symbol) => ({ symbol, leverage: 2 })) });
    w.readsLeverage = true;
    for (const stream of ["market", "user"] as const) w.feed({ kind: "stream", stream, up: true, reason: "test" });
    w.feed({ kind: "session", session: session(w.nowMs), reason: "" });
  });
  return w;
}

/** Feeds the agent, and carries out what it asks for until it asks for no more. */
export function act(scene: Scene, feed: () => void): void {
  feed();
  for (let effect = scene.w.effects[scene.done]; effect !== undefined; effect = scene.w.effects[scene.done]) {
    scene.done += 1;
    carryOut(scene, effect);
  }
}

function carryOut(scene: Scene, effect: Effect): void {
  const { w, venue, journal } = scene;
  const note = { atMs: w.nowMs, runId: `t${scene.lives}` };
  if (effect.kind === "record")
    return journal.add({ kind: effect.row, body: effect.body, decisionId: effect.decisionId, ...note });
  if (effect.kind === "renew-session") return void w.feed({ kind: "session", session: session(w.nowMs), reason: "" });
  const written = venue.carryOut(effect, w.nowMs);
  if (written) {
    const { action, clientOrderId, params } = written.wire;
    const row = { previewId: `p${journal.reader.count()}`, action, clientOrderId, params };
    const rest = { paramsHash: "h", runtime: "test", decisionId: null, automationSessionId: null, seen: null };
    const { kind, body } = wireOutRow({ ...row, ...rest });
    journal.add({ kind, body, decisionId: null, ...note });
    return hear(scene, written.messages);
  }
  if (scene.answers) answer(scene, effect);
  else scene.asked.push(effect);
}

export function answer({ venue, w }: Scene, effect: Effect): void {
  const event = venue.answer(effect, w.nowMs);
  if (event) w.feed(event);
}

/** Messages arrive at once while the venue is open; otherwise each waits for its choice. */
function hear(scene: Scene, messages: readonly Message[]): void {
  if (!scene.keeps) for (const { event } of messages) scene.w.feed(event);
  else
    for (const message of messages) {
      const same = scene.messages.filter(({ name }) => name.replace(/ #\d+$/, "") === message.name).length;
      scene.messages.push(same === 0 ? message : { ...message, name: `${message.name} #${same + 1}` });
    }
}

export function pass(scene: Scene, seconds: number, stepS = 1): void {
  for (let passed = 0; passed < seconds; passed += stepS) act(scene, () => scene.w.tick(stepS * 1_000));
}

export function begin(story: StoryName, forgets: readonly RowKind[]): Scene {
  const scene: Scene = {
    ...{
      venue: smallVenue(),
      journal: memoryJournal(forgets),
      want: [],
      lives: 0,
      answers: true,
      keeps: false,
      done: 0,
      asked: [],
    },
    ...{ messages: [], mostHeld: ZERO, w: undefined as unknown as World },
  };
  start(scene, START_MS);
  if (story === "open") pass(scene, 6);
  else {
    scene.want = [longTarget];
    pass(scene, 12);
  }
  scene.mostHeld = scene.venue.qty();
  return scene;
}

/** What the venue does from here on is known only by the messages that are chosen. */
export function unfold(scene: Scene, story: StoryName): void {
  scene.keeps = true;
  scene.want = story === "fire" ? [] : [story === "open" ? longTarget : flatTarget];
  if (story === "fire") hear(scene, scene.venue.fire(scene.w.nowMs));
  else {
    act(scene, () => scene.w.feed({ kind: "news", item: nudgeItem("BTC", scene.w.nowMs) }));
    for (let second = 0; second < 10 && scene.messages.length === 0; second++) pass(scene, 1);
  }
  scene.answers = false;
}
