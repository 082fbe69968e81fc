/**
 * A history of an account, played to the real agent core with every push delivered as its fate says. The exchange is the
 * simulated service's own; only what reaches the agent differs between two runs.
 */
import type { Decimal } from "../../src/core/decimal.ts";
import { ACCOUNT } from "../../src/lab/fast/bare-exchange.ts";
import { nudgeItem } from "../market-days/begin.ts";
import { type Plot, type StoryName, type Target, type Step, COPIES, type Fate, STORIES } from "./plots.ts";
import { truthOf, netOf } from "./truth.ts";
import { type Delivery, type Scene, begin, BASE, CALM_TICK_MS, SYMBOL, STEP_MS, TICK_MS } from "./scene.ts";
import { isReady, uncountedAt, watch, problemsOf } from "./verdict.ts";

export interface Scenario extends Omit<Delivery, "copies"> {
  readonly story: StoryName;
  readonly fates: readonly Fate[];
}

export interface Outcome {
  /** Pushes that had a fate, in order, for a reader of a failure. */
  readonly pushes: readonly string[];
  /** What the venue holds at the end, signed. */
  readonly heldQty: Decimal;
  /** The most that it held at any time, long and short together. */
  readonly mostQty: Decimal;
  readonly problems: readonly string[];
  /** The first instant at which more was held than the limits counted, as held or on its way, while openings were possible. */
  readonly uncounted: string | null;
  /** The longest span in which the venue held a position that no stop covered while it took requests, ms. */
  readonly bareMs: number;
  /** The same with a stop of a position that was not held. */
  readonly looseMs: number;
}

const READY_MS = 10_000;
const SETTLED_MS = 25_000;
const QUIET_MS = 40_000;
const WAITS = 60;

export function play({ story, fates, ...delivery }: Scenario): Outcome {
  return playPlot(STORIES[story], {
    ...delivery,
    copies: (push) => COPIES[fates[push] ?? "now"],
  });
}

export function playPlot(plot: Plot, { copies, ...delivery }: Delivery): Outcome {
  const pushes: string[] = [];
  let fated = false;
  const deliver = ({
    channel,
    data,
  }: {
    channel: string;
    data: Readonly<Record<string, unknown>>;
  }): readonly number[] => {
    // The instant of a change at the venue, before the agent can have heard of it.
    if (channel === "Positions") scene.uncounted ??= uncountedAt(scene, truthOf(scene));
    if (!fated || channel === "Assets") return COPIES.now;
    const late = copies(pushes.length);
    pushes.push(
      `${channel} ${String(data["orderState"] ?? data["positionQty"] ?? "")} ${late.join(" and ") || "lost"}`,
    );
    return late;
  };
  const scene = begin(delivery, deliver);
  pass(scene, READY_MS);
  if (plot.before) {
    want(scene, plot.before);
    pass(scene, SETTLED_MS);
  }
  fated = true;
  for (const step of plot.steps) {
    if (step.move !== undefined) {
      scene.price *= 1 + step.move;
      scene.venue.put(SYMBOL, scene.price, scene.loop.clock.nowMs());
    }
    if (step.byHand !== undefined) tradeByHand(scene, delivery.mode, step.byHand);
    if (step.rest !== undefined) scene.loop.restUp(step.rest);
    scene.reached = (step.rest ?? "up") === "up";
    if (step.want !== undefined) want(scene, step.want);
    if (step.dies) dieFor(scene, step.forMs);
    else if (step.untilRight) passUntilRight(scene, step.forMs);
    else pass(scene, step.forMs);
  }
  settle(scene);
  return {
    pushes,
    heldQty: netOf(truthOf(scene).held),
    mostQty: scene.mostQty,
    problems: problemsOf(scene),
    uncounted: scene.uncounted,
    bareMs: scene.bareMs,
    looseMs: scene.looseMs,
  };
}

/** At most so long: the sooner the agent knows what is so, the fewer calm seconds are played. */
function passUntilRight(scene: Scene, ms: number): void {
  for (let passedMs = 0; passedMs < ms && problemsOf(scene).length > 0; passedMs += CALM_TICK_MS)
    pass(scene, CALM_TICK_MS);
}

/** Until nothing has happened at the venue for longer than any list lags. */
function settle(scene: Scene): void {
  for (let quietMs = 0, waits = 0; quietMs < QUIET_MS && waits < WAITS; waits++) {
    const changes = scene.loop.link.changes();
    pass(scene, CALM_TICK_MS);
    quietMs = scene.loop.link.changes() === changes ? quietMs + CALM_TICK_MS : 0;
  }
}

function dieFor(scene: Scene, ms: number): void {
  scene.loop.die();
  scene.lives = false;
  for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
    scene.loop.pass(STEP_MS);
    scene.lists.note(scene.loop.clock.nowMs());
  }
  scene.loop = scene.revive();
  scene.lives = true;
  scene.isReady = false;
  scene.changes = -1;
  scene.bareSinceMs = scene.looseSinceMs = null;
}

/** Where nothing is held there is nothing to close, and the venue says so. */
function tradeByHand(
  { venue, loop }: Scene,
  mode: "BOTH" | "NET",
  { leg: side, qty }: NonNullable<Step["byHand"]>,
): void {
  const nowMs = Math.floor(loop.clock.nowMs());
  venue.fresh(nowMs, SYMBOL);
  const positionSide = mode === "BOTH" ? { positionSide: side } : {};
  if (qty === 0) venue.exchange.closePosition(ACCOUNT, { sym: SYMBOL, ...positionSide }, nowMs);
  else {
    const order = {
      sym: SYMBOL,
      side: side === "LONG" ? "BUY" : "SELL",
      orderType: "MARKET",
      ...positionSide,
    } as const;
    venue.exchange.place(ACCOUNT, { ...order, orderQty: qty.toFixed(2), clientOrderId: `hand-${nowMs}` }, nowMs);
  }
}

function want(scene: Scene, target: Target): void {
  scene.target = target;
  scene.loop.news(nudgeItem(BASE, scene.loop.clock.nowMs()));
}

function pass(scene: Scene, ms: number): void {
  const { loop, lists } = scene;
  for (let leftMs = ms, isFirst = true; leftMs > 0; isFirst = false) {
    if (isFirst || isTickDue(scene)) look(scene);
    for (const untilMs = Math.max(0, leftMs - TICK_MS); leftMs > untilMs;) {
      // Where nothing is on its way, nothing happens until the next tick.
      const stepMs = Math.min(loop.clock.pending() === 0 ? TICK_MS : STEP_MS, leftMs - untilMs);
      loop.pass(stepMs);
      leftMs -= stepMs;
      lists.note(loop.clock.nowMs());
      watch(scene);
    }
  }
}

/** At this second the agent may have something to do that is not waiting for time alone. */
function isTickDue(scene: Scene): boolean {
  const { loop, ticked } = scene;
  const nowMs = loop.clock.nowMs();
  return (
    loop.lastActMs() > ticked.atMs ||
    nowMs - ticked.atMs >= CALM_TICK_MS ||
    loop.pending() ||
    loop.agent.isWorking(nowMs) ||
    loop.agent.isDecisionDue(nowMs) ||
    !isReady(scene)
  );
}

function look({ loop, ticked }: Scene): void {
  loop.look();
  ticked.atMs = loop.clock.nowMs();
}
