/**
 * Compiled-in bounds that no file can exceed: a mistyped figure must not ruin the account or lose the competition. They are far
 * from any sensible value; the defaults of the schema are the recommendation.
 */
import { DAY_MS, exactSpan, SECOND_MS } from "../core/time.ts";

/** `value` as written in the file; `rule` is the broken rule; `remedy` says what to write instead. */
export interface SettingBreach {
  readonly severity: "error" | "warning";
  readonly path: string;
  readonly value: string;
  readonly rule: string;
  readonly remedy: string;
}

/** `path` is dotted, and `*` stands for every entry of a list. Bounds are included, `above` is not. */
interface Ceiling {
  readonly path: string;
  readonly unit: "fraction" | "USDT" | "USD" | "span";
  readonly atLeast?: number;
  readonly above?: number;
  readonly atMost?: number;
  readonly why: string;
}

/** Spans in milliseconds. */
export const CEILINGS: readonly Ceiling[] = [
  {
    path: "risk.gapMajors",
    unit: "fraction",
    atLeast: 0.05,
    why: "BTC and ETH have moved by that much within minutes: a smaller gap insures against nothing",
  },
  {
    path: "risk.gapOthers",
    unit: "fraction",
    atLeast: 0.1,
    why: "smaller coins have moved by that much within minutes: a smaller gap insures against nothing",
  },
  {
    path: "risk.gapHedged",
    unit: "fraction",
    atLeast: 0.02,
    why: "two venues have shown prices of one coin that far apart at the worst moment of an hour",
  },
  { path: "risk.bufferUsdt", unit: "USDT", atLeast: 0, why: "a negative buffer lets a gap end below the floor" },
  { path: "risk.openingSpareUsdt", unit: "USDT", atLeast: 0, why: "a negative spare uses the buffer up" },
  {
    path: "risk.holdEquityShare",
    unit: "fraction",
    atMost: 0.25,
    why: "below holdUsdt the account may recover only with small positions",
  },
  {
    path: "risk.maxStopDistance",
    unit: "fraction",
    atMost: 0.2,
    why: "with a wider stop one position could lose as much as the whole account may",
  },
  {
    path: "risk.dailyLossStop",
    unit: "fraction",
    above: 0,
    atMost: 0.15,
    why: "800 of 1000 USDT is the floor: a day may lose no more than three quarters of that",
  },
  {
    path: "risk.priceBand",
    unit: "fraction",
    above: 0,
    atMost: 0.2,
    why: "a limit price so far away is a typing error",
  },
  { path: "risk.maxBookAge", unit: "span", above: 0, atMost: 10 * SECOND_MS, why: "an older book is not a price" },
  { path: "risk.maxMarkAge", unit: "span", above: 0, atMost: 10 * SECOND_MS, why: "an older mark is not a price" },
  {
    path: "risk.maxAccountAge",
    unit: "span",
    above: 0,
    atMost: 60 * SECOND_MS,
    why: "an account that was read longer ago is unknown",
  },
  {
    path: "execution.slippage",
    unit: "fraction",
    atMost: 0.02,
    why: "a taking order must not pay more than 2 % beyond its price",
  },
  {
    path: "execution.protectWithin",
    unit: "span",
    atLeast: 2 * SECOND_MS,
    atMost: 60 * SECOND_MS,
    why: "the venue accepts a stop within a second or two, and no position may be without one for a minute",
  },
  {
    path: "cadence.every",
    unit: "span",
    atLeast: SECOND_MS,
    atMost: 7 * DAY_MS,
    why: "a decision takes a second or more, and an agent that decides less than once a week does not trade",
  },
  {
    path: "cadence.minGap",
    unit: "span",
    atLeast: SECOND_MS,
    atMost: DAY_MS,
    why: "in a burst of events each would become a decision, and after more than a day no event matters",
  },
  {
    path: "cadence.firstAfter",
    unit: "span",
    atMost: DAY_MS,
    why: "an agent that is ready must not wait for more than a day",
  },
  {
    path: "strategy.windDown",
    unit: "span",
    atMost: 7 * DAY_MS,
    why: "a strategy that was replaced must not hold positions for more than a week",
  },
  { path: "session.maxNotionalPerOrder", unit: "USDT", above: 0, why: "a session needs a cap above zero" },
  { path: "session.maxTotalNotional", unit: "USDT", above: 0, why: "a session needs a cap above zero" },
  {
    path: "session.expiresIn",
    unit: "span",
    atLeast: 60 * SECOND_MS,
    atMost: 30 * DAY_MS,
    why: "a session is renewed in its last minute, and nobody intends a consent of more than a month",
  },
  { path: "strategy.shadowModelUsd", unit: "USD", atLeast: 0, atMost: 10, why: "the team has 10 USD for a day" },
  { path: "model.dayLimitUsd", unit: "USD", above: 0, atMost: 10, why: "the team has 10 USD for a day" },
  { path: "model.floorUsd", unit: "USD", atLeast: 0, why: "it is the lower end of the day's spend" },
  { path: "model.names.*.inputPerMillionUsd", unit: "USD", above: 0, why: "the budget is computed from it" },
  { path: "model.names.*.outputPerMillionUsd", unit: "USD", above: 0, why: "the budget is computed from it" },
  { path: "model.names.*.cachedPerMillionUsd", unit: "USD", atLeast: 0, why: "the budget is computed from it" },
  {
    path: "model.names.*.longContext.inputPerMillionUsd",
    unit: "USD",
    above: 0,
    why: "the budget is computed from it",
  },
  {
    path: "model.names.*.longContext.outputPerMillionUsd",
    unit: "USD",
    above: 0,
    why: "the budget is computed from it",
  },
  {
    path: "model.names.*.longContext.cachedPerMillionUsd",
    unit: "USD",
    atLeast: 0,
    why: "the budget is computed from it",
  },
  {
    path: "model.timeout",
    unit: "span",
    above: 0,
    atMost: 600 * SECOND_MS,
    why: "a later answer would be about an outdated market",
  },
];

/** The values at a path, each with its own path; none for an absent optional setting. */
function valuesAt(root: unknown, path: string): readonly { readonly path: string; readonly value: unknown }[] {
  let found: readonly { readonly path: string; readonly value: unknown }[] = [{ path: "", value: root }];
  for (const step of path.split(".")) {
    found = found.flatMap(({ path: at, value }) => {
      const under = (name: string, inner: unknown) => ({ path: at === "" ? name : `${at}.${name}`, value: inner });
      if (step !== "*") return [under(step, (value as Readonly<Record<string, unknown>> | undefined)?.[step])];
      return (value as readonly unknown[]).map((inner, index) => under(String(index), inner));
    });
  }
  return found.filter(({ value }) => value !== undefined);
}

const written = ({ unit }: Ceiling, bound: number): string =>
  unit === "span" && bound > 0 ? exactSpan(bound) : unit !== "USDT" && unit !== "USD" ? String(bound) : `"${bound}"`;

/** The bounds, and what to write instead; null if the value is within them. */
function broken(ceiling: Ceiling, value: unknown): { readonly must: string; readonly write: string } | null {
  const figure = Number(value);
  const { atLeast = -Infinity, above = -Infinity, atMost = Infinity } = ceiling;
  const text = (bound: number): string => written(ceiling, bound);
  const must = boundsText(ceiling);
  if (figure < atLeast) return { must, write: `${text(atLeast)} or more` };
  if (figure <= above) return { must, write: `more than ${text(above)}` };
  return figure > atMost ? { must, write: `${text(atMost)} or less` } : null;
}

/** `at least 1s, at most 7d`. */
const boundsText = (ceiling: Ceiling): string => {
  const { atLeast, above, atMost } = ceiling;
  const parts = [
    ...(atLeast === undefined ? [] : [`at least ${written(ceiling, atLeast)}`]),
    ...(above === undefined ? [] : [`above ${written(ceiling, above)}`]),
    ...(atMost === undefined ? [] : [`at most ${written(ceiling, atMost)}`]),
  ];
  return parts.join(", ");
};

/** The bounds in words, for the page of the configuration. */
export const ceilingTexts = (): readonly { readonly path: string; readonly must: string; readonly why: string }[] =>
  CEILINGS.map((ceiling) => ({ path: ceiling.path, must: boundsText(ceiling), why: ceiling.why }));

/** Every setting beyond its ceiling. */
export function ceilingBreaches(config: unknown): readonly SettingBreach[] {
  return CEILINGS.flatMap((ceiling) =>
    valuesAt(config, ceiling.path).flatMap(({ path, value }) => {
      const breach = broken(ceiling, value);
      if (breach === null) return [];
      const rule = `must be ${breach.must}: ${ceiling.why}`;
      const found = ceiling.unit === "span" ? exactSpan(Number(value)) : String(value);
      return [{ severity: "error" as const, path, value: found, rule, remedy: `write ${breach.write}` }];
    }),
  );
}
