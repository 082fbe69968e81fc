/**
 * `npm run objectives -- --data DIR`: `trend-carry` under each objective and phase, and with the same signal at a fixed size,
 * over stretches of 14 days of recorded hourly bars that do not overlap, each ranked among generated rivals on the same bars. Prints
 * the Markdown table of docs/OBJECTIVES.md after each stretch, so that a run can be ended at any time. Intervals are 95 %: over
 * the stretches by bootstrap for score and top three, Wilson's for eliminations.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { mean, median } from "simple-statistics";
import { OBJECTIVE_NAMES } from "../src/config/objectives.ts";
import type { Strategies } from "../src/agent/contract/events.ts";
import { readConfig } from "../src/config/read.ts";
import { loadScoring, SCORING_FILE } from "../src/control/scoring-file.ts";
import { loadStrategies } from "../src/control/strategies.ts";
import { toFloat } from "../src/core/decimal.ts";
import { seededEntropy } from "../src/core/entropy.ts";
import { DAY_MS, MINUTE_MS } from "../src/core/time.ts";
import { OPENING_LEVERAGE_MAX } from "../src/domain/competition.ts";
import { type EquityPoint, competitionFigures } from "../src/domain/competition-figures.ts";
import { shareInterval } from "../src/domain/share-interval.ts";
import { DEFAULT_EXCHANGES } from "../src/domain/symbol.ts";
import { untimed } from "../src/harness/untimed.ts";
import { runFast } from "../src/lab/fast/fast-run.ts";
import { bootstrapInterval } from "../src/lab/figures/bootstrap.ts";
import { barsFor } from "../src/lab/runs/bars-for.ts";
import { configFor } from "../src/lab/runs/practice-config.ts";
import { type PoolRanking, placesOf, rivalMarketOf } from "../src/lab/score/place.ts";
import { DEFAULT_SETTINGS } from "../src/sim/exchange/contract/settings.ts";
import { profileNamed } from "../src/sim/profiles.ts";
import { HOURLY, type Source, stretchesOf } from "./windows/sources.ts";

const USAGE = `npm run objectives -- --data DIR [--pools N] [--rivals N] [--stretches N] [--minutes N] [--phases 1,2] [--strategy NAME]
Begins no further stretch after --minutes.
Example: npm run objectives -- --data recordings --pools 20 --minutes 20`;
const STRETCH_DAYS = 14;
const STRETCH_MS = STRETCH_DAYS * DAY_MS;
/** The size of each position of the rows "fixed fraction", share of the largest: 0.2 of equity under `score`. */
const FIXED_SIZE = 0.5;

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    pools: { type: "string", default: "20" },
    rivals: { type: "string", default: "200" },
    stretches: { type: "string", default: "1000" },
    minutes: { type: "string", default: "100000" },
    phases: { type: "string", default: "1,2" },
    strategy: { type: "string", default: "trend-carry" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const PHASES = values.phases.split(",").map((phase) => (phase === "2" ? 2 : 1));
/** Each objective, and the signal of `score` with every position of one size. */
const VARIANTS = [
  ...OBJECTIVE_NAMES.map((objective) => ({ objective, fixed: false })),
  { objective: "score", fixed: true },
];
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const stretches = HOURLY.flatMap((source) => stretchesOf(source, STRETCH_DAYS));

/**
 * The backtest configuration under an objective: fifteen minutes between decisions suffice for a rule that rebalances.
 */
function configOf(objective: string, phase: number) {
  const text = readFileSync("config/backtest.yaml", "utf8")
    .replace("phase: 1", `phase: ${phase}\nobjective: ${objective}`)
    .replace("every: 5m", "every: 15m")
    .replaceAll('maxNotionalPerOrder: "400"', 'maxNotionalPerOrder: "5000"')
    .replace("up to 400 USDT", "up to 5000 USDT");
  const read = readConfig(text);
  if (!read.ok) throw new Error(read.error.map(({ message }) => message).join("; "));
  return read.value;
}

/** In an order that reaches every window early: an unfinished run then covers all of them. */
function spread<T>(all: readonly T[]): readonly T[] {
  const step = 13;
  return all.flatMap((_one, at) => all[(at * step) % all.length] ?? []);
}

/** The same sides at the same times, each position of one size. */
function atFixedSize(strategies: Strategies): Strategies {
  const { chosen } = strategies;
  const decide: typeof chosen.strategy.decide = (snapshot, settings) => {
    const answer = chosen.strategy.decide(snapshot, settings);
    if (answer.kind !== "targets") return answer;
    return { ...answer, targets: answer.targets.map((one) => (one.size > 0 ? { ...one, size: FIXED_SIZE } : one)) };
  };
  return { ...strategies, chosen: { ...chosen, strategy: { ...chosen.strategy, decide } } };
}

interface Outcome {
  readonly place: PoolRanking;
  readonly points: readonly EquityPoint[];
  readonly eliminated: boolean;
}

async function playStretch(data: string, { window, from, symbols }: Source): Promise<readonly (readonly Outcome[])[]> {
  const fromMs = Date.parse(`${from}T00:00:00Z`);
  const market = { data, window, from, symbols };
  const bars = barsFor(configFor(configOf("score", 1), market), DEFAULT_EXCHANGES, {
    fromMs,
    forMs: STRETCH_MS,
    seed: 1,
  });
  if (!bars.ok) throw new Error(bars.error);
  const scoring = loadScoring(SCORING_FILE);
  if (!scoring.ok) throw new Error(scoring.error);
  const found: Outcome[][] = [];
  for (const phase of PHASES) {
    const runs = [];
    for (const { objective, fixed } of VARIANTS) {
      const base = configFor(configOf(objective, phase), market);
      const config = { ...base, strategy: { ...base.strategy, use: values.strategy, fallback: "hold" } };
      const strategies = await loadStrategies(config);
      if (!strategies.ok) throw new Error(strategies.error);
      runs.push(
        runFast({
          ...{ config, recorded: bars.value, fromMs, forMs: STRETCH_MS },
          strategies: untimed(fixed ? atFixedSize(strategies.value) : strategies.value),
          exchanges: DEFAULT_EXCHANGES,
        }),
      );
    }
    const { perpFees } = { ...DEFAULT_SETTINGS, ...profileNamed("usual").settings };
    const places = placesOf(
      runs.map(({ points }) => points),
      {
        market: rivalMarketOf(bars.value, { fromMs, forMs: STRETCH_MS, takerFee: toFloat(perpFees.taker) }),
        ...{ scoring: scoring.value, pools: Number(values.pools), seed: fromMs, count: Number(values.rivals) },
        leverageMax: OPENING_LEVERAGE_MAX[phase],
        eliminationUsdt: scoring.value.eliminationUsdt,
      },
    );
    found.push(
      runs.flatMap(({ points, eliminated }, at) => {
        const place = places[at];
        return place ? [{ place, points, eliminated: eliminated || place.eliminated }] : [];
      }),
    );
  }
  return found;
}

/** The mean over the stretches, with its interval. */
function meanOf(figures: readonly number[], digits: number, scale = 1): string {
  const interval = bootstrapInterval(figures, mean, {
    entropy: seededEntropy("objectives"),
    level: 0.95,
    blockLength: 1,
  });
  const text = (value: number): string => (value * scale).toFixed(digits);
  return `${text(mean([...figures]))}${interval ? ` (${text(interval.low)} to ${text(interval.high)})` : ""}`;
}

function rowOf(phase: number, { objective, fixed }: (typeof VARIANTS)[number], of: readonly Outcome[]): string {
  const returns = of.map(({ points }) => (points.at(-1)?.equityUsdt ?? 0) / (points[0]?.equityUsdt ?? 1) - 1);
  const gone = of.filter(({ eliminated }) => eliminated).length;
  const { low, high } = shareInterval(gone, of.length);
  const worst = Math.min(...of.map(({ points }) => Math.min(...points.map(({ equityUsdt }) => equityUsdt))));
  return [
    ["I", "II"][phase - 1],
    fixed ? "fixed fraction" : `\`${objective}\``,
    meanOf(
      of.map(({ place }) => place.composite),
      1,
    ),
    meanOf(
      of.map(({ place }) => place.percentile),
      0,
    ),
    `${meanOf(
      of.map(({ place }) => place.topThree),
      1,
      100,
    )} %`,
    `${gone} of ${of.length} (${(low * 100).toFixed(0)} to ${(high * 100).toFixed(0)} %)`,
    `${meanOf(returns, 2, 100)} %`,
    `${(median(of.map(({ points }) => competitionFigures(points).maxDrawdown)) * 100).toFixed(1)} %`,
    worst.toFixed(0),
  ].join(" | ");
}

type Played = readonly (readonly (readonly Outcome[])[])[];

function table(outcomes: Played): string {
  const head = [
    "| phase | objective | score | percentile | top three | eliminated | return | drawdown, median | lowest equity |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
  ];
  const rows = PHASES.flatMap((phase, at) =>
    VARIANTS.map((variant, which) => {
      const of = outcomes.flatMap((each) => each[at]?.[which] ?? []);
      return `| ${rowOf(phase, variant, of)} |`;
    }),
  );
  const places = outcomes.flatMap((each) => each.flatMap((runs) => runs.map(({ place }) => place)));
  const rivalsOut = mean(places.map(({ rivalsEliminated }) => rivalsEliminated));
  const about = `\`${values.strategy}\`, ${outcomes.length} stretches of 14 days, ${values.rivals} rivals, ${values.pools} pools a stretch; ${(rivalsOut * 100).toFixed(0)} % of the rivals were eliminated.`;
  return [...head, ...rows, "", about, ...PHASES.map((phase, at) => paired(phase, at, outcomes))].join("\n");
}

/** The score of `score` less that of the fixed fraction, stretch by stretch. */
function paired(phase: number, at: number, outcomes: Played): string {
  const ours = OBJECTIVE_NAMES.indexOf("score");
  const differences = outcomes.flatMap((each) => {
    const [score, fixed] = [each[at]?.[ours], each[at]?.at(-1)];
    return score && fixed ? [score.place.composite - fixed.place.composite] : [];
  });
  return `Phase ${["I", "II"][phase - 1] ?? ""}: \`score\` less fixed fraction in the score, paired: ${meanOf(differences, 1)}.`;
}

async function play(data: string): Promise<void> {
  const chosen = spread(stretches).slice(0, Number(values.stretches));
  const untilMs = performance.now() + Number(values.minutes) * MINUTE_MS;
  const outcomes: (readonly (readonly Outcome[])[])[] = [];
  for (const stretch of chosen) {
    if (performance.now() >= untilMs) break;
    outcomes.push(await playStretch(data, stretch));
    say(`\n${table(outcomes)}`);
    process.stderr.write(`${outcomes.length} of ${chosen.length}: ${stretch.window} from ${stretch.from}\n`);
  }
}

if (values.help || values.data === undefined) say(USAGE);
else await play(values.data);
