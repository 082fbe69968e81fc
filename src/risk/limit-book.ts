/** Counts how often each limit was asked and how often it fired, so that a limit that never fires is visible. */
import { allLimits } from "./all-limits.ts";
import { isReducing } from "./exposure.ts";
import type { RiskSettings } from "./settings.ts";
import type { Limit, Verdict } from "./verdict.ts";
import type { Draft, RiskView } from "./view.ts";

/** Over this run, under all settings it had. */
export interface LimitCount {
  readonly limit: string;
  /** Openings evaluated. One review may evaluate a draft several times, each time smaller. */
  readonly evaluated: number;
  /** How many of them the limit refused or shrank. */
  readonly fired: number;
  readonly lastFiredMs: number | null;
  /** The last refusal or shrink, with the figure found and the figure allowed; null if it never fired. */
  readonly lastSaid: string | null;
}

/** One per run. Reducing drafts are judged but not counted. */
export interface LimitBook {
  /** All limits under these settings, counted in this book. */
  under(settings: RiskSettings): readonly Limit[];
  /** One entry per limit, in order of evaluation. */
  counts(): readonly LimitCount[];
}

type Counts = { -readonly [K in keyof LimitCount]: LimitCount[K] };

const fresh = (limit: string): Counts => ({ limit, evaluated: 0, fired: 0, lastFiredMs: null, lastSaid: null });

const said = ({ reason, found, allowed }: Verdict): string => `${reason} Found ${found}, allowed ${allowed}.`;

/** Every limit is listed from the start, so that one that never fired is visible. */
export function createLimitBook(settings: RiskSettings): LimitBook {
  const book = new Map(allLimits(settings).map(({ name }): [string, Counts] => [name, fresh(name)]));
  let known: { readonly settings: RiskSettings; readonly limits: readonly Limit[] } | null = null;

  const judged = (limit: Limit, draft: Draft, view: RiskView): Verdict => {
    const verdict = limit.judge(draft, view);
    if (isReducing(draft)) return verdict;
    const counts = book.get(limit.name) ?? fresh(limit.name);
    book.set(limit.name, counts);
    counts.evaluated += 1;
    if (verdict.kind === "allow") return verdict;
    counts.fired += 1;
    counts.lastFiredMs = view.nowMs;
    counts.lastSaid = said(verdict);
    return verdict;
  };
  return {
    under: (current) => {
      if (known?.settings === current) return known.limits;
      const limits = allLimits(current).map((limit): Limit => ({
        ...limit,
        judge: (draft, view) => judged(limit, draft, view),
      }));
      known = { settings: current, limits };
      return limits;
    },
    counts: () => [...book.values()].map((counts) => ({ ...counts })),
  };
}
