import { flag, text, timeIn } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView, type JournalView, type Write } from "../journal-view.ts";
import { sessionAt } from "../sessions.ts";
import { canonical, digest, type Row } from "../rows.ts";
import { isOpeningFrame, type Matched, matchedFrames } from "../wire-match.ts";

/** I1: every write at the venue was announced, previewed, approved and allowed. Needs the wire log. */
export const i01: Invariant = {
  id: "I1",
  title: "Authorised wire",
  rule: "Every write at the venue has one wire-out row before it, with a preview of the same parameters, run and runtime that has not expired; a placed order has an approving verdict and an intent, a changed one an approving verdict and a promise of the change, an opening one an active session that allows it.",
  needs: ["wire log"],
  more: [],
  unseen: "",
  judge: (history) => matchedFrames(history).flatMap((matched) => problems(history, matched)),
};

const named = ({ frame }: Matched): string => `${frame.call} (frame ${frame.seq}, ${frame.atMs})`;

function problems(history: History, matched: Matched): readonly Finding[] {
  const { write, again } = matched;
  if (!write) return [finding(null, `${named(matched)} has no wire-out row`)];
  if (again) return [];
  const view = journalView(history);
  const { row } = write;
  const say = (what: string | null): Finding[] =>
    what === null ? [] : [finding(row.seq, `${named(matched)}: ${what}`)];
  return [
    ...say(hashProblem(write)),
    ...say(previewProblem(view, write, matched.frame.atMs - history.skewMs)),
    ...say(write.action === "order.place" ? promiseProblem(view, write) : null),
    ...say(write.action === "order.replace" ? amendProblem(view, write) : null),
    ...say(sessionProblem(view, write, { atMs: matched.frame.atMs, needed: isOpeningFrame(matched) || write.opening })),
  ];
}

function hashProblem({ row, params }: Write): string | null {
  const found = text(row.body, "paramsHash");
  return found === digest(canonical(params)) ? null : `its paramsHash ${found ?? "none"} is not that of its parameters`;
}

function previewProblem(view: JournalView, { row, previewId }: Write, atMs: number): string | null {
  const previews = view.previews.get(previewId) ?? [];
  const [preview] = previews;
  if (!preview) return `there is no preview ${previewId}`;
  if (previews.length > 1) return `preview ${previewId} has ${previews.length} rows`;
  if (preview.seq >= row.seq) return `preview ${previewId} was written after the write`;
  if (preview.runId !== row.runId) return `preview ${previewId} is of run ${preview.runId}, the write of ${row.runId}`;
  const pairs = ["paramsHash", "runtime", "action", "automationSessionId"] as const;
  const differs = pairs.find((name) => preview.body[name] !== row.body[name]);
  if (differs) return `${differs} is not that of preview ${previewId}`;
  const expires = timeIn(preview.body, "expiresAtMs") ?? -Infinity;
  return atMs <= expires ? null : `it arrived ${Math.round(atMs - expires)} ms after preview ${previewId} expired`;
}

function promiseProblem(view: JournalView, { row, clientOrderId }: Write): string | null {
  const before = (kind: string): readonly Row[] =>
    view.having(kind, "clientOrderId", clientOrderId ?? "").filter(({ seq }) => seq < row.seq);
  const verdict = before("verdict").at(-1);
  if (!verdict) return `no verdict before it approves ${clientOrderId ?? "it"}`;
  if (text(verdict.body, "kind") !== "approved") return `the last verdict is ${text(verdict.body, "kind") ?? "none"}`;
  const intent = before("intent").find((candidate) => candidate.body["event"] === "open");
  if (!intent) return `no intent before it promises ${clientOrderId ?? "it"}`;
  return verdict.seq < intent.seq ? null : "its intent was written before its verdict";
}

/** One intent covers one amendment, and the limits must have agreed to it before. */
function amendProblem(view: JournalView, { row, amend }: Write): string | null {
  if (!amend) return "no promise before it says this change";
  const verdict = view
    .having("verdict", "clientOrderId", amend.clientOrderId)
    .findLast(({ seq }) => seq < amend.row.seq);
  if (!verdict || text(verdict.body, "kind") !== "approved") return `no verdict approves the change ${amend.intentId}`;
  const other = view.writes.find((write) => write.amend === amend && write.row.seq < row.seq);
  return other ? `the change ${amend.intentId} left before (row ${other.row.seq})` : null;
}

function sessionProblem(
  view: JournalView,
  { row, action, order: params }: Write,
  { atMs, needed }: { readonly atMs: number; readonly needed: boolean },
): string | null {
  const id = text(row.body, "automationSessionId");
  if (id === null) return needed ? "an opening order without an automation session" : null;
  const session = sessionAt(view, id, { atMs });
  if (!session || session.startedSeq > row.seq) return `automation session ${id} is not known`;
  if (session.stoppedAtMs !== null && session.stoppedAtMs <= row.atMs) return `automation session ${id} was stopped`;
  if (session.expiresAtMs <= atMs) return `automation session ${id} expired at ${session.expiresAtMs}`;
  const symbol = text(params, "symbol");
  if (symbol !== null && !session.symbols.includes(symbol)) return `automation session ${id} does not allow ${symbol}`;
  if (!session.actions.includes(action)) return `automation session ${id} does not allow ${action}`;
  const type = text(params, "orderType");
  if (type === null || session.orderTypes.includes(type) || flag(params, "reduceOnly")) return null;
  return `automation session ${id} does not allow ${type} orders`;
}
