import { rec, text } from "../fields.ts";
import { lengthOf, without } from "../alive.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { type IntentView, journalView } from "../journal-view.ts";
import type { Row } from "../rows.ts";
import { type Span, stoppedSpans } from "../service.ts";

/** Heartbeats come every 10 s; a hanging model must not delay them. */
const BEAT_GAP_MS = 30_000;

/** I23: a model that is silent or fails opens nothing and delays no heartbeat by more than 30 s. */
export const i23: Invariant = {
  id: "I23",
  title: "Model-free safety",
  rule: "A strategy that asked a model opens nothing without an answer that a model gave to that decision; while an answer is awaited or fails, the loop goes on beating.",
  needs: [],
  more: [],
  unseen: "That the other invariants hold meanwhile is reported by themselves.",
  judge: (history) => [
    ...[...journalView(history).intents.values()].flatMap((intent) => openedUnasked(history, intent)),
    ...silences(history),
  ],
};

const outcomeKind = (row: Row): string | null => {
  const outcome = rec(row.body, "outcome");
  return outcome && text(outcome, "kind");
};

function openedUnasked(history: History, intent: IntentView): readonly Finding[] {
  const [row] = intent.opened;
  if (!row || !intent.opening || row.decisionId === null) return [];
  const of = (kind: string): readonly Row[] =>
    journalView(history)
      .kinds(kind)
      .filter((candidate) => candidate.decisionId === row.decisionId && candidate.seq < row.seq);
  const asked = of("question");
  if (asked.length === 0) return [];
  const decisions = of("decision");
  const asker = decisions.map(({ body }) => text(body, "strategy")).find((name) => name !== null);
  const decider = decisions.map(({ body }) => text(body, "by")).findLast((name) => name !== null);
  const say = (what: string): readonly Finding[] => [finding(row.seq, `${intent.clientOrderId} opened, ${what}`)];
  if (decider === undefined) return say("and no strategy had decided");
  const failed = decisions.some(({ body }) => text(body, "failed") === decider);
  if (failed) return say(`and ${decider} had failed to decide`);
  if (decider !== asker) return [];
  return asked.some((question) => outcomeKind(question) === "answered")
    ? []
    : say(`and ${decider} had no answer of a model`);
}

function silences(history: History): readonly Finding[] {
  const { kinds } = journalView(history);
  const beats = kinds("beat");
  const stopped = stoppedSpans(history);
  return kinds("question")
    .filter((row) => outcomeKind(row) !== null)
    .flatMap((answer) => {
      const asked = kinds("question").findLast(
        (row) =>
          row.decisionId === answer.decisionId &&
          row.seq < answer.seq &&
          row.runId === answer.runId &&
          outcomeKind(row) === null,
      );
      if (!asked || answer.monoMs - asked.monoMs <= BEAT_GAP_MS) return [];
      const between = beats.filter(
        (beat) => beat.runId === answer.runId && beat.seq > asked.seq && beat.seq < answer.seq,
      );
      const rows = [asked, ...between, answer];
      const worst = Math.max(...rows.slice(1).map((row, index) => ranFor(rows[index] ?? row, row, stopped)));
      if (worst <= BEAT_GAP_MS) return [];
      return [
        finding(answer.seq, `no beat for ${Math.round(worst)} ms while a model was asked, allowed ${BEAT_GAP_MS}`),
      ];
    });
}

/** How long the process ran between two rows, ms: one that is stopped beats for no model. Faults P5, P6. */
function ranFor(from: Row, to: Row, stopped: readonly Span[]): number {
  const span = { fromMs: from.atMs, toMs: to.atMs };
  return to.monoMs - from.monoMs - (lengthOf([span]) - lengthOf(without([span], stopped)));
}
