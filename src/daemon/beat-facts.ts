/**
 * What a heartbeat row reports besides the loop's own health: once a minute the size of every collection, the process
 * statistics, the hosts contacted, the files written, the claims in its log, and the requests to its own port. `ballast
 * verify` checks I22, I30, I33 and I36 with these facts. Only changed facts are repeated; see docs/JOURNAL.md.
 */
import type { JournalPort } from "../agent/contract/ports.ts";
import type { Clock } from "../core/clock.ts";
import type { Gauge } from "../core/bounded.ts";
import { canonicalJson } from "../core/hash.ts";
import { beatWith } from "../rows/beat.ts";
import type { Telemetry } from "../rows/telemetry.ts";

const REPORT_EVERY_MS = 60_000;

/** Reported only when changed. */
type Changing = { readonly [K in Exclude<keyof Telemetry, "gauges" | "vitals">]?: () => NonNullable<Telemetry[K]> };

/**
 * Each is called when a heartbeat reports it. On virtual time all but the gauges are absent, because such a run must be
 * reproducible.
 */
export interface BeatSources {
  readonly gauges: () => readonly Gauge[];
  /** Reported every minute, changed or not. */
  readonly processStats?: () => NonNullable<Telemetry["vitals"]>;
  /** Reported when changed since the last report. */
  readonly changing?: Changing;
}

/** Rows of other kinds pass unchanged; once a minute a heartbeat carries the new facts. */
export interface BeatFacts {
  /** The same journal, with heartbeats that report more. */
  readonly append: JournalPort["append"];
  /** All current facts, for the last row. */
  last(): Telemetry;
}

interface Mark {
  readonly high: number;
  readonly cap: number;
}

/** A minute is measured by the monotonic clock. A fact counts as reported only once its row was written. */
export function beatFacts(append: JournalPort["append"], clock: Clock, sources: BeatSources): BeatFacts {
  const marks = new Map<string, Mark>();
  const reported = new Map<string, string>();
  let reportedMs = -Infinity;

  /** The largest size of each collection, sampled at every heartbeat. */
  const look = (): void => {
    for (const { name, highWater, size, cap } of sources.gauges())
      marks.set(name, { high: Math.max(highWater, size, marks.get(name)?.high ?? 0), cap });
  };
  const news = (): { readonly facts: Telemetry; readonly texts: ReadonlyMap<string, string> } => {
    const texts = new Map<string, string>();
    const changed = (name: string, value: unknown): boolean => {
      const text = canonicalJson(value);
      if (reported.get(name) === text) return false;
      texts.set(name, text);
      return true;
    };
    const gauges = [...marks].filter(([name, mark]) => changed(`gauge ${name}`, mark));
    const others = Object.entries(sources.changing ?? {})
      .map(([name, read]) => [name, read()] as const)
      .filter(([name, value]) => changed(name, value));
    return {
      facts: {
        ...(gauges.length === 0 ? {} : { gauges: Object.fromEntries(gauges) }),
        ...(sources.processStats ? { vitals: sources.processStats() } : {}),
        ...Object.fromEntries(others),
      },
      texts,
    };
  };

  return {
    append: (row, decisionId) => {
      if (row.kind !== "beat") return append(row, decisionId);
      look();
      const nowMs = clock.monotonicMs();
      if (nowMs - reportedMs < REPORT_EVERY_MS) return append(row, decisionId);
      const { facts, texts } = news();
      const lost = append(beatWith({ kind: row.kind, body: row.body }, facts), decisionId);
      // Facts in a row that the disk refused are reported again.
      if (lost) return lost;
      reportedMs = nowMs;
      for (const [name, text] of texts) reported.set(name, text);
      return undefined;
    },
    last: () => {
      look();
      reported.clear();
      return news().facts;
    },
  };
}
