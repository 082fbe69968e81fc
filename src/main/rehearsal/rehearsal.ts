/**
 * The whole agent against the whole simulated service in one process on virtual time: what backtests and fault simulation
 * stand on. Same seed, same configuration: the same journal, byte for byte.
 */
import { mkdirSync } from "node:fs";
import type { Config } from "../../config.ts";
import { type Clock, systemClock } from "../../core/clock.ts";
import { seededEntropy } from "../../core/entropy.ts";
import type { Env } from "../../core/env.ts";
import { timedIds } from "../../core/ids.ts";
import type { Log } from "../../core/log.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { Secret } from "../../core/secret.ts";
import { type VirtualClock, virtualClock } from "../../core/virtual-clock.ts";
import type { JournalDisk } from "../../journal/committer.ts";
import { type Journal, openJournal } from "../../journal/journal.ts";
import { loadPrompts } from "../../llm/prompts.ts";
import type { HostedOptions } from "../../sim/options.ts";
import { type InProcessService, startInProcess } from "../../sim/service.ts";
import type { Environment } from "../environment.ts";
import { beginLife, type Life, TICK_MS } from "../life.ts";
import { PROMPTS_DIR } from "../places.ts";
import { plug, type Running } from "../plug.ts";
import { journalPath } from "../run-file.ts";
import { loadStrategies } from "../strategies.ts";
import { embeddedOptions, type VenueAccess } from "../venue-access.ts";
import { mortal } from "./mortal.ts";
import { relaxedDisk } from "./relaxed-disk.ts";

export interface RehearsalOptions {
  readonly config: Config;
  readonly seed: number | string;
  /** Epoch ms at which the clock begins. */
  readonly startMs: number;
  /** An empty folder for the agent's books. */
  readonly dataDir: string;
  readonly log: Log;
  readonly exchanges?: readonly string[];
  /** What anything takes from the agent to the venue, and back again. Default 20 ms. */
  readonly latencyMs?: number;
  /**
   * The market moves and the agent looks every so many milliseconds. When absent both are as in earnest (100 and 250 ms);
   * a few seconds make weeks affordable.
   */
  readonly beatMs?: number;
  /** Changes to the service that the configuration does not tell. */
  readonly venue?: Partial<HostedOptions>;
  /** Default: one that does not wait for the disk. */
  readonly disk?: JournalDisk;
}

/** One run of the agent's process, from start to stop or death. */
export interface Boot {
  readonly running: Running;
  readonly journal: Journal;
  /** What ended it from inside; null while nothing has. */
  fatal(): unknown;
  stop(reason: string): Promise<void>;
  /** Death without a word: nothing is written, connections are cut. */
  kill(): void;
}

export interface Rehearsal {
  readonly clock: VirtualClock;
  readonly venue: InProcessService;
  readonly dataDir: string;
  /** Starts the agent, anew after a stop or a death. The error says what is wrong with the configuration. */
  boot(): Promise<Result<Boot, string>>;
  /** Ends the service. Stop or kill the agent first. */
  close(): Promise<void>;
}

/** Until nothing is left to run at this instant, reading from the disk and parsing included. */
const untilIdle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const DEFAULT_LATENCY_MS = 20;

export function rehearse(options: RehearsalOptions): Rehearsal {
  const clock = virtualClock(options.startMs, untilIdle);
  const { seed, log, config, dataDir, exchanges = ["EXCHANGE_A", "EXCHANGE_B"] } = options;
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
  let boots = 0;
  return {
    clock,
    venue,
    dataDir,
    boot: () => begin({ ...options, exchanges }, { clock, venue, name: `agent:${seed}:${boots++}` }),
    close: () => venue.stop(),
  };
}

function envOf(clock: Clock, name: string): Env {
  const entropy = seededEntropy(name);
  return { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy.fork("ids")) };
}

async function begin(
  options: RehearsalOptions & { readonly exchanges: readonly string[] },
  at: { readonly clock: Clock; readonly venue: InProcessService; readonly name: string },
): Promise<Result<Boot, string>> {
  const { config, log, dataDir, exchanges } = options;
  const life = mortal(at.clock, at.venue.network);
  const env = { ...envOf(life.clock, at.name), network: life.network };
  const prompts = loadPrompts(PROMPTS_DIR);
  if (!prompts.ok) return err(prompts.error);
  const strategies = await loadStrategies(config);
  if (!strategies.ok) return err(strategies.error);
  const bootId = env.ids.next("b").slice(2);
  const journal = openJournal({
    path: journalPath(dataDir),
    env,
    boot: bootId,
    disk: options.disk ?? relaxedDisk,
  });
  const access = accessOf(at.venue);
  const environment: Environment = {
    service: access,
    missing: [],
    aiUrl: access.aiUrl,
    aiKey: access.aiKey,
    exchanges,
    dataDir,
  };
  let fatal: unknown = null;
  const setup = {
    file: "rehearsal",
    strategyFlag: undefined,
    environment,
    config,
    strategies: strategies.value,
    kind: "embedded" as const,
    env,
    log,
    boot: bootId,
    journal,
  };
  const running = plug(setup, access, prompts.value, (cause) => (fatal ??= cause));
  const beating = beginLife(
    env.clock,
    running,
    options.beatMs === undefined ? TICK_MS : Math.max(TICK_MS, options.beatMs),
  );
  return ok(bootOf({ running, journal, beating, kill: life.kill, fatal: () => fatal }));
}

function bootOf(parts: {
  readonly running: Running;
  readonly journal: Journal;
  readonly beating: Life;
  kill(): void;
  fatal(): unknown;
}): Boot {
  const { running, journal, beating } = parts;
  return {
    running,
    journal,
    fatal: parts.fatal,
    stop: async (reason) => {
      await beating.end(reason);
      journal.append("stop", { reason });
      journal.close();
      parts.kill();
    },
    kill: () => {
      parts.kill();
      running.loop.close();
      journal.close();
    },
  };
}

function accessOf({ ready }: InProcessService): VenueAccess {
  return {
    restUrl: ready.restUrl,
    marketWsUrl: ready.marketWsUrl,
    userWsUrl: ready.userWsUrl,
    feedsWsUrl: ready.feedsWsUrl,
    accessKey: new Secret(ready.accessKey),
    secretKey: new Secret(ready.secretKey),
    aiUrl: ready.aiUrl,
    aiKey: new Secret(ready.aiKey),
    sim: null,
    about: "the simulated service on virtual time",
  };
}

/** Real milliseconds that something took, for reports. */
export const stopwatch = (): (() => number) => {
  const clock = systemClock();
  const startedMs = clock.monotonicMs();
  return () => clock.monotonicMs() - startedMs;
};
