/**
 * What the owner wants of the account, each as a set of settings. A file that names an objective starts from its set, and
 * what the file writes itself takes precedence. `score` is what the defaults of the schema are. No set goes past a
 * ceiling (`ceilings.ts`), and the phase's leverage cap holds under each. docs/OBJECTIVES.md says what is
 * known of each.
 */

/** A part of a configuration as a file writes it. */
interface ObjectiveSet {
  /** One sentence, for docs and the editor. */
  readonly what: string;
  readonly risk: Readonly<Record<string, number>>;
  /** Settings of strategies that aim at a volatility. */
  readonly strategies: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export const OBJECTIVE_NAMES = ["survive", "score", "prize"] as const;
export type Objective = (typeof OBJECTIVE_NAMES)[number];

export const OBJECTIVES: Readonly<Record<Objective, ObjectiveSet>> = {
  survive: {
    what: "Stay in the competition with little at stake: larger insured gaps, small positions, a tenth of volatility a year.",
    risk: {
      gapMajors: 0.15,
      gapOthers: 0.3,
      perOrderEquityShare: 0.25,
      perSymbolEquityShare: 0.25,
      perDirectionEquityShare: 0.6,
      maxPositions: 4,
    },
    strategies: { "trend-carry": { volatilityTarget: 0.1, maxPositions: 4 } },
  },
  score: {
    what: "The composite of Sharpe ratio, result and drawdown: the defaults.",
    risk: {
      gapMajors: 0.12,
      gapOthers: 0.25,
      perOrderEquityShare: 0.4,
      perSymbolEquityShare: 0.4,
      perDirectionEquityShare: 1.2,
      maxPositions: 4,
    },
    strategies: { "trend-carry": { volatilityTarget: 0.25, maxPositions: 4 } },
  },
  prize: {
    what: "A place at the top, at the risk of elimination in a fall that goes beyond the insured gaps: it uses the leverage of Phase II.",
    risk: {
      gapMajors: 0.06,
      gapOthers: 0.12,
      perOrderEquityShare: 0.8,
      perSymbolEquityShare: 0.8,
      perDirectionEquityShare: 3,
      maxPositions: 6,
    },
    strategies: { "trend-carry": { volatilityTarget: 0.6, maxPositions: 6 } },
  },
};

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The set of an objective as a file would write it. */
export const objectiveSettings = (name: Objective): Plain => ({
  risk: OBJECTIVES[name].risk,
  strategy: { settings: OBJECTIVES[name].strategies },
});

/** The objective that these values name; null where they name none, or none that exists. */
export function objectiveOf(values: unknown): Objective | null {
  const named = isPlain(values) ? values["objective"] : undefined;
  return OBJECTIVE_NAMES.find((name) => name === named) ?? null;
}

/** The values of a file laid over the set of the objective that it names. What is no map stays as it is written. */
export function withObjective(values: unknown): unknown {
  const name = objectiveOf(values);
  return name === null ? values : laidOver(objectiveSettings(name), values);
}

function laidOver(under: unknown, written: unknown): unknown {
  if (written === undefined) return under;
  if (!isPlain(under) || !isPlain(written)) return written;
  const names = [...new Set([...Object.keys(written), ...Object.keys(under)])];
  return Object.fromEntries(names.map((name) => [name, laidOver(under[name], written[name])]));
}

/** Whether the objective's set has a setting at this path. */
export function isOfObjective(name: Objective, path: readonly PropertyKey[]): boolean {
  let found: unknown = objectiveSettings(name);
  for (const step of path) found = isPlain(found) ? found[String(step)] : undefined;
  return found !== undefined;
}
