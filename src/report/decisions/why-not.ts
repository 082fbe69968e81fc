/**
 * The outcomes of the decisions in a span of time, and why some of them opened nothing. Read from the journal alone, row by
 * row, so that it works both beside a running agent and without one.
 */
import { AT_TARGET } from "../../agent/execute/planner.ts";
import { type DecisionRow, readDecision } from "../../rows/decision.ts";
import { readFill } from "../../rows/fill.ts";
import { endWords, type IntentRow, readIntent } from "../../rows/intent.ts";
import type { JournalRow, RowKind } from "../../rows/row.ts";
import { verdictText } from "../../risk/verdict.ts";
import { readVerdict, type VerdictRow } from "../../rows/verdict.ts";
import { readWireIn } from "../../rows/wire-in.ts";

/** In the order in which they explain a decision that opened nothing: a failure explains more than what followed it. */
export const OUTCOMES = [
  "opened",
  "placed",
  "failed",
  "not-allowed",
  "denied",
  "dropped",
  "closed",
  "reduced",
  "held",
  "no-stance",
  "undecided",
] as const;
export type DecisionEnd = (typeof OUTCOMES)[number];

export interface Example {
  readonly decisionId: string;
  readonly atMs: number;
}

/** Decisions that ended the same way for the same reason; `reason` is the newest one's, with its figures. */
export interface Group {
  readonly outcome: DecisionEnd;
  readonly reason: string;
  readonly count: number;
  /** Newest first. */
  readonly examples: readonly Example[];
}

/** The rows that show how a decision ended. */
export const REPORTED_BY: readonly RowKind[] = ["decision", "verdict", "intent", "wire-in", "fill"];

const EXAMPLES_MAX = 3;

interface Story {
  readonly decisionId: string;
  readonly atMs: number;
  readonly mayNotOpen: string | null;
  failed: string | null;
  answered: { readonly kind: string | null; readonly note: string; readonly targets: number } | null;
  denied: string | null;
  dropped: string | null;
  atTarget: number;
  readonly openings: Set<string>;
  placed: boolean;
  opened: boolean;
  /** A position was closed whole. */
  closed: boolean;
  /** Something that is held became less. */
  reduced: boolean;
}

/** Takes rows oldest first; decisions that began before the first row are left out. */
export interface WhyNot {
  take(row: JournalRow): void;
  /** By outcome, then by count. */
  groups(): readonly Group[];
}

export function whyNot(): WhyNot {
  const stories = new Map<string, Story>();
  return {
    take: (row) => {
      if (row.decisionId === null) return;
      const story = stories.get(row.decisionId);
      if (story) report(story, row);
      else if (row.kind === "decision") begin(stories, row.decisionId, row);
    },
    groups: () => grouped([...stories.values()]),
  };
}

function begin(stories: Map<string, Story>, decisionId: string, row: JournalRow): void {
  const decision = readDecision(row);
  if (!("trigger" in decision)) return;
  const { mayOpen, reason } = decision.snapshot.headroom;
  stories.set(decisionId, {
    decisionId,
    atMs: row.atMs,
    mayNotOpen: mayOpen ? null : reason,
    failed: null,
    answered: null,
    denied: null,
    dropped: null,
    atTarget: 0,
    openings: new Set(),
    placed: false,
    opened: false,
    closed: false,
    reduced: false,
  });
}

function report(story: Story, row: JournalRow): void {
  switch (row.kind) {
    case "decision":
      return reportAnswer(story, readDecision(row));
    case "verdict":
      return reportVerdict(story, readVerdict(row));
    case "intent":
      return reportIntent(story, readIntent(row));
    case "wire-in": {
      const { outcome, action, clientOrderId } = readWireIn(row);
      if (outcome !== "done") return;
      if (action === "order.place" && story.openings.has(clientOrderId ?? "")) story.placed = true;
      if (action === "position.close") story.closed = true;
      return;
    }
    case "fill":
      if (readFill(row).opening) story.opened = true;
      else story.reduced = true;
      return;
    default:
  }
}

function reportAnswer(story: Story, row: DecisionRow): void {
  if ("failed" in row) story.failed = row.reason;
  else if ("by" in row) story.answered = { kind: row.kind, note: row.note, targets: row.wishes.length };
}

function reportVerdict(story: Story, row: VerdictRow): void {
  if ("skipped" in row) {
    if (row.skipped === AT_TARGET) story.atTarget += 1;
    else story.dropped = `${row.symbol}: ${row.skipped}`;
    return;
  }
  const denying = row.kind === "denied" ? row.verdicts.find(({ kind }) => kind === "deny") : undefined;
  if (denying) story.denied = `${verdictText(denying)} for ${row.symbol}`;
}

/** An opening intent, or the end of one: it provably never had an order, or the venue refused it. */
function reportIntent(story: Story, row: IntentRow): void {
  if (row.event === "open" && row.opening) story.openings.add(row.clientOrderId);
  if (row.event !== "end" || !story.openings.has(row.intentId)) return;
  if (row.how !== "terminal" || row.state === "REJECTED") story.dropped ??= `${row.how}: ${endWords(row)}`;
}

const notAll = ({ denied, dropped }: Story): string => {
  const against = denied ?? dropped;
  return against === null ? "" : `less than the target: ${against}`;
};

function ended(story: Story): { readonly outcome: DecisionEnd; readonly reason: string } {
  const { answered } = story;
  if (story.opened) return { outcome: "opened", reason: notAll(story) };
  if (story.placed) return { outcome: "placed", reason: story.dropped ?? "" };
  if (story.failed !== null) return { outcome: "failed", reason: story.failed };
  if (story.mayNotOpen !== null) return { outcome: "not-allowed", reason: story.mayNotOpen };
  if (story.denied !== null) return { outcome: "denied", reason: story.denied };
  if (story.dropped !== null) return { outcome: "dropped", reason: story.dropped };
  if (story.closed) return { outcome: "closed", reason: answered?.note ?? "" };
  if (story.reduced) return { outcome: "reduced", reason: answered?.note ?? "" };
  if (answered === null) return { outcome: "undecided", reason: "" };
  if (answered.targets > 0 || story.atTarget > 0) return { outcome: "held", reason: answered.note };
  return { outcome: "no-stance", reason: answered.note };
}

/** Reasons are the same if they differ only in figures and symbols. */
const kindOf = (reason: string): string => reason.replace(/\S*[\d_]\S*/g, "#");

function grouped(stories: readonly Story[]): readonly Group[] {
  const groups = new Map<string, Group>();
  // Newest first, so that a group gets the newest reason and examples.
  for (const story of stories.toReversed()) {
    const { outcome, reason } = ended(story);
    const key = `${outcome} ${kindOf(reason)}`;
    const { decisionId, atMs } = story;
    const known = groups.get(key) ?? { outcome, reason, count: 0, examples: [] };
    const examples = known.examples.length < EXAMPLES_MAX ? [...known.examples, { decisionId, atMs }] : known.examples;
    groups.set(key, { ...known, count: known.count + 1, examples });
  }
  const place = ({ outcome }: Group): number => OUTCOMES.indexOf(outcome);
  return [...groups.values()].toSorted((a, b) => place(a) - place(b) || b.count - a.count);
}
