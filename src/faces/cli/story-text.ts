/** The rows of one decision as a story for a person: one line a row, figures first, long parts cut. */
import { isoTime } from "../../core/time.ts";
import { oneLine } from "../log-lines.ts";

export interface StoryRow {
  readonly seq: number;
  readonly atMs: number;
  readonly kind: string;
  readonly body: unknown;
}

type Body = Readonly<Record<string, unknown>>;

const show = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const cut = (text: string, length = 400): string => (text.length > length ? `${text.slice(0, length)}...` : text);

function decisionLine(body: Body): string {
  if (body["trigger"]) {
    const snapshot = body["snapshot"] as
      { account?: { equityUsdt?: string }; symbols?: unknown[]; news?: unknown[]; missing?: unknown[] } | undefined;
    const seen = snapshot
      ? `; saw ${snapshot.symbols?.length ?? 0} symbols, ${snapshot.news?.length ?? 0} news items, equity ${snapshot.account?.equityUsdt ?? "unknown"}${snapshot.missing?.length ? `, missing: ${show(snapshot.missing)}` : ""}`
      : "";
    return `triggered by ${show(body["trigger"])}, asked ${show(body["strategy"])}${seen}`;
  }
  if (body["failed"]) return `${show(body["failed"])} gave no decision: ${show(body["reason"])}`;
  return `${show(body["by"])} answered ${show(body["kind"])}: ${show(body["note"])}${body["wishes"] ? ` ${show(body["wishes"])}` : ""}`;
}

function verdictLine(body: Body): string {
  if (body["skipped"])
    return `${show(body["symbol"])} ${show(body["leg"] ?? "")}: not drafted, ${show(body["skipped"])}`;
  const verdicts =
    (body["verdicts"] as { limit: string; kind: string; found: string; allowed: string }[] | undefined) ?? [];
  const each = verdicts.map(
    (verdict) =>
      `\n      ${verdict.kind.padEnd(6)} ${verdict.limit.padEnd(20)} found ${verdict.found}, allowed ${verdict.allowed}`,
  );
  return `${show(body["side"])} ${show(body["symbol"])}: ${show(body["kind"])}${each.join("")}`;
}

function lineOf({ kind, body }: StoryRow): string {
  const facts = (body ?? {}) as Body;
  if (kind === "decision") return cut(oneLine(decisionLine(facts)), 1_500);
  if (kind === "verdict") return verdictLine(facts);
  return cut(oneLine(show(facts)), 700);
}

export function storyText(decisionId: string, rows: readonly StoryRow[]): string {
  const lines = rows.map((row) => `  ${isoTime(row.atMs).slice(11, 23)}  ${row.kind.padEnd(12)} ${lineOf(row)}`);
  const day = rows[0] ? isoTime(rows[0].atMs).slice(0, 10) : "";
  return `Decision ${decisionId}, ${day}, ${rows.length} rows\n${lines.join("\n")}\n`;
}
