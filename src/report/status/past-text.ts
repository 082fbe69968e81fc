/** The status of an agent that does not run, as its journal left it. */
import { counted } from "../../core/words.ts";
import type { LiveScore } from "../../domain/live-score.ts";
import type { UptimeFacts } from "./facts.ts";
import { fitColumns, row, scoreText, uptimeText } from "./text.ts";

/** Figures are decimal texts. */
export interface PastStatus {
  readonly journal: string;
  readonly rows: number;
  readonly lastBeat: { readonly at: string } | null;
  readonly equityUsdt: string | null;
  readonly lastDecision: { readonly decision: string | null } | null;
  readonly positions: readonly PastPosition[];
  readonly uptime: UptimeFacts;
  readonly score: LiveScore | null;
}

interface PastPosition {
  readonly symbol: string;
  readonly side: string;
  readonly qty: string;
  readonly avgPrice: string;
  readonly stopPrice: string | null;
}

/** `who` says that no agent runs, or that one does not answer. */
export function pastStatusText(who: string, past: PastStatus): string {
  const { journal, rows, lastBeat, equityUsdt, lastDecision, positions, uptime, score } = past;
  const lines = [
    row("last beat", lastBeat?.at ?? "never"),
    row("last equity", equityUsdt === null ? "unknown" : `${equityUsdt} USDT`),
    row("last decision", lastDecision?.decision ?? "none"),
    ...(positions.length === 0 ? [row("positions", "none")] : positions.map(positionText)),
  ];
  const page = fitColumns(`${lines.join("")}${uptimeText(uptime)}${scoreText(score)}`);
  return `${who}. From the journal ${journal} (${counted(rows, "row")}):\n${page}`;
}

const positionText = ({ symbol, side, qty, avgPrice, stopPrice }: PastPosition, at: number): string =>
  row(at === 0 ? "positions" : "", `${side} ${symbol}: ${qty} at ${avgPrice}, stop ${stopPrice ?? "none"}`);
