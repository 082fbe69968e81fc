/** What part a journal row has in its decision, for the page's feed. Texts are cut: the whole story is one click away. */
import { AT_TARGET } from "../agent/execute/planner.ts";
import { readDecision } from "../rows/decision.ts";
import { readFill } from "../rows/fill.ts";
import type { JournalRow } from "../rows/row.ts";
import { readVerdict } from "../rows/verdict.ts";
import type { DeckStep } from "./shapes.ts";

const REASON_MAX = 300;

const cut = (text: string): string => (text.length > REASON_MAX ? `${text.slice(0, REASON_MAX)}…` : text);

/** Null for a row of no decision, or of a kind that is not drawn. Throws RowError for a row that does not fit its kind. */
export function stepOf(row: JournalRow): DeckStep | null {
  if (row.decisionId === null) return null;
  if (row.kind === "decision") return decisionStep(row);
  if (row.kind === "verdict") return verdictStep(row);
  if (row.kind !== "fill") return null;
  const { symbol, side, qty, price } = readFill(row);
  return { is: "filled", symbol, side, qty: qty.toString(), price: price.toString() };
}

function decisionStep(row: JournalRow): DeckStep {
  const decision = readDecision(row);
  if ("trigger" in decision) return { is: "triggered", by: decision.trigger.map(cut), strategy: decision.strategy };
  if ("failed" in decision) return { is: "failed", reason: cut(decision.reason) };
  const wanted = decision.wishes.map(({ symbol, leg, size, reason }) => ({ symbol, leg, size, reason: cut(reason) }));
  return { is: "decided", note: cut(decision.note), wanted };
}

function verdictStep(row: JournalRow): DeckStep {
  const verdict = readVerdict(row);
  if ("skipped" in verdict) {
    const { symbol, skipped } = verdict;
    return { is: "skipped", symbol, reason: cut(skipped), atTarget: skipped === AT_TARGET };
  }
  const { symbol, side, kind, verdicts } = verdict;
  const against = verdicts.filter((each) => each.kind !== "allow");
  return {
    is: "judged",
    symbol,
    side,
    approved: kind === "approved",
    asked: verdicts.length,
    against: against.map(({ limit, kind: says, reason }) => ({ limit, kind: says, reason: cut(reason) })),
  };
}
