/**
 * The whole agent against the whole simulated service in one process on virtual time: the base of backtests and fault
 * simulation. The same seed and configuration give the same journal, byte for byte.
 */
import { mkdirSync } from "node:fs";
import type { Strategies } from "../agent/contract/events.ts";
import type { Config } from "../config/config.ts";
import { type Clock, systemClock, steadyClock } from "../core/clock.ts";
import { seededEntropy } from "../core/entropy.ts";
import { type Env, timedIds } from "../core/ids.ts";
import { type Log, silentLog } from "../core/log.ts";
import { err, ok, type Result } from "../core/result.ts";
import { Secret } from "../core/secret.ts";
import { type VirtualClock, virtualClock } from "../core/virtual-clock.ts";
import type { JournalDisk } from "../journal/committer.ts";
import { JournalError } from "../journal/error.ts";
import { type Journal, openJournal } from "../journal/journal.ts";
import { openPageStore, pagesDir } from "../journal/page-store.ts";
import type { ChatClient } from "../llm/chat.ts";
import { loadPrompts } from "../llm/prompts.ts";
import { DEFAULT_EXCHANGES } from "../domain/symbol.ts";
import type { HostedOptions } from "../sim/options.ts";
import { type InProcessService, startInProcess } from "../sim/service.ts";
import type { DiskFacts } from "../ops/disk-watch.ts";
import type { Environment } from "../control/environment.ts";
import { watchHealth } from "../daemon/watch-health.ts";
import { beginLife, TICK_MS } from "../daemon/lifecycle.ts";
import { OWN_PROMPTS_DIR, PROMPTS_DIR } from "../ops/paths.ts";
import { plug } from "../daemon/plug.ts";
import { journalPath } from "../ops/run-file.ts";
import { loadSources, type PlannedSource } from "../control/sources.ts";
import { loadStrategies } from "../control/strategies.ts";
import { beginPast } from "../daemon/past.ts";
import { embeddedOptions, simulatedAt, type VenueAccess } from "../daemon/venue-access.ts";
import { type Boot, bootOf } from "./rehearsed-run.ts";
import { type CrashToken, Death, crashingJournal } from "./crash.ts";
import { type CrashableProcess, crashableProcess } from "./crashable-process.ts";
import { type LimiterMaker, rememberedLimiters } from "./remembered-limiter.ts";
import { relaxedDisk } from "./relaxed-disk.ts";
import { hashedPages, untimed } from "./untimed.ts";

export type { Boot } from "./rehearsed-run.ts";

export interface RehearsalOptions {
  readonly config: Config;
  readonly seed: number | string;
  /** Epoch ms at which the clock starts. */
  readonly startMs: number;
  /** An empty folder for the agent's data. */
  readonly dataDir: string;
  readonly log: Log;
  readonly exchanges?: readonly string[];
  /** The delay from the agent to the venue, and back again. Default 20 ms. */
  readonly latencyMs?: number;
  /**
   * The interval of market steps and of the agent's ticks, ms. By default both are as in real operation (100 and 250
   * ms); a few seconds make weeks affordable.
   */
  readonly beatMs?: number;
  /** Compresses market frames as over a port: for faults that damage the compressed form. */
  readonly compressed?: boolean;
  /** Settings of the service that the configuration does not have. */
  readonly venue?: Partial<HostedOptions>;
  /** Default: a disk without durable writes. */
  readonly disk?: JournalDisk;
  /** Keeps the decision pages beside the journal, as the daemon does. By default they are only named and hashed. */
  readonly keepPages?: boolean;
  /** The agent loads the market's history, as the daemon does. By default it begins with none. */
  readonly history?: boolean;
  /** Replaces the configured strategies. */
  readonly strategies?: Strategies;
  /** Answers the questions to models; default: the practice model of the service. */
  readonly models?: RehearsedModels;
  /** The health monitor as the daemon runs it: self-tests, faults of the journal, the venue's records against ours. */
  readonly house?: boolean;
}

/** Models elsewhere. Real time may pass until they answer; virtual time stands still meanwhile. */
export interface RehearsedModels {
  client(clock: Clock): ChatClient;
  /** Settles with the answers that are awaited; null if none is. */
  awaited(): Promise<unknown> | null;
}

export interface Rehearsal {
  readonly clock: VirtualClock;
  readonly venue: InProcessService;
  readonly dataDir: string;
  /**
   * Starts the agent, again after a stop or a crash. The error says what is wrong with the configuration, or is
   * `DIED_AT_START` if the crash token struck during the start.
   */
  boot(crash?: CrashToken): Promise<Result<Boot, string>>;
  /** Sets the clock of the agent's machine; the venue's clock is unaffected. */
  stepWall(ms: number): void;
  /** Calls the service's control port, as an operator of the venue would. Resolves as the clock advances. */
  control(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<unknown>;
  /** Stops the service. Stop or kill the agent first. */
  close(): Promise<void>;
}

const DIED_AT_START = "it crashed during its start";

/** Waits until nothing is left to run at this instant, including disk reads and parsing. */
const untilIdle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function untilAnswered({ awaited }: RehearsedModels): Promise<void> {
  await untilIdle();
  for (let answers = awaited(); answers !== null; answers = awaited()) {
    await answers;
    await untilIdle();
  }
}

const DEFAULT_LATENCY_MS = 20;
/** The figures of a nearly empty disk. */
const ROOM_ENOUGH: DiskFacts = { usedShare: 0.1, freeBytes: 1e12, walBytes: 0 };
/** Process ids differ from run to run; rehearsals must not. */
const PID = 1;

export function rehearse(options: RehearsalOptions): Rehearsal {
  const { seed, log, config, dataDir, models, exchanges = DEFAULT_EXCHANGES } = options;
  const clock = virtualClock(options.startMs, models ? () => untilAnswered(models) : untilIdle);
  const latencyMs = options.latencyMs ?? DEFAULT_LATENCY_MS;
  const venue = startInProcess({
    ...embeddedOptions(config, exchanges),
    seed,
    ...options.venue,
    env: envOf(clock, `venue:${seed}`),
    log,
    latencyMs,
    ...(options.beatMs === undefined ? {} : { beatMs: options.beatMs }),
  });
  mkdirSync(dataDir, { recursive: true });
  const limiters = rememberedLimiters();
  let boots = 0;
  let wrongMs = 0;
  const machine: Clock = { ...clock, nowMs: () => clock.nowMs() + wrongMs };
  return {
    clock,
    venue,
    dataDir,
    boot: (crash) =>
      begin({ ...options, exchanges }, { clock: machine, venue, limiters, name: `agent:${seed}:${boots++}`, crash }),
    stepWall: (ms) => {
      wrongMs += ms;
    },
    control: (method, path, body) => control(venue, { method, path, body }),
    close: () => venue.stop(),
  };
}

async function control(
  { network, ready }: InProcessService,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: unknown },
): Promise<unknown> {
  const url = new URL(path, ready.controlUrl).href;
  const end = await network.call(url, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (end.kind !== "answered" || end.reply.status !== 200)
    throw new Error(`${method} ${path}: ${end.kind === "cut" ? "cut" : end.reply.body.slice(0, 300)}`);
  return JSON.parse(end.reply.body);
}

function envOf(clock: Clock, name: string): Env {
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

type Options = RehearsalOptions & { readonly exchanges: readonly string[] };

async function begin(options: Options, at: Place): Promise<Result<Boot, string>> {
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
  const boot = env.ids.next("b").slice(2);
  const path = journalPath(options.dataDir);
  let own: Journal | null = null;
  try {
    own = openJournal({ path, env, boot, pid: PID, disk: options.disk ?? relaxedDisk });
    const known = { prompts: prompts.value, strategies, sources: sources.value };
    return ok(live({ options, at, life, own, env, boot, ...known, failure, onFatal }));
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
  readonly boot: string;
  readonly prompts: Parameters<typeof plug>[2];
  readonly strategies: Strategies;
  readonly sources: readonly PlannedSource[];
  readonly failure: Failure;
  onFatal(cause: unknown): void;
}

function live({ options, at, life, own, env, boot, prompts, strategies, sources, failure, onFatal }: Parts): Boot {
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
    boot,
    pid: PID,
    journal,
    ...(options.models ? { chat: options.models.client(env.clock) } : {}),
    pages: options.keepPages === true ? openPageStore(pagesDir(dataDir), { atOnce: true }) : hashedPages,
    limiter: at.limiters(env.clock),
  };
  const running = plug(setup, access, prompts, onFatal);
  close = () => running.loop.close();
  const endPast = options.history === true ? beginPast(running) : (): void => undefined;
  const beating = beginLife(env.clock, running, Math.max(TICK_MS, options.beatMs ?? 0));
  const { feed } = beating;
  const endHealthWatch =
    options.house === true
      ? watchHealth({
          ...{ clock: env.clock, log, journal, config, feed, dataDir, journalFile: journalPath(dataDir) },
          ...{ venue: running.venue.client, onFatal, disk: () => ROOM_ENOUGH },
        })
      : (): void => undefined;
  return bootOf({
    endHealthWatch: () => {
      endHealthWatch();
      endPast();
    },
    running,
    journal,
    log,
    own,
    beating,
    life,
    die,
    fatal: () => failure.cause,
    onFatal,
  });
}

let library: ReturnType<typeof loadPrompts> | null = null;
/** Read once: prompts do not change during a rehearsal. */
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

/** Real milliseconds since its creation, for reports. */
export const stopwatch = (): (() => number) => {
  const clock = systemClock();
  const startedMs = clock.monotonicMs();
  return () => clock.monotonicMs() - startedMs;
};
