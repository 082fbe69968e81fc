/**
 * `npm run objectives -- --data DIR`: `trend-carry` under each objective and phase, over stretches of 14 days of
 * recorded hourly bars that do not overlap, each ranked among generated rivals on the same bars. Prints the Markdown
 * table of docs/OBJECTIVES.md. Intervals are 95 %: by bootstrap over the stretches for score and top three, Wilson's
 * for eliminations.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { mean, median } from "simple-statistics";
import { OBJECTIVE_NAMES } from "../src/config/objectives.ts";
import { readConfig } from "../src/config/read.ts";
import { loadScoring, SCORING_FILE } from "../src/control/scoring-file.ts";
import { loadStrategies } from "../src/control/strategies.ts";
import { toFloat } from "../src/core/decimal.ts";
import { seededEntropy } from "../src/core/entropy.ts";
import { DAY_MS, isoTime } from "../src/core/time.ts";
import { OPENING_LEVERAGE_MAX } from "../src/domain/competition.ts";
import { type EquityPoint, competitionFigures } from "../src/domain/competition-figures.ts";
import { shareInterval } from "../src/domain/share-interval.ts";
import { DEFAULT_EXCHANGES } from "../src/domain/symbol.ts";
import { untimed } from "../src/harness/untimed.ts";
import { runFast } from "../src/lab/fast/fast-run.ts";
import { bootstrapInterval } from "../src/lab/figures/bootstrap.ts";
import { barsFor } from "../src/lab/runs/bars-for.ts";
import { configFor } from "../src/lab/runs/practice-config.ts";
import { type Place, placesOf, rivalMarketOf } from "../src/lab/score/place.ts";
import { DEFAULT_SETTINGS } from "../src/sim/exchange/settings.ts";
import { profileNamed } from "../src/sim/profiles.ts";

const USAGE = `npm run objectives -- --data DIR [--pools N] [--rivals N] [--stretches N] [--strategy NAME]
Example: npm run objectives -- --data recordings --pools 20 --stretches 4`;
const STRETCH_MS = 14 * DAY_MS;
const PHASES = [1, 2] as const;

/** Consecutive stretches of a window, starting on a given day; the rule uses the weeks before it as history. */
interface Source {
  readonly window: string;
  readonly from: string;
  readonly count: number;
  readonly symbols: string;
}

const OLD = "BTC,ETH,XRP,ADA,LTC,BCH";
const SOURCES: readonly Source[] = [
  { window: "perp-2020-02_04", from: "2020-03-08", count: 2, symbols: OLD },
  { window: "perp-2021-05_06", from: "2021-05-22", count: 2, symbols: OLD },
  { window: "perp-2022-01_03", from: "2022-01-22", count: 2, symbols: OLD },
  { window: "perp-2022-05_07", from: "2022-05-22", count: 2, symbols: OLD },
  { window: "perp-2022-10_12", from: "2022-11-05", count: 2, symbols: OLD },
  { window: "perp-2024-07_09", from: "2024-08-10", count: 2, symbols: OLD },
  { window: "perp-2025-01_02", from: "2025-01-22", count: 2, symbols: OLD },
  {
    window: "perp-2025-05_2026-03",
    from: "2025-06-01",
    count: 20,
    symbols: "BTC,ETH,SOL,XRP,BNB,DOGE,LINK,SUI,LTC,BCH",
  },
];

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    pools: { type: "string", default: "20" },
    rivals: { type: "string", default: "200" },
    stretches: { type: "string", default: "1000" },
    strategy: { type: "string", default: "trend-carry" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const stretches = SOURCES.flatMap(({ window, from, count, symbols }) =>
  Array.from({ length: count }, (_, at) => ({
    window: `klines-1h/${window}`,
    fromMs: Date.parse(`${from}T00:00:00Z`) + at * STRETCH_MS,
    symbols,
  })),
);

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

interface Outcome {
  readonly place: Place;
  readonly points: readonly EquityPoint[];
  readonly eliminated: boolean;
}

async function playStretch(
  data: string,
  stretch: (typeof stretches)[number],
): Promise<readonly (readonly Outcome[])[]> {
  const { window, fromMs, symbols } = stretch;
  const market = { data, window, from: isoTime(fromMs), symbols };
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
    for (const objective of OBJECTIVE_NAMES) {
      const base = configFor(configOf(objective, phase), market);
      const config = { ...base, strategy: { ...base.strategy, use: values.strategy, fallback: "hold" } };
      const strategies = await loadStrategies(config);
      if (!strategies.ok) throw new Error(strategies.error);
      runs.push(
        runFast({
          ...{ config, recorded: bars.value, fromMs, forMs: STRETCH_MS },
          strategies: untimed(strategies.value),
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

function rowOf(phase: number, objective: string, of: readonly Outcome[]): string {
  const returns = of.map(({ points }) => (points.at(-1)?.equityUsdt ?? 0) / (points[0]?.equityUsdt ?? 1) - 1);
  const gone = of.filter(({ eliminated }) => eliminated).length;
  const { low, high } = shareInterval(gone, of.length);
  const worst = Math.min(...of.map(({ points }) => Math.min(...points.map(({ equityUsdt }) => equityUsdt))));
  return [
    ["I", "II"][phase - 1],
    `\`${objective}\``,
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

async function play(data: string): Promise<void> {
  const chosen = stretches.slice(0, Number(values.stretches));
  const outcomes: (readonly (readonly Outcome[])[])[] = [];
  for (const stretch of chosen) {
    outcomes.push(await playStretch(data, stretch));
    process.stderr.write(`${outcomes.length} of ${chosen.length}: ${stretch.window} from ${isoTime(stretch.fromMs)}\n`);
  }
  say(
    "| phase | objective | score | percentile | top three | eliminated | return | drawdown, median | lowest equity |",
  );
  say("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
  for (const [at, phase] of PHASES.entries())
    for (const [which, objective] of OBJECTIVE_NAMES.entries())
      say(
        `| ${rowOf(
          phase,
          objective,
          outcomes.flatMap((each) => each[at]?.[which] ?? []),
        )} |`,
      );
  const rivalsOut = mean(
    outcomes.flatMap((each) => each.flatMap((runs) => runs.map(({ place }) => place.rivalsEliminated))),
  );
  say(
    `\n\`${values.strategy}\`, ${chosen.length} stretches of 14 days, ${values.rivals} rivals, ${values.pools} pools a stretch; ${(rivalsOut * 100).toFixed(0)} % of the rivals were eliminated.`,
  );
}

if (values.help || values.data === undefined) say(USAGE);
else await play(values.data);
