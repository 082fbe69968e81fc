/** Everything that time triggers, in order of time: steps, funding, hourly readings, warnings. */
import { setAlgoState } from "../matching/algo-life.ts";
import { carryOutCancel } from "../orders/change-order.ts";
import { settleFunding } from "../accounts/funding.ts";
import { portfolioEquity } from "../positions/margin.ts";
import { applyAmendment, arrive } from "../matching/matching.ts";
import { lookAt } from "../state/notes.ts";
import { forgetHistory } from "../persistence/retention.ts";
import { checkWallet, marginCallDueMs, repeatMarginCall } from "../risk/risk.ts";
import { rejectNow } from "../matching/order-life.ts";
import type { Instrument, Wallet, World } from "../state/state.ts";
import { dueStep, nextStepAtMs, type Step } from "../state/steps.ts";
import { goLive } from "../orders/algo-orders.ts";
import { invariant } from "../../../core/invariant.ts";
import { watchAlgos } from "../orders/algo-trigger.ts";

/**
 * Each round fires a one-shot order or closes a position, so the number of rounds is finite; this bound guards that
 * assumption.
 */
const ROUNDS_MAX = 100_000;

/** Called after every command, market input and step, before listeners are notified. */
export function settle(world: World): void {
  const { lastMoved, atRisk } = world;
  for (let round = 0; lastMoved.length > 0 || atRisk.length > 0; round++) {
    invariant(round < ROUNDS_MAX, "the consequences of one event must end");
    // A check may add further instruments, which then come at the end of the same list.
    for (const instrument of lastMoved) {
      instrument.lastMoved = false;
      watchAlgos(world, instrument, "LAST_PRICE");
    }
    lastMoved.length = 0;
    for (const wallet of atRisk) {
      wallet.atRisk = false;
      checkWallet(world, wallet);
    }
    atRisk.length = 0;
  }
}

const HOUR_MS = 3_600_000;

function takeStep(world: World, step: Step): void {
  if (step.kind === "algo-live" || step.kind === "algo-cancel") {
    const algo = world.algosById.get(step.algoOrderId);
    if (algo === undefined) return;
    if (step.kind === "algo-live") goLive(world, algo);
    else if (algo.state === "PENDING_CANCEL") setAlgoState(world, algo, "CANCELLED");
    return;
  }
  const order = world.orders.open(step.ref);
  if (order === undefined) return;
  if (step.kind === "arrive") arrive(world, order);
  else if (step.kind === "reject") rejectNow(world, order, "refused on arrival");
  else if (step.kind === "cancel") carryOutCancel(world, order);
  else applyAmendment(world, order, step.ticks, step.lots);
}

/** An hourly reading of every portfolio for the scores; it also checks the floor. Records §8.3, §15. */
function takeReadings(world: World): void {
  for (const portfolio of world.portfolios.values()) {
    for (const wallet of portfolio.wallets.values()) lookAt(world, wallet);
  }
  settle(world);
  for (const portfolio of world.portfolios.values()) {
    portfolio.navs.push({ atMs: world.nextSnapshotAtMs, equity: portfolioEquity(world, portfolio) });
  }
  world.nextSnapshotAtMs += HOUR_MS;
  forgetHistory(world);
}

function nextFunding(world: World): { atMs: number; instrument: Instrument | null } {
  let atMs = Infinity;
  let instrument: Instrument | null = null;
  for (const candidate of world.instruments.values()) {
    if (candidate.nextFundingAtMs >= atMs) continue;
    atMs = candidate.nextFundingAtMs;
    instrument = candidate;
  }
  return { atMs, instrument };
}

function nextWarning(world: World): { atMs: number; wallet: Wallet | null } {
  let atMs = Infinity;
  let wallet: Wallet | null = null;
  for (const portfolio of world.portfolios.values()) {
    for (const candidate of portfolio.wallets.values()) {
      if (marginCallDueMs(candidate) >= atMs) continue;
      atMs = marginCallDueMs(candidate);
      wallet = candidate;
    }
  }
  return { atMs, wallet };
}

/** The time of the next event that time triggers. */
export function nextDueAtMs(world: World): number {
  const stepAtMs = nextStepAtMs(world.steps);
  // Only steps come before that time, so no check is needed.
  if (stepAtMs <= world.quietUntilMs) return stepAtMs;
  return Math.min(stepAtMs, nextFunding(world).atMs, nextWarning(world).atMs, world.nextSnapshotAtMs);
}

/** Does the next due event. At equal times: steps, funding, readings, warnings. */
function doNext(world: World, atMs: number): void {
  world.nowMs = Math.max(world.nowMs, atMs);
  const planned = dueStep(world.steps, atMs);
  if (planned !== null) return takeStep(world, planned.step);
  const funding = nextFunding(world);
  if (funding.instrument !== null && funding.atMs <= atMs) return settleFunding(world, funding.instrument);
  if (world.nextSnapshotAtMs <= atMs) return takeReadings(world);
  const { wallet } = nextWarning(world);
  if (wallet !== null) repeatMarginCall(world, wallet);
}

/** Runs the due steps while nothing else is due. */
function runSteps(world: World, nowMs: number): void {
  for (;;) {
    const atMs = nextStepAtMs(world.steps);
    if (atMs > nowMs || atMs > world.quietUntilMs) return;
    world.nowMs = Math.max(world.nowMs, atMs);
    const planned = dueStep(world.steps, atMs);
    if (planned !== null) takeStep(world, planned.step);
    settle(world);
  }
}

/** Advances the world to `nowMs`. Time never goes back: an earlier time counts as the present. */
export function runTo(world: World, nowMs: number): void {
  settle(world);
  runSteps(world, nowMs);
  if (nowMs < world.quietUntilMs) {
    world.nowMs = Math.max(world.nowMs, nowMs);
    return;
  }
  for (;;) {
    const atMs = nextDueAtMs(world);
    if (atMs > nowMs) break;
    doNext(world, atMs);
    settle(world);
  }
  world.nowMs = Math.max(world.nowMs, nowMs);
  world.quietUntilMs = Math.min(nextFunding(world).atMs, nextWarning(world).atMs, world.nextSnapshotAtMs);
}
