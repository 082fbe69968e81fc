/** One start of the agent in the harness: the parts of the daemon on virtual time, until they stop or die. */
import type { Strategies } from "../agent/contract/events.ts";
import type { Environment } from "../control/environment.ts";
import { loadSources, type PlannedSource } from "../control/sources.ts";
import { loadStrategies } from "../control/strategies.ts";
import { type Clock, steadyClock } from "../core/clock.ts";
import { seededEntropy } from "../core/entropy.ts";
import { type Env, timedIds } from "../core/ids.ts";
import { type Log, silentLog } from "../core/log.ts";
import { err, ok, type Result } from "../core/result.ts";
import { Secret } from "../core/secret.ts";
import { startLifecycle, TICK_MS } from "../daemon/lifecycle.ts";
import { beginPast } from "../daemon/past.ts";
import { plug } from "../daemon/plug.ts";
import { simulatedAt, type VenueAccess } from "../daemon/venue-access.ts";
import { watchHealth } from "../daemon/watch-health.ts";
import { JournalError } from "../journal/error.ts";
import { type Journal, openJournal } from "../journal/journal.ts";
import { openPageStore, pagesDir } from "../journal/page-store.ts";
import { loadPrompts } from "../llm/prompts/prompts.ts";
import type { DiskFacts } from "../ops/disk-watch.ts";
import { OWN_PROMPTS_DIR, PROMPTS_DIR } from "../ops/paths.ts";
import { journalPath } from "../ops/run-file.ts";
import type { InProcessService } from "../sim/service.ts";
import { crashingJournal, type CrashToken, Death } from "./crash.ts";
import { type CrashableProcess, crashableProcess } from "./crashable-process.ts";
import type { HarnessOptions } from "./harness-options.ts";
import { type AgentRun, agentRunOf } from "./agent-run.ts";
import { relaxedDisk } from "./relaxed-disk.ts";
import type { LimiterMaker } from "./remembered-limiter.ts";
import { hashedPages, untimed } from "./untimed.ts";

const DIED_AT_START = "it crashed during its start";

/** The figures of a nearly empty disk. */
const ROOM_ENOUGH: DiskFacts = { usedShare: 0.1, freeBytes: 1e12, walBytes: 0 };

/** Process ids differ from run to run; simulated runs must not. */
const PID = 1;

/** Each named machine draws its own numbers. */
export function envOf(clock: Clock, name: string): Env {
  const entropy = seededEntropy(name);
  return { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy.fork("ids")) };
}

interface Place {
  readonly clock: Clock;
  readonly venue: InProcessService;
  readonly limiters: LimiterMaker;
  readonly name: string;
  readonly crash: CrashToken | undefined;
}

type Options = HarnessOptions & { readonly exchanges: readonly string[] };

/** The error is about the configuration, or says that the crash token struck during the start. */
export async function begin(options: Options, at: Place): Promise<Result<AgentRun, string>> {
  // A lazy import would complete at a real time, and only in the first run of a process.
  await import("../core/tokens.ts");
  const prompts = promptLibrary();
  if (!prompts.ok) return err(prompts.error);
  const sources = await loadSources(options.config);
  if (!sources.ok) return err(sources.error);
  const loaded = options.strategies ? ok(options.strategies) : await loadStrategies(options.config);
  if (!loaded.ok) return err(loaded.error);
  const strategies = untimed(loaded.value);
  const failure: Failure = { cause: null };
  const onFatal = (cause: unknown): void => {
    if (life.alive()) failure.cause ??= cause;
  };
  const life = crashableProcess(at.clock, at.venue.network, onFatal);
  const network = options.compressed === true ? { ...life.network, compressed: true } : life.network;
  const env = { ...envOf(steadyClock(life.clock), at.name), network };
  const runId = env.ids.next("b").slice(2);
  const path = journalPath(options.dataDir);
  let own: Journal | null = null;
  try {
    own = openJournal({ path, env, runId, pid: PID, disk: options.disk ?? relaxedDisk });
    const known = { prompts: prompts.value, strategies, sources: sources.value };
    return ok(live({ options, at, life, own, env, runId, ...known, failure, onFatal }));
  } catch (cause) {
    // A disk that refuses a row fails the start like any other crash: the supervisor tries again.
    const disk = cause instanceof JournalError && (cause.fault !== null || cause.kind === "closed");
    if (!disk && !(cause instanceof Death)) throw cause;
    life.kill();
    own?.close();
    return err(DIED_AT_START);
  }
}

/** What ended a process from inside. */
interface Failure {
  cause: unknown;
}

interface Parts {
  readonly options: Options;
  readonly at: Place;
  readonly life: CrashableProcess;
  readonly own: Journal;
  readonly env: Env & { readonly network: CrashableProcess["network"] };
  readonly runId: string;
  readonly prompts: Parameters<typeof plug>[2];
  readonly strategies: Strategies;
  readonly sources: readonly PlannedSource[];
  readonly failure: Failure;
  onFatal(cause: unknown): void;
}

function live({ options, at, life, own, env, runId, prompts, strategies, sources, failure, onFatal }: Parts): AgentRun {
  const { config, dataDir, exchanges } = options;
  let close = (): void => undefined;
  const die = (): void => {
    life.kill();
    close();
  };
  const journal = crashingJournal(own, { token: at.crash ?? null, alive: life.alive, die });
  const log: Log = { event: (...reported) => (life.alive() ? options.log : silentLog).event(...reported) };
  const access = accessOf(at.venue, options.history === true);
  const { aiUrl, aiKey } = access;
  const environment: Environment = { service: access, missing: [], aiUrl, aiKey, exchanges, dataDir };
  const setup = {
    file: "rehearsal",
    strategyFlag: undefined,
    environment,
    config,
    strategies,
    sources,
    sourceReadMsMax: Infinity,
    kind: "embedded" as const,
    env,
    log,
    runId,
    pid: PID,
    journal,
    ...(options.models ? { chat: options.models.client(env.clock) } : {}),
    pages: options.keepPages === true ? openPageStore(pagesDir(dataDir), { atOnce: true }) : hashedPages,
    limiter: at.limiters(env.clock),
  };
  const running = plug(setup, access, prompts, onFatal);
  close = () => running.loop.close();
  const endPast = options.history === true ? beginPast(running) : (): void => undefined;
  const lifecycle = startLifecycle(env.clock, running, Math.max(TICK_MS, options.stepMs ?? 0));
  const { feed } = lifecycle;
  const endHealthWatch =
    options.healthWatch === true
      ? watchHealth({
          ...{ clock: env.clock, log, journal, config, feed, dataDir, journalFile: journalPath(dataDir) },
          ...{ venue: running.venue.client, onFatal, disk: () => ROOM_ENOUGH },
        })
      : (): void => undefined;
  return agentRunOf({
    endHealthWatch: () => {
      endHealthWatch();
      endPast();
    },
    running,
    journal,
    log,
    own,
    lifecycle,
    life,
    die,
    fatal: () => failure.cause,
    onFatal,
  });
}

let library: ReturnType<typeof loadPrompts> | null = null;

/** Read once: prompts do not change while the process runs. */
const promptLibrary = (): ReturnType<typeof loadPrompts> => (library ??= loadPrompts(PROMPTS_DIR, OWN_PROMPTS_DIR));

function accessOf({ ready, past }: InProcessService, history: boolean): VenueAccess {
  return {
    ...simulatedAt(ready),
    aiUrl: ready.aiUrl,
    aiKey: new Secret(ready.aiKey),
    sim: null,
    past: history ? past : null,
    about: "the simulated service on virtual time",
  };
}
