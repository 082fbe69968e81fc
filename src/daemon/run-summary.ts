/** The last log lines of a run: its result, the positions left open with their stops, and where to look further. */
import path from "node:path";
import type { AgentStatus, PositionStatus } from "../agent/decide/status.ts";
import { dec, sumDecimals, toWire, ZERO } from "../core/decimal.ts";
import type { Log, LogFields } from "../core/log.ts";
import { formatSpan } from "../core/time.ts";
import { counted } from "../core/words.ts";
import type { JournalRow, RowKind } from "../rows/row.ts";
import { shownUsd } from "../llm/budget/entries.ts";
import type { Cause } from "../causes/cause.ts";
import { causeText } from "../causes/cause-watch.ts";
import { mainCause, signed } from "./heartbeat.ts";
import { readDecision } from "../rows/decision.ts";
import { readEquity } from "../rows/equity.ts";
import { readFill } from "../rows/fill.ts";
import { readModelSettle } from "../rows/model-settle.ts";
import { readTrade } from "../rows/trade.ts";

/** `rows` are only those of this run. */
export interface RunFacts {
  readonly rows: readonly JournalRow[];
  readonly status: Pick<AgentStatus, "equityUsdt" | "positions" | "orders" | "uptime">;
  readonly ranMs: number;
  /** As they were when the stop was requested. */
  readonly causes: readonly Cause[];
  readonly dataDir: string;
}

/** The kinds of rows that the summary counts. */
export const SUMMED_KINDS: readonly RowKind[] = ["equity", "decision", "fill", "trade", "model-settle"];

interface Summary {
  readonly msg: string;
  readonly fields: LogFields;
}

export function runSummary({ rows, status, ranMs, causes, dataDir }: RunFacts): Summary {
  const of = (kind: RowKind): readonly JournalRow[] => rows.filter((row) => row.kind === kind);
  const [first] = of("equity").map(readEquity);
  const from = first ? toWire(first.equityUsdt) : null;
  const to = status.equityUsdt;
  const change = from && to ? dec(to).sub(from) : null;
  const decisions = of("decision")
    .map(readDecision)
    .filter((row) => "trigger" in row).length;
  const fills = of("fill").map(readFill);
  const trades = of("trade")
    .map(readTrade)
    .filter((row) => row.event === "closed");
  const net = sumDecimals(trades.map(({ netUsdt }) => netUsdt ?? ZERO));
  const fees = sumDecimals(fills.map(({ fee }) => fee));
  // A later row of the same attempt may correct a booking.
  const bookings = new Map(
    of("model-settle")
      .map(readModelSettle)
      .map((row) => [row.attemptId, row.costUsd]),
  );
  const spent = sumDecimals(bookings.values());
  const open = status.positions.length;
  const orders = status.orders.filter(({ ours }) => ours).length;
  const equity =
    from && to && change
      ? `equity ${dec(from).toFixed(2)} to ${dec(to).toFixed(2)} USDT (${signed(change)})`
      : "equity was not read";
  const left = [
    open === 0 ? "no position open" : `${counted(open, "position")} open`,
    ...(orders === 0 ? [] : [`${counted(orders, "order")} of ours at the venue`]),
  ];
  const cause = mainCause(causes);
  const parts = [
    `ran ${formatSpan(ranMs)}: ${equity}`,
    counted(decisions, "decision"),
    counted(fills.length, "fill"),
    `${counted(trades.length, "trade")} closed (${signed(net)} USDT after costs)`,
    `fees ${fees.toFixed(2)} USDT`,
    `model ${shownUsd(spent)} USD`,
    `uptime ${(status.uptime.ratio * 100).toFixed(2)} % since the first start`,
    ...left,
  ];
  return {
    msg: `${parts.join(", ")}${cause ? `; not solved: ${causeText(cause)}` : ""}. ${lookFurther(dataDir)}`,
    fields: {
      ranMs: Math.round(ranMs),
      equityFromUsdt: from,
      equityToUsdt: to,
      decisions,
      fills: fills.length,
      trades: trades.length,
      tradesNetUsdt: toWire(net),
      feesUsdt: toWire(fees),
      modelSpentUsd: toWire(spent),
      uptime: status.uptime.ratio,
      positionsOpen: open,
      ordersOpen: orders,
      cause: cause?.sentence ?? null,
    },
  };
}

/** Commands to copy. */
function lookFurther(dataDir: string): string {
  const named = /\s/.test(dataDir) ? JSON.stringify(dataDir) : dataDir;
  const folder = path.resolve(dataDir) === path.resolve("data") ? "" : `, each with --data-dir ${named}`;
  const commands = ["status", "why-not", "logs --since 1h", "verify"].map((name) => `ballast ${name}`).join(" | ");
  return `Look further${folder}: ${commands}`;
}

/** What protects a position that is left open. A stop that was asked for may stand: only its confirmation is missing. */
function protectedBy({ stopPrice, wantedStopPrice, protection }: PositionStatus): string {
  if (stopPrice !== null) return `under its stop at ${stopPrice} at the venue`;
  if (protection === "none") return "WITHOUT a stop at the venue";
  return `with a stop${wantedStopPrice === null ? "" : ` at ${wantedStopPrice}`} that the venue has not confirmed yet`;
}

/** One position left open. */
export function leftOpen(position: PositionStatus): Summary {
  const { symbol, side, qty, avgPrice, stopPrice, targetPrice, unrealizedUsdt } = position;
  const target = targetPrice === null ? "" : `, target ${targetPrice}`;
  const result = `unrealised ${signed(dec(unrealizedUsdt))} USDT`;
  return {
    msg: `${side} ${qty} ${symbol} from ${avgPrice} stays open ${protectedBy(position)}${target}, ${result}`,
    fields: { symbol, side, qty, avgPrice, stopPrice, targetPrice, unrealizedUsdt },
  };
}

export function reportSummary(log: Log, facts: RunFacts): void {
  for (const position of facts.status.positions) {
    const { msg, fields } = leftOpen(position);
    log.event(position.stopPrice === null ? "warn" : "info", "position.left", msg, fields);
  }
  const { msg, fields } = runSummary(facts);
  log.event("info", "agent.summed", msg, fields);
}
