/**
 * Every write of a run with what it rests on and what became of it, put together from the rows as they were written: one
 * entry for each `wire-out` row, none left out, and one for each close that the venue made without one (a stop, a target, a
 * forced close), from its `trade` row. For `ballast reasons` and `ballast why`.
 */
import { fieldsOf, type Fields, textIn, textsIn } from "../journal/fields.ts";
import { basisOf, writeIndex, type WriteIndex, type WriteKind } from "./order-basis.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow, RowKind } from "../journal/rows.ts";
import { type VenueClose, venueCloses } from "./venue-closes.ts";

/** One question to a model, from its `question` row; `costUsd` is decimal text, null members were not told. */
export interface ModelCall {
  readonly prompt: string;
  readonly kind: string;
  readonly model: string | null;
  readonly attempt: string | null;
  readonly cached: boolean;
  readonly costUsd: string | null;
  readonly replyText: string | null;
}

/** One write, or one close by the venue. What the journal does not tell is null or empty. */
export interface WriteStory {
  /** The wire-out row, or the trade row of a close that the venue made: its number and hash are the evidence that it was written then. */
  readonly seq: number;
  readonly hash: string;
  readonly atMs: number;
  readonly action: string;
  readonly kind: WriteKind;
  readonly params: Fields;
  readonly symbol: string | null;
  readonly leg: string | null;
  readonly clientOrderId: string | null;
  readonly orderId: string | null;
  readonly decisionId: string | null;
  readonly strategy: string | null;
  readonly trigger: readonly string[];
  /** Why, in the words that were written before the write. */
  readonly reason: string;
  readonly evidence: readonly string[];
  readonly modelCalls: readonly ModelCall[];
  /** The review's verdicts on this order; empty for writes that need none (they only lower risk). */
  readonly verdicts: readonly Fields[];
  readonly verdict: string | null;
  /** The venue's answer as read at once: done, rejected, unknown, not-sent, rate-limited; null while none was read. */
  readonly outcome: string | null;
  readonly message: string | null;
  /** How the order ended, where it has. */
  readonly ended: Fields | null;
  readonly fills: readonly Fields[];
}

/** By the wall time of the write's own row, epoch ms; `fromMs` is included. */
export interface Span {
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
}

const KINDS: readonly RowKind[] = [
  "decision",
  "question",
  "verdict",
  "intent",
  "wire-out",
  "wire-in",
  "order",
  "fill",
  "protection",
  "trade",
];

/** All writes whose row was written in the span, oldest first. What they led to may lie after it. */
export function writeStories(reader: JournalReader, span: Span): readonly WriteStory[] {
  const rows = reader.rows({ kinds: KINDS });
  const index = writeIndex(rows);
  const within = ({ atMs }: { readonly atMs: number }): boolean => atMs >= span.fromMs && atMs < span.toMs;
  const closes = venueCloses(rows).filter(({ row }) => within(row));
  return [
    ...index.writes.filter(within).map((row) => storyOf(row, index)),
    ...closes.map((close) => closeStory(close, index)),
  ].sort((a, b) => a.seq - b.seq);
}

/** A close that no write asked for, as an entry of the log: the trade row says how it came about. */
function closeStory({ row, fills, symbol, leg, cause }: VenueClose, index: WriteIndex): WriteStory {
  const orderId = fills.map((fill) => venueId(fill.body)).find((id) => id !== null) ?? null;
  const ended = orderId === null ? undefined : index.ends.get(orderId);
  const price = textIn(row.body, "exitPrice");
  return {
    seq: row.seq,
    hash: row.hash,
    atMs: row.atMs,
    action: `venue.${cause}`,
    kind: "close",
    params: { quantity: textIn(row.body, "qty"), ...(price === null ? {} : { price }) },
    symbol,
    leg,
    clientOrderId: null,
    orderId,
    decisionId: row.decisionId,
    ...decisionFacts(row.decisionId, row.seq, index),
    reason:
      cause === "outside" ? "closed at the venue; nothing of ours asked for it" : `its ${cause} at the venue fired`,
    evidence: [],
    verdicts: [],
    verdict: null,
    outcome: "done",
    message: "done",
    ended: ended ? fieldsOf(ended.body) : null,
    fills: fills.map((fill) => fieldsOf(fill.body)),
  };
}

function storyOf(row: JournalRow, index: WriteIndex): WriteStory {
  const params = fieldsOf(fieldsOf(row.body)["params"]);
  const clientOrderId = textIn(row.body, "clientOrderId") ?? textIn(params, "clientOrderId");
  const basis = basisOf(row, { params, clientOrderId, index });
  const decisionId = row.decisionId ?? textIn(row.body, "decisionId") ?? basis.decisionId;
  const answer = index.answers.get(textIn(row.body, "previewId") ?? "");
  const verdict = clientOrderId === null ? undefined : index.verdicts.get(clientOrderId);
  // A close brings no id of ours: its order and fills go by the venue's.
  const name = clientOrderId ?? venueId(fieldsOf(answer?.body)["reply"]) ?? "";
  const ended = index.ends.get(name);
  const fills = index.fills.get(name) ?? [];
  const intent = clientOrderId === null ? undefined : index.intents.get(clientOrderId);
  const symbol = textIn(params, "symbol") ?? basis.leg?.split("|")[0] ?? textIn(intent?.body, "symbol");
  return {
    seq: row.seq,
    hash: row.hash,
    atMs: row.atMs,
    action: textIn(row.body, "action") ?? "",
    kind: basis.kind,
    params,
    symbol,
    leg: basis.leg?.split("|")[1] ?? textIn(params, "positionSide"),
    clientOrderId,
    orderId:
      [fieldsOf(answer?.body)["reply"], ended?.body, fills[0]?.body, params].map(venueId).find((id) => id !== null) ??
      null,
    decisionId,
    ...decisionFacts(decisionId, row.seq, index),
    reason: basis.reason,
    evidence: basis.evidence,
    verdicts: listOfVerdicts(verdict),
    verdict: textIn(verdict?.body, "kind"),
    outcome: textIn(answer?.body, "outcome"),
    message: textIn(answer?.body, "message"),
    ended: ended ? fieldsOf(ended.body) : null,
    fills: fills.map((fill) => fieldsOf(fill.body)),
  };
}

/** The venue's own name of an order or a protective order, wherever it is told. */
const venueId = (told: unknown): string | null => textIn(told, "orderId") ?? textIn(told, "algoOrderId");

const listOfVerdicts = (row: JournalRow | undefined): readonly Fields[] => {
  const verdicts = fieldsOf(row?.body)["verdicts"];
  return Array.isArray(verdicts) ? verdicts.map(fieldsOf) : [];
};

/** Who decided, on what occasion, and which model was asked: only what was written before the write. */
function decisionFacts(decisionId: string | null, beforeSeq: number, index: WriteIndex) {
  const earlier = (rows: ReadonlyMap<string, readonly JournalRow[]>): readonly JournalRow[] =>
    (decisionId === null ? [] : (rows.get(decisionId) ?? [])).filter((row) => row.seq < beforeSeq);
  const decisions = earlier(index.decisions);
  const first = decisions.find((row) => fieldsOf(row.body)["trigger"] !== undefined);
  const by = decisions.map((row) => textIn(row.body, "by")).findLast((name) => name !== null);
  return {
    strategy: by ?? textIn(first?.body, "strategy"),
    trigger: textsIn(first?.body, "trigger"),
    modelCalls: earlier(index.questions)
      .filter((row) => fieldsOf(row.body)["outcome"] !== undefined)
      .map(modelCallOf),
  };
}

function modelCallOf(row: JournalRow): ModelCall {
  const outcome = fieldsOf(row.body)["outcome"];
  return {
    prompt: textIn(row.body, "prompt") ?? "",
    kind: textIn(outcome, "kind") ?? "",
    model: textIn(outcome, "model"),
    attempt: textIn(outcome, "attempt"),
    cached: fieldsOf(outcome)["cached"] === true,
    costUsd: textIn(outcome, "costUsd"),
    replyText: textIn(outcome, "replyText"),
  };
}
