/** One decision as a story: what was seen, asked and answered, every row, the outcome, and the result of a rerun. */
import { formatSpan, isoTime } from "../../core/time.ts";
import { oneLine } from "../../core/safe-text.ts";
import { type SeenFacts, seenText } from "./seen-text.ts";
import { rowText } from "../../rows/all-rows.ts";
import type { WrittenRow } from "../../rows/row.ts";
import { counted } from "../../core/words.ts";

/** `kind` is the outcome of the question; `replyText` is null if no text came. */
export interface ExplainedQuestion {
  readonly prompt: string;
  readonly version: string;
  readonly promptHash: string;
  readonly system: string;
  readonly user: string;
  readonly kind: string;
  readonly cached: boolean;
  readonly replyText: string | null;
}

/** What `ballast explain --json` prints: USDT as decimal text, instants in epoch ms. */
export interface ExplainFacts {
  readonly decisionId: string;
  readonly clientOrderIds: readonly string[];
  readonly rows: readonly StoryRow[];
  /** Null when no page is kept. */
  readonly seen: SeenFacts | null;
  readonly asked: readonly ExplainedQuestion[];
  /** Pages that cannot be read, each with the reason. */
  readonly lost: readonly string[];
  readonly outcome: {
    readonly fills: number;
    readonly feesUsdt: string;
    readonly positions: readonly {
      readonly leg: string;
      readonly openedAtMs: number;
      readonly closedAtMs: number | null;
      readonly qty: string;
      readonly avgPrice: string;
      readonly stopPrice: string | null;
      readonly realizedUsdt: string;
      readonly feesUsdt: string;
    }[];
  };
  /** Null if no rerun was requested. */
  readonly rerun: readonly { readonly what: string; readonly same: boolean; readonly detail: string }[] | null;
}

/** Row kinds whose content is shown in a section of its own. */
const SHOWN_ELSEWHERE = new Set(["snapshot", "beat"]);

/** Without `full`, snapshot and beat rows and the stable part of each prompt are left out. */
export function explainText(facts: ExplainFacts, { full }: { readonly full: boolean }): string {
  const rows = full ? facts.rows : facts.rows.filter((row) => !SHOWN_ELSEWHERE.has(row.kind));
  const parts = [
    storyText(facts.decisionId, rows),
    facts.seen ? seenText(facts.seen) : "What was seen: only what the rows say; no page is kept\n",
    ...facts.lost.map((why) => `  not shown: ${why}\n`),
    ...facts.asked.map((asked) => askedText(asked, full)),
    outcomeText(facts.outcome),
    facts.rerun ? rerunText(facts.rerun) : "",
  ];
  return parts.filter((part) => part !== "").join("\n");
}

/** Keeps line breaks and removes characters that could draw on the terminal. */
const block = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  | ${oneLine(line)}\n`)
    .join("");

function askedText(asked: ExplainedQuestion, full: boolean): string {
  const { prompt, version, promptHash, system, user, replyText } = asked;
  const stable = full ? block(system) : `  | (${system.length} characters that stay the same; --full shows them)\n`;
  const answer = asked.cached ? "the reply, given to an equal question before" : `the reply (${asked.kind})`;
  return `Asked with ${prompt} version ${version}, file ${promptHash.slice(0, 12)}\n${stable}${block(user)}  ${answer}\n${block(replyText ?? "none")}`;
}

function outcomeText({ fills, feesUsdt, positions }: ExplainFacts["outcome"]): string {
  if (fills === 0 && positions.length === 0) return "Outcome so far: nothing was filled\n";
  const lines = positions.map((position) => {
    const [symbol, side] = position.leg.split("|");
    const money = `realised ${position.realizedUsdt} USDT, fees ${position.feesUsdt}`;
    return position.closedAtMs === null
      ? `  ${side} ${symbol}: ${position.qty} from ${position.avgPrice} still stands, stop ${position.stopPrice ?? "none"}; ${money}\n`
      : `  ${side} ${symbol}: closed after ${formatSpan(position.closedAtMs - position.openedAtMs)} at ${isoTime(position.closedAtMs)}; ${money}\n`;
  });
  return `Outcome so far: ${counted(fills, "fill")}, fees ${feesUsdt} USDT\n${lines.join("")}`;
}

function rerunText(steps: NonNullable<ExplainFacts["rerun"]>): string {
  const differs = steps.filter((step) => !step.same).length;
  const verdict = differs === 0 ? "the same decision" : `it DIFFERS in ${differs} of ${counted(steps.length, "step")}`;
  const lines = steps.map(
    ({ what, same, detail }) => `  ${same ? "same   " : "DIFFERS"} ${what.padEnd(28)} ${oneLine(detail)}\n`,
  );
  return `Made again from what was kept: ${verdict}\n${lines.join("")}`;
}

/** `atMs` is when the row was written, epoch ms. */
export interface StoryRow extends WrittenRow {
  readonly atMs: number;
}

/** Clock times are UTC. Throws RowError for a row that does not fit its kind. */
export function storyText(decisionId: string, rows: readonly StoryRow[]): string {
  const lines = rows.map((row) => `  ${isoTime(row.atMs).slice(11, 23)}  ${row.kind.padEnd(13)} ${rowText(row)}`);
  const day = rows[0] ? isoTime(rows[0].atMs).slice(0, 10) : "";
  return `Decision ${decisionId}, ${day}, ${counted(rows.length, "row")}\n${lines.join("\n")}\n`;
}
