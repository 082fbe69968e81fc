/** One seed from the first boot to the last check: unrest with faults and deaths, then calm in which all must mend. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Log, silentLog } from "../../src/core/log.ts";
import { readSpendRow } from "../../src/llm/spend-rows.ts";
import type { CrashToken } from "../../src/main/rehearsal/crash.ts";
import { forgetfulDisk } from "../../src/main/rehearsal/relaxed-disk.ts";
import { type Boot, rehearse, type Rehearsal, stopwatch } from "../../src/main/rehearsal/rehearsal.ts";
import { loadStrategies } from "../../src/main/strategies.ts";
import { accountOfSeed } from "../../src/sim/servers/accounts.ts";
import type { History } from "../../src/verify/history.ts";
import { calmProblems, unlike } from "./calm.ts";
import { judged, type Span, type Violation } from "./judge.ts";
import { gather } from "./gather.ts";
import { HUNDRED_USDT } from "./menu.ts";
import type { Happening, Plan } from "./plan.ts";
import { type DiskTrouble, troubledDisk } from "./troubled-disk.ts";
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
  readonly tookMs: number;
  readonly history: History;
}

const START_MS = Date.UTC(2026, 0, 5, 9, 30);
const SLICE_MS = 250;
const WARM_MS = 14_000;
/** Promised for J = V after the venue answers again, and for a stop on every position. Invariants I26, I9. */
const RECONCILED_WITHIN_MS = 10_000;
const PROTECTED_WITHIN_MS = 15_000;
/** A model may take as long as this, and a question that was asked must end. Invariant I20. */
const MODEL_TAKES_MS = 105_000;

const BROKEN_DISK = "the disk is broken";

type Crash = Extract<Happening, { what: "crash" }>;

/** Everything that one run changes. */
interface Run {
  readonly plan: Plan;
  readonly rehearsal: Rehearsal;
  readonly unruly: Restless;
  boot: Boot | null;
  /** On its way down in good order. */
  stopping: Boot | null;
  lives: number;
  /** The token of the running life. */
  token: { append: number; when: CrashToken["when"] } | null;
  bootAtMs: number;
  downMs: number;
  diskTrouble: DiskTrouble | null;
  readonly frozen: Span[];
  wrongMs: number;
  wrongByMs: number;
  faults: number;
  deaths: number;
  readonly violations: Violation[];
}

export async function runPlan(plan: Plan, log: Log = silentLog): Promise<Outcome> {
  const elapsed = stopwatch();
  const dataDir = mkdtempSync(join(tmpdir(), "ballast-seed-"));
  const found = watchRejections();
  try {
    const run = begin(plan, { dataDir, log, unruly: await unrulyOf(plan) });
    await unrest(run);
    await calm(run);
    const history = await end(run);
    const violations = [
      ...run.violations,
      ...found.all(),
      ...judged(history, { startMs: START_MS, frozen: run.frozen, wrongByMs: run.wrongByMs }),
    ];
    return {
      violations,
      hash: history.rows.at(-1)?.hash ?? "",
      rows: history.rows.length,
      faults: run.faults,
      deaths: run.deaths,
      writes: history.wire?.length ?? 0,
      fills: history.venue?.filter(({ fact }) => fact === "execution").length ?? 0,
      tookMs: elapsed(),
      history,
    };
  } finally {
    found.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

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
  const rehearsal = rehearse({
    config: configOf(plan),
    seed: plan.seed,
    startMs: START_MS,
    dataDir,
    log,
    latencyMs: plan.latencyMs,
    disk: troubledDisk(forgetfulDisk(), () => run.diskTrouble),
    house: true,
    exchanges: ["EXCHANGE_A"],
    venue: {
      venueLog: true,
      beatMs: 500,
      accounts: [{ ...accountOfSeed(plan.seed), mode: plan.mode }],
      settings: {
        duplicatePolicy: plan.policy,
        placeDelayMs: placeMs,
        cancelDelayMs: cancelMs,
        amendDelayMs: amendMs,
      },
    },
    strategies: unruly.strategies,
  });
  const run: Run = {
    plan,
    rehearsal,
    unruly,
    boot: null,
    stopping: null,
    lives: 0,
    token: null,
    bootAtMs: 0,
    downMs: 500,
    diskTrouble: null,
    frozen: [],
    wrongMs: 0,
    wrongByMs: 0,
    faults: 0,
    deaths: 0,
    violations: [],
  };
  return run;
}

async function unrest(run: Run): Promise<void> {
  const { plan, rehearsal } = run;
  const { clock } = rehearsal;
  await clock.advance(600);
  await prepare(run);
  await live(run, plan.start === "crashed" ? WARM_MS : 1_000);
  if (plan.start === "crashed") die(run, 1_000);
  for (const happening of plan.happenings) schedule(run, happening);
  await live(run, plan.unrestMs);
}

/** What the account holds before the agent first sees it. */
async function prepare({ plan, rehearsal }: Run): Promise<void> {
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
    void rehearsal.control("POST", "/control/faults", { name: "external-order", params: order, for: "1s" });
  }
  await rehearsal.clock.advance(1_200);
}

function schedule(run: Run, happening: Happening): void {
  const { rehearsal, plan } = run;
  const { clock } = rehearsal;
  switch (happening.what) {
    case "fault":
      clock.after(happening.atMs, () => {
        run.faults += 1;
        const { name } = happening;
        const forMs = Math.min(happening.forMs, plan.unrestMs - happening.atMs);
        const params = inMode(happening, plan);
        rehearsal
          .control("POST", "/control/faults", { name, params, for: `${Math.max(1, forMs)}ms` })
          .catch((cause: unknown) => run.violations.push({ id: "harness", what: String(cause) }));
      });
      return;
    case "kill":
      clock.after(happening.atMs, () => die(run, happening.downMs));
      return;
    case "restart":
      clock.after(happening.atMs, () => restart(run, happening.downMs));
      return;
    case "freeze":
      clock.after(happening.atMs, () => freeze(run, Math.min(happening.forMs, plan.unrestMs - happening.atMs)));
      return;
    case "step":
      clock.after(happening.atMs, () => {
        rehearsal.stepWall(happening.byMs);
        run.wrongMs += happening.byMs;
        run.wrongByMs = Math.max(run.wrongByMs, Math.abs(run.wrongMs));
      });
      return;
    case "disk":
      clock.after(happening.atMs, () => {
        run.diskTrouble = happening.trouble;
        run.faults += 1;
      });
      clock.after(Math.min(happening.atMs + happening.forMs, plan.unrestMs), () => {
        run.diskTrouble = null;
      });
      return;
    case "operator":
      clock.after(happening.atMs, () => run.boot?.operator(happening.command));
      return;
    case "crash":
      return;
  }
}

function freeze(run: Run, forMs: number): void {
  const { boot } = run;
  const { clock } = run.rehearsal;
  if (!boot) return;
  run.faults += 1;
  boot.freeze();
  run.frozen.push({ fromMs: clock.nowMs(), toMs: clock.nowMs() + forMs });
  clock.after(forMs, () => boot.thaw());
}

const inMode = ({ name, params }: { name: string; params: Readonly<Record<string, unknown>> }, plan: Plan) =>
  name === "external-order" && plan.mode === "NET" ? { ...params, positionSide: "NONE" } : params;

function die(run: Run, downMs: number): void {
  if (!run.boot) return;
  run.deaths += 1;
  run.boot.kill();
  down(run, downMs);
}

function down(run: Run, downMs: number): void {
  run.boot = null;
  run.bootAtMs = run.rehearsal.clock.nowMs() + downMs;
}

function restart(run: Run, downMs: number): void {
  const { boot } = run;
  if (!boot) return;
  run.boot = null;
  run.stopping = boot;
  void boot
    .stop("a restart")
    .catch((cause: unknown) => {
      if (boot.alive()) run.violations.push({ id: "stop", what: String(cause) });
    })
    .then(() => {
      boot.kill();
      run.stopping = null;
      down(run, downMs);
    });
}

const crashOf = (run: Run, life: number): Crash | undefined =>
  run.plan.happenings.find((each): each is Crash => each.what === "crash" && each.life === life);

/** Lets time pass and plays the supervisor: what is dead is buried and, after a while, started again. */
async function live(run: Run, ms: number): Promise<void> {
  const { clock } = run.rehearsal;
  const untilMs = clock.nowMs() + ms;
  while (clock.nowMs() < untilMs) {
    await supervise(run);
    await clock.advance(Math.min(SLICE_MS, untilMs - clock.nowMs()));
  }
}

async function supervise(run: Run): Promise<void> {
  const { boot, stopping } = run;
  if (stopping && !stopping.alive()) {
    stopping.kill();
    run.stopping = null;
    down(run, run.downMs);
  }
  if (boot && !boot.alive()) die(run, run.downMs);
  else if (boot && boot.fatal() !== null) {
    const what = messageOf(boot.fatal());
    // Nothing can be written down any more: to end is what it ought to do. Fault D2.
    if (!what.includes(BROKEN_DISK)) run.violations.push({ id: "fatal", what });
    die(run, 1_000);
  }
  if (run.boot || run.stopping || run.rehearsal.clock.nowMs() < run.bootAtMs) return;
  const crash = crashOf(run, run.lives++);
  run.token = crash ? { ...crash.token } : null;
  run.downMs = crash?.downMs ?? 500;
  const begun = await run.rehearsal.boot(run.token ?? undefined);
  if (begun.ok) run.boot = begun.value;
  else {
    run.deaths += 1;
    down(run, run.downMs);
  }
}

const messageOf = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message).split("\n").slice(0, 4).join(" ") : String(cause);

async function calm(run: Run): Promise<void> {
  const { plan, rehearsal } = run;
  run.unruly.rest();
  if (run.token) run.token.append = Infinity;
  void rehearsal.control("DELETE", "/control/faults", {});
  await live(run, 2 * plan.latencyMs + 50);
  while (run.stopping) await live(run, SLICE_MS);
  if (!run.boot) {
    run.bootAtMs = Math.min(run.bootAtMs, rehearsal.clock.nowMs());
    await live(run, 50);
  }
  if (plan.resumes) run.boot?.operator("resume");
  await live(run, RECONCILED_WITHIN_MS);
  const differs = unlike(rehearsal);
  if (differs.length > 0) {
    await live(run, PROTECTED_WITHIN_MS - RECONCILED_WITHIN_MS);
    // A fill of this very moment may be on its way; two looks that both differ are a difference.
    if (unlike(rehearsal).length > 0)
      run.violations.push({ id: "calm", what: `10 s after the faults: ${differs.join("; ")}` });
  }
  const beganMs = rehearsal.clock.nowMs();
  const problems = (): readonly string[] => calmProblems(rehearsal, run.boot, plan);
  const lasted = (): number => rehearsal.clock.nowMs() - beganMs;
  // Where all is well there is nothing to wait for.
  while (lasted() < plan.calmMs - RECONCILED_WITHIN_MS && (plan.staysCalm || problems().length > 0))
    await live(run, 1_000);
  while (lasted() < MODEL_TAKES_MS && asks(run.boot)) await live(run, 1_000);
  run.violations.push(...problems().map((what) => ({ id: "calm", what })));
}

/** A question to the model whose end no row tells. */
function asks(boot: Boot | null): boolean {
  const rows = boot?.journal.rows({ kinds: ["model-reserve", "model-settle"], newest: true, limit: 200 }) ?? [];
  const entries = rows.flatMap((row) => readSpendRow(row) ?? []);
  const idsOf = (kind: string): readonly string[] =>
    entries.filter((entry) => entry.kind === kind).map(({ body }) => body.attemptId);
  const ended = new Set(idsOf("model-settle"));
  return idsOf("model-reserve").some((id) => !ended.has(id));
}

async function end(run: Run): Promise<History> {
  const { rehearsal, boot } = run;
  let stopped = boot === null;
  void boot?.stop("the seed ends").then(
    () => (stopped = true),
    (cause: unknown) => {
      run.violations.push({ id: "stop", what: String(cause) });
      stopped = true;
    },
  );
  for (let waited = 0; !stopped && waited < 60_000; waited += 100) await rehearsal.clock.advance(100);
  if (!stopped) run.violations.push({ id: "stop", what: "it did not stop within a minute" });
  boot?.kill();
  const history = await gather(rehearsal, null);
  await rehearsal.close();
  return history;
}

/** Rejections that nobody handles end the daemon; what a dead process leaves behind is no concern of anybody. */
function watchRejections(): { all(): readonly Violation[]; stop(): void } {
  const found: Violation[] = [];
  const note = (cause: unknown): void => {
    if (!(cause instanceof Error && cause.name === "Death")) found.push({ id: "rejection", what: messageOf(cause) });
  };
  process.on("unhandledRejection", note);
  return { all: () => found, stop: () => void process.off("unhandledRejection", note) };
}
