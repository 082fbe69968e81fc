/**
 * What each use of the model's money bought: calls, cost, decisions, changes of mind, and on paper what the changes were
 * worth. A change is worth the difference of the two sets of targets times the move of the price in the four hours after
 * it, as later decisions saw the price; costs of trading are not in it.
 */
import { type Decimal, sumDecimals } from "../../core/decimal.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/time.ts";
import { type DecisionRow, readDecision } from "../../rows/decision.ts";
import type { JournalRow } from "../../rows/row.ts";
import { EXTRA_USES } from "../../strategy/strategy.ts";
import type { PricedQuestion } from "../models/questions.ts";

/** `name` is `decision`, a use of the spend plan, `review` or another purpose. */
export interface UseTally {
  readonly name: string;
  readonly calls: number;
  readonly costUsd: Decimal;
  /** Of the day's spend on questions, 0 to 1. */
  readonly share: number;
  /** Decisions that had an answer of this use, and those that it changed; null for what changes none. */
  readonly decisions: number | null;
  readonly changed: number | null;
  /** Changes whose four hours are over, and the sum of their worth in percent of a largest position; null without one. */
  readonly judged: number;
  readonly worthPercent: number | null;
}

const AFTER_MS = 4 * HOUR_MS;
/** A later decision counts as four hours after within this time. */
const SLACK_MS = 30 * MINUTE_MS;
/** Decisions up to so long after the day are needed to judge its changes. */
export const JUDGED_AFTER_MS = AFTER_MS + SLACK_MS;

/** In the order of spending, the plain decisions first. `rows` are decision rows; later ones than the day's give the prices. */
export function useTallies(
  questions: readonly PricedQuestion[],
  rows: readonly JournalRow[],
  inDay: (row: JournalRow) => boolean,
): readonly UseTally[] {
  const names = [...new Set(questions.map(useOf))];
  const rank = (name: string): number => [...ORDER, name].indexOf(name);
  const total = sumDecimals(questions.map(({ costUsd }) => costUsd));
  const changes = changesIn(rows, inDay);
  return names
    .sort((a, b) => rank(a) - rank(b))
    .map((name) => {
      const of = questions.filter((question) => useOf(question) === name);
      const costUsd = sumDecimals(of.map((question) => question.costUsd));
      const mine = changes.filter(({ use }) => use === name);
      const judged = mine.flatMap(({ changed, worth }) => (changed && worth !== null ? [worth] : []));
      const votes = EXTRA_USES.some((use) => use === name) && name !== "post-mortem" && name !== "shadow-prompt";
      return {
        name,
        calls: of.filter(({ cached, kind }) => !cached && !NOT_ASKED.has(kind)).length,
        costUsd,
        share: total.isZero() ? 0 : costUsd.div(total).toNumber(),
        decisions: votes ? mine.length : null,
        changed: votes ? mine.filter(({ changed }) => changed).length : null,
        judged: judged.length,
        worthPercent: judged.length === 0 ? null : 100 * judged.reduce((sum, worth) => sum + worth, 0),
      };
    });
}

const ORDER: readonly string[] = ["decision", ...EXTRA_USES];
const NOT_ASKED = new Set(["over-budget", "unavailable", "paced"]);

/** All shadows are one use. */
const useOf = ({ purpose }: PricedQuestion): string => (/^shadow\b/.test(purpose) ? "shadow-prompt" : purpose);

interface Change {
  readonly use: string;
  readonly changed: boolean;
  /** Fraction of a largest position; null while it cannot be judged. */
  readonly worth: number | null;
}

type Begun = Extract<DecisionRow, { trigger: readonly string[] }>;

function changesIn(rows: readonly JournalRow[], inDay: (row: JournalRow) => boolean): readonly Change[] {
  const read = rows.flatMap((row) => (row.kind === "decision" ? [{ row, body: readDecision(row) }] : []));
  const begun = read.flatMap(({ row, body }) => ("trigger" in body ? [{ ...row, begun: body }] : []));
  const byId = new Map(begun.map((each) => [each.decisionId, each.begun]));
  return read.flatMap(({ row, body }) => {
    if (!("by" in body) || !body.bought || !inDay(row)) return [];
    const start = byId.get(row.decisionId);
    const later = begun.find(({ atMs }) => atMs >= row.atMs + AFTER_MS && atMs <= row.atMs + JUDGED_AFTER_MS)?.begun;
    return body.bought.map(({ use, changed, without }) => ({
      use,
      changed,
      worth: start && later ? worthOf({ whole: body.wishes, without }, start, later) : null,
    }));
  });
}

interface Target {
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  readonly size: number;
}

/** A position that one of the two sets does not name stays as it is: without its size the difference is unknown. */
function worthOf(
  { whole, without }: { readonly whole: readonly Target[]; readonly without: readonly Target[] },
  start: Begun,
  later: Begun,
): number | null {
  const held = new Set(start.snapshot?.account?.positions.map(({ symbol, side }) => `${symbol} ${side}`));
  const named = new Map([...whole, ...without].map((target) => [`${target.symbol} ${target.leg}`, target]));
  let worth: number | null = null;
  for (const [position, { symbol, leg }] of named) {
    const sizeIn = (targets: readonly Target[]): number | null =>
      targets.find((one) => one.symbol === symbol && one.leg === leg)?.size ?? (held.has(position) ? null : 0);
    const [ours, plain] = [sizeIn(whole), sizeIn(without)];
    const [then, now] = [markIn(start, symbol), markIn(later, symbol)];
    if (ours === null || plain === null || then === null || now === null) continue;
    worth = (worth ?? 0) + (ours - plain) * (leg === "LONG" ? 1 : -1) * (now / then - 1);
  }
  return worth;
}

function markIn({ snapshot }: Begun, symbol: string): number | null {
  const found = snapshot?.symbols.find((one) => (one as { symbol?: unknown } | null)?.symbol === symbol);
  const mark = (found as { mark?: unknown } | undefined)?.mark;
  return typeof mark === "number" && mark > 0 ? mark : null;
}
