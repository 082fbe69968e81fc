/** All that happens by itself as time passes, in the order of its times: steps, funding, hourly readings, warnings. */
import { setAlgoState } from "./algo-life.ts";
import { carryOutCancel } from "./change-order.ts";
import { settleFunding } from "./funding.ts";
import { portfolioEquity } from "./margin.ts";
import { applyAmendment, arrive } from "./matching.ts";
import { lookAt } from "./notes.ts";
import { forgetHistory } from "./retention.ts";
import { checkWallet, marginCallDueMs, repeatMarginCall } from "./risk.ts";
import { rejectNow } from "./order-life.ts";
import type { Instrument, Wallet, World } from "./state.ts";
import { dueStep, nextStepAtMs, type Step } from "./steps.ts";
import { goLive } from "./algo-orders.ts";
import { invariant } from "../../core/invariant.ts";
import { watchAlgos } from "./algo-trigger.ts";

/** Each round fires a one-shot order or closes something, so the rounds are finite; the figure guards that belief. */
const ROUNDS_MAX = 100_000;

/** Called after every command, market input and step, before listeners hear of it. */
export function settle(world: World): void {
  const { lastMoved, atRisk } = world;
  for (let round = 0; lastMoved.length > 0 || atRisk.length > 0; round++) {
    invariant(round < ROUNDS_MAX, "the consequences of one event must come to an end");
    // What is looked at may note more of the kind, which then comes at the end of the same list.
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

/** An hourly reading of every portfolio, for the scores; the floor is looked at as well. Records §8.3, §15. */
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

/** The time of the next thing that is due by itself. */
export function nextDueAtMs(world: World): number {
  const stepAtMs = nextStepAtMs(world.steps);
  // Nothing but steps comes before that time, so there is no need to look.
  if (stepAtMs <= world.quietUntilMs) return stepAtMs;
  return Math.min(stepAtMs, nextFunding(world).atMs, nextWarning(world).atMs, world.nextSnapshotAtMs);
}

/** Does the one thing that is due next. At equal times: steps, funding, readings, warnings. */
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

/** Takes the steps that are due while nothing else is. */
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

/** Brings the world to `nowMs`. Time never runs backwards: an earlier time is taken as the present. */
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
