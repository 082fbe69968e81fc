/**
 * `npm run entry-styles -- --data DIR`: the same strategy with each way of entering, over recorded one-minute bars: what
 * entries cost against crossing at the decision, what misses cost, and how often an opening was shortly followed by a
 * funding payment. Prints the rows of the table in docs/EXECUTION.md after each run, so that it can be ended at any time.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { mean } from "simple-statistics";
import { DECISION_LIFE_MS } from "../src/agent/books/intents.ts";
import { readConfig } from "../src/config/read.ts";
import { loadStrategies } from "../src/control/strategies.ts";
import { DAY_MS } from "../src/core/time.ts";
import { DEFAULT_EXCHANGES } from "../src/domain/symbol.ts";
import { untimed } from "../src/harness/untimed.ts";
import { type FastRun, runFast } from "../src/lab/fast/fast-run.ts";
import { barsFor } from "../src/lab/runs/bars-for.ts";
import { configFor } from "../src/lab/runs/practice-config.ts";
import { entryReport, type Estimate, estimate } from "../src/report/orders/entry-report.ts";
import { type CostRow, readCost } from "../src/rows/cost.ts";
import { readIntent } from "../src/rows/intent.ts";
import { type MarkoutRow, readMarkout } from "../src/rows/markout.ts";
import type { Recorded } from "../src/sim/market/recorded.ts";
import { MINUTES, type Source } from "./windows/sources.ts";

const USAGE = `npm run entry-styles -- --data DIR [--strategies a,b]
Example: npm run entry-styles -- --data recordings --strategies trend-carry,momentum`;

/** Settings of `execution.entry`. */
const STYLES = {
  cross: { style: "cross" },
  "post-only, then give-up": { style: "post-only", then: "give-up" },
  "post-only, then cross": { style: "post-only", then: "cross" },
} as const;

interface Collected {
  readonly costs: CostRow[];
  readonly markouts: MarkoutRow[];
  readonly openings: { readonly symbol: string; readonly leg: string; readonly atMs: number }[];
}

const HEADS = [
  ...["from", "strategy", "style", "maker, late, missed", "paid, bp", "saved by a maker fill, bp"],
  ...[
    "price 5 min after fills, bp",
    "5 min after misses, bp",
    "net saving at 5 and 30 min, bp",
    "turnover a day",
    "return",
  ],
  "openings before a payment",
];

const { values } = parseArgs({
  options: { data: { type: "string" }, strategies: { type: "string", default: "trend-carry" } },
});
const { data } = values;
if (data === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}
const file = readConfig(readFileSync("config/backtest.yaml", "utf8"));
if (!file.ok) throw new Error("config/backtest.yaml is not valid");
process.stdout.write(`| ${HEADS.join(" | ")} |\n| ${HEADS.map(() => "---").join(" | ")} |\n`);
for (const source of MINUTES)
  for (const strategy of values.strategies.split(","))
    for (const [name, entry] of Object.entries(STYLES)) {
      const { window, from, symbols, days } = source;
      const base = configFor(file.value, { data, window, from, symbols });
      const execution = { ...base.execution, entry: { ...base.execution.entry, ...entry } };
      const config = { ...base, execution, strategy: { ...base.strategy, use: strategy, shadows: [] } };
      const fromMs = Date.parse(`${from}T00:00:00Z`);
      const forMs = days * DAY_MS;
      const bars = barsFor(config, DEFAULT_EXCHANGES, { fromMs, forMs, seed: 1 });
      if (!bars.ok) throw new Error(bars.error);
      const loaded = await loadStrategies(config);
      if (!loaded.ok) throw new Error(loaded.error);
      const found: Collected = { costs: [], markouts: [], openings: [] };
      const run = runFast({
        config,
        strategies: untimed(loaded.value),
        recorded: bars.value,
        fromMs,
        forMs,
        exchanges: DEFAULT_EXCHANGES,
        onRow: ({ row, body }, atMs) => {
          const read = { seq: 0, kind: row, body };
          if (row === "cost") found.costs.push(readCost(read));
          else if (row === "markout") found.markouts.push(readMarkout(read));
          else if (row === "intent" && body["event"] === "open" && body["opening"] === true) {
            const intent = readIntent(read);
            if (intent.event === "open") found.openings.push({ symbol: intent.symbol, leg: intent.leg, atMs });
          }
        },
      });
      process.stdout.write(`| ${cells({ source, strategy, style: name }, run, found, bars.value).join(" | ")} |\n`);
    }

function cells(
  { source, strategy, style }: { readonly source: Source; readonly strategy: string; readonly style: string },
  run: FastRun,
  { costs, markouts, openings }: Collected,
  recorded: readonly Recorded[],
): readonly string[] {
  const report = entryReport(markouts);
  const crossed = costs
    .filter(({ what, makerShare }) => what === "open" && makerShare === 0)
    .map(({ slippageBps, feeUsdt, valueUsdt }) => (slippageBps ?? 0) + feeUsdt.div(valueUsdt).toNumber() * 10_000);
  const paid = markouts.flatMap((row) => (row.event === "begin" && row.paidBps !== null ? [row.paidBps] : []));
  const at = (minutes: number) => report?.horizons.find(({ afterMs }) => afterMs === minutes * 60_000);
  const equity = mean(run.points.map(({ equityUsdt }) => equityUsdt));
  const first = run.points[0]?.equityUsdt ?? 1;
  const { counts } = report ?? { counts: { filled: 0, crossed: crossed.length, missed: 0 } };
  return [
    ...[source.from, strategy, style, `${counts.filled}, ${counts.crossed}, ${counts.missed}`],
    figure(estimate(report === null ? crossed : paid)),
    figure(report?.saved.filled ?? null),
    figure(at(5)?.sinceFilled ?? null),
    figure(at(5)?.sinceMissed ?? null),
    report === null ? "" : `${figure(at(5)?.net ?? null)}; ${figure(at(30)?.net ?? null)}`,
    (run.tradedUsdt / equity / source.days).toFixed(2),
    `${(((run.points.at(-1)?.equityUsdt ?? 0) / first - 1) * 100).toFixed(2)} %`,
    beforePayments(openings, recorded),
  ];
}

function figure(found: Estimate | null): string {
  if (found === null) return "";
  return `${found.bps.toFixed(2)}${found.error === null ? "" : ` ± ${found.error.toFixed(2)}`}`;
}

/** Openings whose order left within the life of a decision before a settlement that their side pays. */
function beforePayments(openings: Collected["openings"], recorded: readonly Recorded[]): string {
  const paid = openings.flatMap(({ symbol, leg, atMs }) => {
    const funding = recorded.find(({ spec }) => spec.rules.symbol === symbol)?.funding ?? [];
    const next = funding.find((row) => row.atMs > atMs);
    const longPays = Number(next?.rate ?? 0);
    const rate = leg === "LONG" ? longPays : -longPays;
    return next !== undefined && next.atMs - atMs <= DECISION_LIFE_MS && rate > 0 ? [rate * 10_000] : [];
  });
  const most = paid.length === 0 ? "" : `, ${mean(paid).toFixed(2)} bp each, at most ${Math.max(...paid).toFixed(2)}`;
  return `${paid.length} of ${openings.length}${most}`;
}
