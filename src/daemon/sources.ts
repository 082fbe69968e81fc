/**
 * Runs the owner's own sources: points that pass the gate become events and are recorded; others are counted, logged
 * once and named in the status. A faulty source loses its own data and nothing else.
 */
import type { PlannedSource } from "../control/sources.ts";
import type { Log } from "../core/log.ts";
import { isoTime } from "../core/time.ts";
import type { NetEnv } from "../net/network.ts";
import type { Recorder } from "../recorder/recorder.ts";
import type { Source } from "../strategy/source.ts";
import { type GateCounts, type PointRefusal, SourceGate } from "../strategy/source-gate.ts";
import { playedSource } from "./played-source.ts";
import { polledSource } from "./polled-source.ts";
import type { Feed } from "./streams.ts";

/** One source as `ballast status` shows it; times are epoch ms. */
export interface SourceStatus {
  readonly name: string;
  /** The newest point's own time; null before the first. */
  readonly atMs: number | null;
  /** Older than allowed, or without a point. */
  readonly stale: boolean;
  readonly counts: GateCounts;
  readonly faults: number;
  /** Why it has no value now; null while it works. */
  readonly failing: { readonly sinceMs: number; readonly reason: string } | null;
  /** The last refusal of a point; null if all passed. */
  readonly refused: string | null;
}

/** Nothing runs before `start`, and nothing is reported after `stop`. */
export interface Sources {
  start(): void;
  stop(): void;
  status(): readonly SourceStatus[];
}

export interface SourceParts {
  readonly env: NetEnv;
  readonly log: Log;
  readonly feed: Feed;
  readonly recorder: Recorder | null;
}

/** From the configuration. `readMsMax` as in `polledSource`. */
export const plannedSources = (
  planned: readonly PlannedSource[],
  env: NetEnv,
  readMsMax: number | undefined,
): readonly Source[] =>
  planned.map((plan) => (plan.kind === "played" ? playedSource(plan, env.clock) : polledSource(plan, env, readMsMax)));

export function createSources(sources: readonly Source[], parts: SourceParts): Sources {
  const ending = new AbortController();
  const runs = sources.map((source) => new SourceRun(source, parts, ending.signal));
  return {
    start: () => runs.forEach((run) => run.start()),
    stop: () => ending.abort(),
    status: () => runs.map((run) => run.status()),
  };
}

class SourceRun {
  readonly #source: Source;
  readonly #parts: SourceParts;
  readonly #signal: AbortSignal;
  readonly #gate = new SourceGate();
  readonly #logged = new Set<PointRefusal["kind"]>();
  #atMs: number | null = null;
  #faults = 0;
  #failing: SourceStatus["failing"] = null;
  #refused: string | null = null;

  constructor(source: Source, parts: SourceParts, signal: AbortSignal) {
    this.#source = source;
    this.#parts = parts;
    this.#signal = signal;
  }

  start(): void {
    const sink = { points: (points: unknown) => this.#points(points), fault: (reason: string) => this.#fault(reason) };
    try {
      this.#source.start(this.#signal, sink);
    } catch (cause) {
      this.#fault((cause instanceof Error ? cause.message : String(cause)).slice(0, 200));
    }
  }

  status(): SourceStatus {
    const { name, staleAfterMs } = this.#source;
    const nowMs = this.#parts.env.clock.nowMs();
    return {
      name,
      atMs: this.#atMs,
      stale: this.#atMs === null || nowMs - this.#atMs > staleAfterMs,
      counts: this.#gate.counts(),
      faults: this.#faults,
      failing: this.#failing,
      refused: this.#refused,
    };
  }

  #points(reported: unknown): void {
    if (this.#signal.aborted) return;
    const { env, feed, recorder } = this.#parts;
    const nowMs = env.clock.nowMs();
    const { points, refusals } = this.#gate.pass(reported, nowMs);
    for (const refusal of refusals) this.#refuse(refusal);
    const newest = points.at(-1);
    if (newest) {
      const { name } = this.#source;
      feed({ kind: "facts", source: name, points });
      for (const point of points) recorder?.point(name, { ...point, seenMs: nowMs });
      this.#works(newest.atMs);
    } else if (refusals.length === 0) this.#works(this.#atMs);
  }

  #works(atMs: number | null): void {
    const { name } = this.#source;
    const began = this.#atMs === null && atMs !== null;
    const again = this.#failing !== null;
    this.#atMs = atMs;
    this.#failing = null;
    if (began || again)
      this.#parts.log.event(
        "info",
        "source.up",
        `source ${name} ${again ? "works again" : "reports"}, newest point ${atMs === null ? "none" : isoTime(atMs)}`,
        { source: name },
      );
  }

  #refuse({ kind, reason }: PointRefusal): void {
    this.#refused = reason;
    if (this.#logged.has(kind)) return;
    this.#logged.add(kind);
    const { name } = this.#source;
    this.#parts.log.event("warn", "source.refused", `source ${name}: ${reason}; it is left out`, {
      source: name,
      kind,
    });
  }

  #fault(reason: string): void {
    if (this.#signal.aborted) return;
    this.#faults += 1;
    const { env, log } = this.#parts;
    const { name } = this.#source;
    const first = this.#failing === null;
    this.#failing = { sinceMs: this.#failing?.sinceMs ?? env.clock.nowMs(), reason };
    if (first)
      log.event("warn", "source.failed", `source ${name}: ${reason}; trading continues without it`, { source: name });
  }
}
