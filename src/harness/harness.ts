/**
 * The whole agent against the whole simulated service in one process on virtual time: the base of backtests and fault
 * simulation. The same seed and configuration give the same journal, byte for byte.
 */
import { mkdirSync } from "node:fs";
import { type Clock, systemClock } from "../core/clock.ts";
import type { Result } from "../core/result.ts";
import { type VirtualClock, virtualClock } from "../core/virtual-clock.ts";
import { DEFAULT_EXCHANGES } from "../domain/symbol.ts";
import { type InProcessService, startInProcess } from "../sim/service.ts";
import { embeddedOptions } from "../daemon/venue-access.ts";
import type { AgentRun } from "./agent-run.ts";
import type { CrashToken } from "./crash.ts";
import { rememberedLimiters } from "./remembered-limiter.ts";
import { begin, envOf } from "./start-agent.ts";
import type { HarnessOptions, HarnessModels } from "./harness-options.ts";

export type { AgentRun } from "./agent-run.ts";
export type { HarnessOptions, HarnessModels } from "./harness-options.ts";

export interface Harness {
  readonly clock: VirtualClock;
  readonly venue: InProcessService;
  readonly dataDir: string;
  /**
   * Starts the agent, again after a stop or a crash. The error says what is wrong with the configuration, or is
   * `DIED_AT_START` if the crash token struck during the start.
   */
  start(crash?: CrashToken): Promise<Result<AgentRun, string>>;
  /** Sets the clock of the agent's machine; the venue's clock is unaffected. */
  stepWall(ms: number): void;
  /** Calls the service's control port, as an operator of the venue would. Resolves as the clock advances. */
  control(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<unknown>;
  /** Stops the service. Stop or kill the agent first. */
  close(): Promise<void>;
}

/** Waits until nothing is left to run at this instant, including disk reads and parsing. */
const untilIdle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function untilAnswered({ awaited }: HarnessModels): Promise<void> {
  await untilIdle();
  for (let answers = awaited(); answers !== null; answers = awaited()) {
    await answers;
    await untilIdle();
  }
}

const DEFAULT_LATENCY_MS = 20;

export function createHarness(options: HarnessOptions): Harness {
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
    ...(options.stepMs === undefined ? {} : { stepMs: options.stepMs }),
  });
  mkdirSync(dataDir, { recursive: true });
  const limiters = rememberedLimiters();
  let runs = 0;
  let wrongMs = 0;
  const machine: Clock = { ...clock, nowMs: () => clock.nowMs() + wrongMs };
  return {
    clock,
    venue,
    dataDir,
    start: (crash) =>
      begin({ ...options, exchanges }, { clock: machine, venue, limiters, name: `agent:${seed}:${runs++}`, crash }),
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

/** Real milliseconds since its creation, for reports. */
export const stopwatch = (): (() => number) => {
  const clock = systemClock();
  const startedMs = clock.monotonicMs();
  return () => clock.monotonicMs() - startedMs;
};
