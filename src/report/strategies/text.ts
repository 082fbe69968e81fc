/** Strategies, scores, switches and lessons as text for a terminal. Knows only the shapes it prints. */
import Table from "cli-table3";
import { isoTime } from "../../core/time.ts";
import type { OrderCosts } from "../orders/costs.ts";
import type { ClosedTradeRow } from "../../rows/trade.ts";
import { calibrate, convictionCurve, type CurveBin } from "../../strategy/calibration.ts";
import { factsOf } from "../../strategy/thesis.ts";
import { counted } from "../../core/words.ts";

/** A shadow's paper account: return and drawdown are fractions; `sharpe` is null while it is too early. */
export interface ShadowFacts {
  readonly name: string;
  readonly strategy: string;
  readonly sinceMs: number;
  readonly decisions: number;
  readonly failed: number;
  readonly trades: number;
  readonly wins: number;
  readonly open: number;
  readonly returnAfterCosts: number;
  readonly maxDrawdown: number;
  readonly sharpe: number | null;
  readonly hourlyDrawdown: number;
  readonly model: string | null;
  readonly modelCostUsd: number;
  readonly costBps: number | null;
}

const plain = { head: [], border: [] };
const signedPercent = (share: number): string => `${share > 0 ? "+" : ""}${(share * 100).toFixed(2)} %`;
const minuteOf = (atMs: number): string => `${isoTime(atMs).slice(0, 16)}Z`;

/** What the account's own orders cost, to be compared with the shadows. */
const liveText = (live: OrderCosts | null): string =>
  live === null
    ? ""
    : ` The account's own orders since the first of them cost ${live.costBps.toFixed(2)} bp over ${counted(live.orders, "order")}, ${Math.round(live.makerShare * 100)} % of their value as maker.`;

/**
 * One line for each shadow: its paper score after fees, spread, slippage and funding, with the model's cost beside it. `live` is
 * what the account's own orders cost meanwhile.
 */
export function shadowsText(scores: readonly ShadowFacts[], live: OrderCosts | null): string {
  if (scores.length === 0) return "No shadows. Name strategies under strategy.shadows in the configuration.\n";
  const table = new Table({
    head: [
      "shadow",
      "since",
      "decisions",
      "failed",
      "trades",
      "won",
      "open",
      "return",
      "drawdown",
      "hourly",
      "Sharpe",
      "cost bp",
      "model",
      "model USD",
    ],
    style: plain,
  });
  for (const score of scores) {
    table.push([
      score.name === score.strategy ? score.name : `${score.name} (${score.strategy})`,
      minuteOf(score.sinceMs),
      score.decisions,
      score.failed,
      score.trades,
      score.wins,
      score.open,
      signedPercent(score.returnAfterCosts),
      `${(score.maxDrawdown * 100).toFixed(2)} %`,
      `${(score.hourlyDrawdown * 100).toFixed(2)} %`,
      score.sharpe === null ? "too early" : score.sharpe.toFixed(2),
      score.costBps?.toFixed(2) ?? "-",
      score.model ?? "-",
      score.modelCostUsd.toFixed(4),
    ]);
  }
  return `${table.toString()}\nReturn and Sharpe are those of paper accounts with the same start, after fees, spread, slippage and funding; Sharpe by the organiser's days. The model's cost is shown separately. A shadow always crosses, so its cost in basis points of value is that of crossing.${liveText(live)}\n`;
}

/** `differences` are lines of `setting: before → after`; if there are none, nothing changed. */
export interface SwitchFacts {
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly handover: string;
  readonly differences: readonly string[];
  readonly positions: readonly string[];
  readonly withdrawn: readonly string[];
}

/** What a switch did, with the values before and after it. */
export function switchText({ from, to, handover, differences, positions, withdrawn }: SwitchFacts): string {
  if (differences.length === 0) return `${to} decides already; nothing changes.\n`;
  const lines = [
    from === to ? `${to} continues with changes:` : `${from} hands over to ${to} (${handover}):`,
    ...differences.map((difference) => `  ${difference}`),
    `  open positions: ${positions.length === 0 ? "none" : positions.join(", ")}`,
  ];
  if (withdrawn.length > 0) lines.push(`  opening orders withdrawn: ${withdrawn.join(", ")}`);
  return `${lines.join("\n")}\n`;
}

/** `needsModel` distinguishes a strategy that asks a model from a plain rule. */
export interface ListedStrategy {
  readonly name: string;
  readonly needsModel: boolean;
  readonly description: string;
}

/** Every available strategy, the deciding one with a star. */
export function strategiesText(strategies: readonly ListedStrategy[], deciding: string | null): string {
  const width = Math.max(...strategies.map(({ name }) => name.length));
  const lines = strategies.map(
    ({ name, needsModel, description }) =>
      `${name === deciding ? "*" : " "} ${name.padEnd(width)}  ${needsModel ? "model" : "rule "}  ${description}`,
  );
  return `${lines.join("\n")}\n`;
}

/** `text` is the lesson in words; `expiresAtMs` is epoch ms. */
export interface LessonFacts {
  readonly id: string;
  readonly text: string;
  readonly expiresAtMs: number;
}

/** One line each, with the id that `ballast lessons forget` takes. */
export const lessonsText = (lessons: readonly LessonFacts[]): string =>
  lessons.length === 0
    ? "No lessons are in force.\n"
    : `${lessons.map(({ id, text, expiresAtMs }) => `${id}  until ${minuteOf(expiresAtMs)}  ${text}`).join("\n")}\n`;

/** What convictions that were stated at openings were worth. `skill` is null with fewer than two trades. */
export interface ConvictionFacts {
  readonly trades: number;
  readonly skill: number | null;
  readonly curve: readonly CurveBin[];
}

/** From closed trades with a known result and a stated conviction. */
export function convictionFacts(trades: readonly Pick<ClosedTradeRow, "thesis" | "netUsdt">[]): ConvictionFacts {
  const record = trades.flatMap(({ thesis, netUsdt }) => {
    const { conviction } = factsOf(thesis);
    return conviction === undefined || netUsdt === null ? [] : [{ conviction, won: netUsdt.gt(0) }];
  });
  const { skill } = calibrate(record, { tradesMin: 0, skillMin: 0 });
  return { trades: record.length, skill, curve: convictionCurve(record) };
}

/** One line for each fifth of conviction that has trades; empty without any. */
export function convictionText({ trades, skill, curve }: ConvictionFacts): string {
  if (trades === 0) return "";
  const percent = (share: number): string => `${Math.round(share * 100)}`;
  const lines = curve.map(
    ({ from, to, trades: count, won, interval: { low, high } }) =>
      `  ${from.toFixed(1)} to ${to.toFixed(1)}  won ${won} of ${count}, ${percent(won / count)} % (95 %: ${percent(low)} to ${percent(high)} %)`,
  );
  const worth =
    skill === null ? "" : `; Brier skill ${skill.toFixed(2)} (1 perfect, 0 no better than the share of wins)`;
  return `\nStated conviction against results, ${counted(trades, "closed trade")}${worth}:\n${lines.join("\n")}\n`;
}
