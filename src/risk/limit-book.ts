/** How often each limit was asked and how often it fired. A guard that never fires is only believed to work. */
import { allLimits } from "./all-limits.ts";
import { isReducing } from "./exposure.ts";
import type { RiskSettings } from "./settings.ts";
import type { Limit, Verdict } from "./verdict.ts";
import type { Draft, RiskView } from "./view.ts";

/** Of this run, over all settings that it had. */
export interface LimitCount {
  readonly limit: string;
  /** Openings that it was shown. One review may show it the same draft several times, each time smaller. */
  readonly evaluated: number;
  /** How many of them it refused or made smaller. */
  readonly fired: number;
  readonly lastFiredMs: number | null;
  /** What it said then, with the figure found and the figure allowed; null while it never fired. */
  readonly lastSaid: string | null;
}

/** One a run. Drafts that reduce are judged and not counted. */
export interface LimitBook {
  /** All limits under these settings, each counted in this book. */
  under(settings: RiskSettings): readonly Limit[];
  /** One a limit, in the order in which they judge. */
  counts(): readonly LimitCount[];
}

type Counts = { -readonly [K in keyof LimitCount]: LimitCount[K] };

const fresh = (limit: string): Counts => ({ limit, evaluated: 0, fired: 0, lastFiredMs: null, lastSaid: null });

const said = ({ reason, found, allowed }: Verdict): string => `${reason} Found ${found}, allowed ${allowed}.`;

/** Every limit is on the list from the start, so that one that never fired is shown as such. */
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
