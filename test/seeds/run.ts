/** One seed from the first run to the last check: unrest with faults and deaths, then calm in which all must mend. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dec } from "../../src/core/decimal.ts";
import { type Log, silentLog } from "../../src/core/log.ts";
import { readEntry } from "../../src/llm/budget/entries.ts";
import { Death } from "../../src/harness/crash.ts";
import { type CallbackClass, PlantedException } from "../../src/harness/crashable-process.ts";
import { forgetfulDisk } from "../../src/harness/relaxed-disk.ts";
import { type AgentRun, createHarness, stopwatch } from "../../src/harness/harness.ts";
import { loadStrategies } from "../../src/control/strategies.ts";
import { accountOfSeed } from "../../src/sim/servers/service/accounts.ts";
import { aliveSpans, lengthOf, readySpans } from "../../src/verify/alive.ts";
import type { History } from "../../src/verify/history.ts";
import { NEEDS } from "../../src/verify/service.ts";
import { calmProblems, unlike } from "./calm.ts";
import { judged, type Violation } from "./judge.ts";
import { dayProblem } from "./day-ledger.ts";
import { gather } from "./gather.ts";
import { HUNDRED_USDT } from "./menu.ts";
import { schedule, stall } from "./plan-events.ts";
import type { Plan } from "./plan.ts";
import { die, live, messageOf, newRun, type Run, SLICE_MS } from "./running.ts";
import { troubledDisk } from "./troubled-disk.ts";
import { type Restless, restful, restless } from "./restless.ts";
import { configOf } from "./settings.ts";

export interface Outcome {
  readonly violations: readonly Violation[];
  /** Hash of the journal's last row. */
  readonly hash: string;
  readonly rows: number;
  /** Faults that were switched on. */
  readonly faults: number;
  /** Deaths by crash token or kill. */
  readonly deaths: number;
  /** Orders and other writes that reached the venue. */
  readonly writes: number;
  readonly fills: number;
  /** How long the agent was ready and ran, and for how much of it the deadline of a stop was suspended. */
  readonly readyMs: number;
  readonly suspendedMs: number;
  readonly tookMs: number;
  readonly history: History;
}

/** In memory where the system has such a folder: files that outlive no seed need no disk. */
const SCRATCH = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
/** Faults of the compressed form alone. */
const COMPRESSED: ReadonlySet<string> = new Set(["corrupt-gzip", "gzip-bomb"]);
const WARM_MS = 14_000;
/** Each life reads it again: months of news would take longer than all that follows, and a few items ask as much of the agent. */
const NEWS_PAST_MS = 2 * 3_600_000;
/** Promised for J = V after the venue answers again, and for a stop on every position. Invariants I26, I9. */
const RECONCILED_WITHIN_MS = 10_000;
/** Who starts with a wrong clock learns the venue's time from a pong: in one process no answer carries a date. */
const PONG_WITHIN_MS = 20_000;
const PROTECTED_WITHIN_MS = 15_000;
/** A model may take as long as this, and a question that was asked must end. Invariant I20. */
const MODEL_TAKES_MS = 105_000;

export async function runPlan(plan: Plan, log: Log = silentLog): Promise<Outcome> {
  const elapsed = stopwatch();
  const dataDir = mkdtempSync(join(SCRATCH, "ballast-seed-"));
  let run: Run | null = null;
  const found = watchRejections(() => run?.agentRun ?? null);
  try {
    run = begin(plan, { dataDir, log, unruly: await unrulyOf(plan) });
    await unrest(run);
    await calm(run);
    const day = run.agentRun?.running.agent.status(run.harness.clock.nowMs()) ?? null;
    const history = await end(run);
    const wrong = dayProblem(plan, day, history);
    if (wrong !== null) run.violations.push({ id: "day", what: wrong });
    const violations = [...run.violations, ...found.all(), ...judged(history, { ...run, startMs: plan.startMs })];
    return {
      violations,
      hash: history.rows.at(-1)?.hash ?? "",
      rows: history.rows.length,
      faults: run.faults,
      deaths: run.deaths,
      writes: history.wire?.length ?? 0,
      fills: history.venue?.filter(({ fact }) => fact === "execution").length ?? 0,
      ...deadlines(history),
      tookMs: elapsed(),
      history,
    };
  } catch (cause) {
    run?.agentRun?.kill();
    await run?.harness.close();
    return { ...unfinished(cause), tookMs: elapsed() };
  } finally {
    found.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function deadlines(history: History): Pick<Outcome, "readyMs" | "suspendedMs"> {
  const readyMs = lengthOf(readySpans(history));
  return { readyMs, suspendedMs: readyMs - lengthOf(aliveSpans(history, NEEDS.protect)) };
}

const UNSEEN: History = {
  ...{ rows: [], tail: null, wire: null, venue: null, charges: null, sinks: null, secrets: null },
  ...{ twin: null, same: null, hashes: null, phaseTwoMs: null, skewMs: 0 },
};

/** What threw through the simulation itself is a failure to be reported, shrunk and mended like any other. */
const unfinished = (cause: unknown): Outcome => ({
  violations: [{ id: "thrown", what: messageOf(cause) }],
  history: UNSEEN,
  ...{ hash: "", rows: 0, faults: 0, deaths: 0, writes: 0, fills: 0, readyMs: 0, suspendedMs: 0, tookMs: 0 },
});

async function unrulyOf(plan: Plan): Promise<Restless> {
  if (plan.strategy === "restless") return restless(`${plan.kind}:${plan.seed}`);
  const loaded = await loadStrategies(configOf(plan));
  if (!loaded.ok) throw new Error(loaded.error);
  return restful(loaded.value);
}

interface Means {
  readonly dataDir: string;
  readonly log: Log;
  readonly unruly: Restless;
}

function begin(plan: Plan, { dataDir, log, unruly }: Means): Run {
  const { placeMs, cancelMs, amendMs } = plan.delays;
  const harness = createHarness({
    config: configOf(plan),
    seed: plan.seed,
    startMs: plan.startMs,
    dataDir,
    log,
    latencyMs: plan.latencyMs,
    disk: troubledDisk(
      forgetfulDisk(),
      () => run.diskTrouble,
      () => stall(run),
    ),
    healthWatch: true,
    compressed: plan.events.some((each) => each.what === "fault" && COMPRESSED.has(each.name)),
    exchanges: ["EXCHANGE_A"],
    venue: {
      venueLog: true,
      stepMs: 500,
      newsPastMs: NEWS_PAST_MS,
      accounts: [{ ...accountOfSeed(plan.seed), mode: plan.mode, initialUsdt: dec(plan.usdt) }],
      settings: {
        duplicatePolicy: plan.policy,
        // Two of three venues take a stop for all that is held, the third one wants its quantity.
        closeTypes: plan.seed % 3 !== 0,
        placeDelayMs: placeMs,
        cancelDelayMs: cancelMs,
        amendDelayMs: amendMs,
      },
    },
    strategies: unruly.strategies,
  });
  const run = newRun(plan, harness, unruly);
  return run;
}

/** Before the agent starts, so that its clock is never set. */
function setApart(run: Run): void {
  const { gapMs } = run.plan;
  run.harness.stepWall(gapMs);
  run.wrongMs = gapMs;
  run.wrongByMs = Math.abs(gapMs);
}

async function unrest(run: Run): Promise<void> {
  const { plan, harness } = run;
  const { clock } = harness;
  setApart(run);
  await clock.advance(600);
  await prepare(run);
  await live(run, plan.start === "crashed" ? WARM_MS : 1_000);
  if (plan.start === "crashed") die(run, 1_000);
  for (const event of plan.events) schedule(run, event);
  await live(run, plan.unrestMs);
}

/** What the account holds before the agent first sees it. */
async function prepare({ plan, harness }: Run): Promise<void> {
  if (plan.start !== "positions" && plan.start !== "orders") return;
  const hedge = plan.mode === "BOTH";
  const params = (symbol: string, side: "BUY" | "SELL") => ({
    symbol,
    side,
    positionSide: hedge ? (side === "BUY" ? "LONG" : "SHORT") : "NONE",
    orderQty: HUNDRED_USDT[symbol] ?? "1",
  });
  const [first = "BTC", second = "ETH"] = plan.bases;
  const orders =
    plan.start === "positions"
      ? [params(first, "BUY"), params(second, "SELL")]
      : [{ ...params(first, "BUY"), orderType: "LIMIT", limitPrice: "1" }, params(second, "BUY")];
  for (const order of orders) {
    void harness.control("POST", "/control/faults", { name: "external-order", params: order, for: "1s" });
  }
  await harness.clock.advance(1_200);
}

async function calm(run: Run): Promise<void> {
  const { plan, harness } = run;
  run.unruly.rest();
  run.calm = true;
  if (run.token) run.token.append = Infinity;
  void harness.control("DELETE", "/control/faults", {});
  heardOfThrow(run);
  await live(run, 2 * plan.latencyMs + 50);
  while (run.stopping) await live(run, SLICE_MS);
  if (!run.agentRun) {
    run.bootAtMs = Math.min(run.bootAtMs, harness.clock.nowMs());
    await live(run, 50);
  }
  if (plan.resumes) run.agentRun?.operator("resume");
  await live(run, RECONCILED_WITHIN_MS + (run.wrongByMs > 0 ? PONG_WITHIN_MS : 0));
  const differs = unlike(harness);
  if (differs.length > 0) {
    const boundMs = Math.max(...run.bound.map(({ toMs }) => toMs)) - harness.clock.nowMs();
    await live(run, Math.max(PROTECTED_WITHIN_MS - RECONCILED_WITHIN_MS, boundMs + RECONCILED_WITHIN_MS));
    // A fill of this very moment may be on its way: only what both looks find is a difference.
    const still = unlike(harness).filter((what) => differs.includes(what));
    if (still.length > 0) run.violations.push({ id: "calm", what: `10 s after the faults: ${still.join("; ")}` });
  }
  const beganMs = harness.clock.nowMs();
  let wellMs: number | null = null;
  const isWell = (): boolean => {
    const { done } = calmProblems(harness, run.agentRun, plan).next();
    if (done === true) wellMs = harness.clock.nowMs();
    return done === true;
  };
  // Who was asked to wait begins to prove an absence only after that. Fault R6.
  const sinceMs = Math.max(beganMs, ...run.bound.map(({ toMs }) => toMs));
  const lasted = (): number => harness.clock.nowMs() - sinceMs;
  // Where all is well there is nothing to wait for.
  while (lasted() < plan.calmMs - RECONCILED_WITHIN_MS && (plan.staysCalm || !isWell())) await live(run, 1_000);
  while (lasted() < MODEL_TAKES_MS && asks(run.agentRun)) await live(run, 1_000);
  if (wellMs === harness.clock.nowMs()) return;
  const found = [...calmProblems(harness, run.agentRun, plan)];
  if (found.length === 0) return;
  // A stop that fires at this very moment may not have been reported yet: only what both looks find is a problem.
  await live(run, 2 * plan.latencyMs + SLICE_MS);
  for (const what of calmProblems(harness, run.agentRun, plan))
    if (found.includes(what)) run.violations.push({ id: "calm", what });
}

/**
 * A promise that lost a race has no listener, and the desk treats anything that a write throws as an unknown outcome.
 */
const MAY_END_QUIETLY: ReadonlySet<CallbackClass> = new Set(["sleep", "answer"]);

/** An exception that was thrown ended the process; one that no callback came for is called off. Fault P7. */
function heardOfThrow({ startled, agentRun, violations }: Run): void {
  if (!startled || MAY_END_QUIETLY.has(startled.callback)) return void agentRun?.plantException(null);
  if (startled.agentRun !== agentRun || agentRun.plantException(null) !== null || agentRun.fatal() !== null) return;
  violations.push({ id: "P7", what: `nobody heard of an exception in a callback: ${startled.callback}` });
}

/** A question to the model whose end no row reports. */
function asks(agentRun: AgentRun | null): boolean {
  const rows = agentRun?.journal.rows({ kinds: ["model-reserve", "model-settle"], newest: true, limit: 200 }) ?? [];
  const entries = rows.flatMap((row) => readEntry(row) ?? []);
  const idsOf = (kind: string): readonly string[] =>
    entries.filter((entry) => entry.kind === kind).map(({ body }) => body.attemptId);
  const ended = new Set(idsOf("model-settle"));
  return idsOf("model-reserve").some((id) => !ended.has(id));
}

async function end(run: Run): Promise<History> {
  const { harness, agentRun } = run;
  let stopped = agentRun === null;
  void agentRun?.stop("the seed ends").then(
    () => (stopped = true),
    (cause: unknown) => {
      if (!(cause instanceof PlantedException)) run.violations.push({ id: "stop", what: String(cause) });
      stopped = true;
    },
  );
  for (let waited = 0; !stopped && waited < 60_000; waited += 100) await harness.clock.advance(100);
  if (!stopped) run.violations.push({ id: "stop", what: "it did not stop within a minute" });
  agentRun?.kill();
  const lost = run.losses.filter(({ fromSeq }) => fromSeq === 1).flatMap(({ rows }) => rows);
  const history = await gather(harness, null, lost);
  await harness.close();
  return history;
}

/** Rejections that nobody handles end the daemon; what a dead process leaves behind is no concern of anybody. */
function watchRejections(running: () => AgentRun | null): { all(): readonly Violation[]; stop(): void } {
  const found: Violation[] = [];
  const note = (cause: unknown): void => {
    if (cause instanceof Death) return;
    if (cause instanceof PlantedException) return running()?.unhandled(cause);
    found.push({ id: "rejection", what: messageOf(cause) });
  };
  process.on("unhandledRejection", note);
  return { all: () => found, stop: () => void process.off("unhandledRejection", note) };
}
