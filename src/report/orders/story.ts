/**
 * Every write of a run with its reasons and its outcome, from the rows as they were written: one entry for each `wire-out`
 * row, none left out, and one for each close that the venue made without one (a stop, a target, a forced close), from its
 * `trade` row. For `ballast reasons` and `ballast why`.
 */
import { toWire } from "../../core/decimal.ts";
import { basisOf, type ReadRow, writeIndex, type WriteIndex, type WriteKind } from "./basis.ts";
import type { JournalReader } from "../../journal/reader.ts";
import type { JournalRow, RowKind } from "../../rows/row.ts";
import { type VenueClose, venueCloses } from "./venue-closes.ts";
import type { FillRow } from "../../rows/fill.ts";
import type { OrderEndRow } from "../../rows/order.ts";
import type { AnsweredQuestion } from "../../rows/question.ts";
import type { LimitVerdict } from "../../rows/verdict.ts";
import { textParam, type WireOutRow } from "../../rows/wire-out.ts";

/** One question to a model, from its `question` row; `costUsd` is decimal text, null members were not reported. */
export interface ModelCall {
  readonly prompt: string;
  readonly kind: string;
  readonly model: string | null;
  readonly attempt: string | null;
  readonly cached: boolean;
  readonly costUsd: string | null;
  readonly replyText: string | null;
}

/** One write, or one close by the venue. What the journal does not contain is null or empty. */
export interface WriteStory {
  /** The wire-out row, or the trade row of a close by the venue: number and hash prove that it was written then. */
  readonly seq: number;
  readonly hash: string;
  readonly atMs: number;
  readonly action: string;
  readonly kind: WriteKind;
  readonly params: Readonly<Record<string, string | number | boolean | null>>;
  readonly symbol: string | null;
  readonly leg: string | null;
  readonly clientOrderId: string | null;
  readonly orderId: string | null;
  readonly decisionId: string | null;
  readonly strategy: string | null;
  readonly trigger: readonly string[];
  /** Why, in words that were recorded before the write. */
  readonly reason: string;
  readonly evidence: readonly string[];
  readonly modelCalls: readonly ModelCall[];
  /** The review's verdicts on this order; empty for writes that need none (they only lower risk). */
  readonly verdicts: readonly LimitVerdict[];
  readonly verdict: string | null;
  /** The venue's answer as read at once: done, rejected, unknown, not-sent, rate-limited; null while none was read. */
  readonly outcome: string | null;
  readonly message: string | null;
  /** How the order ended, if it has. */
  readonly ended: OrderEndRow | null;
  readonly fills: readonly FillRow[];
}

/** Epoch ms, by the wall time of the rows; `toMs` is exclusive. */
export interface TimeSpan {
  readonly fromMs: number;
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

/** All writes whose row was written in the span, oldest first. Their consequences may lie after it. */
export function writeStories(reader: Pick<JournalReader, "rows">, span: TimeSpan): readonly WriteStory[] {
  const rows = reader.rows({ kinds: KINDS });
  const index = writeIndex(rows);
  const within = ({ row: { atMs } }: { readonly row: JournalRow }): boolean => atMs >= span.fromMs && atMs < span.toMs;
  return [
    ...index.writes.filter(within).map((write) => storyOf(write, index)),
    ...venueCloses(rows)
      .filter(within)
      .map((close) => closeStory(close, index)),
  ].sort((a, b) => a.seq - b.seq);
}

/** A close that no write requested, as an entry of the log: the trade row gives its cause. */
function closeStory({ row, trade, fills, cause }: VenueClose, index: WriteIndex): WriteStory {
  const orderId = fills[0]?.orderId ?? null;
  const price = trade.exitPrice;
  return {
    seq: row.seq,
    hash: row.hash,
    atMs: row.atMs,
    action: `venue.${cause}`,
    kind: "close",
    params: { quantity: toWire(trade.qty), ...(price === null ? {} : { price: toWire(price) }) },
    symbol: trade.symbol,
    leg: trade.side,
    clientOrderId: null,
    orderId,
    decisionId: row.decisionId,
    ...decisionFacts(row.decisionId, row.seq, index),
    reason: cause === "outside" ? "closed at the venue, not by the agent" : `its ${cause} at the venue fired`,
    evidence: [],
    verdicts: [],
    verdict: null,
    outcome: "done",
    message: "done",
    ended: (orderId === null ? undefined : index.ends.get(orderId)) ?? null,
    fills,
  };
}

function storyOf(entry: ReadRow<WireOutRow>, index: WriteIndex): WriteStory {
  const { row, is: write } = entry;
  const { params } = write;
  const clientOrderId = write.clientOrderId ?? textParam(write, "clientOrderId");
  const basis = basisOf(entry, { clientOrderId, index });
  const decisionId = row.decisionId ?? write.decisionId ?? basis.decisionId;
  const answer = index.answers.get(write.previewId);
  const verdict = clientOrderId === null ? undefined : index.verdicts.get(clientOrderId);
  const replied = answer?.reply?.orderId ?? answer?.reply?.algoOrderId ?? null;
  // A close carries no id of ours: its order and fills are found by the venue's id.
  const name = clientOrderId ?? replied ?? "";
  const ended = index.ends.get(name);
  const fills = index.fills.get(name) ?? [];
  const intent = clientOrderId === null ? undefined : index.intents.get(clientOrderId);
  const inParams = textParam(write, "orderId") ?? textParam(write, "algoOrderId");
  return {
    seq: row.seq,
    hash: row.hash,
    atMs: row.atMs,
    action: write.action,
    kind: basis.kind,
    params,
    symbol: textParam(write, "symbol") ?? basis.leg?.split("|")[0] ?? intent?.is.symbol ?? null,
    leg: basis.leg?.split("|")[1] ?? textParam(write, "positionSide"),
    clientOrderId,
    orderId: replied ?? ended?.orderId ?? fills[0]?.orderId ?? inParams,
    decisionId,
    ...decisionFacts(decisionId, row.seq, index),
    reason: basis.reason,
    evidence: basis.evidence,
    verdicts: verdict?.verdicts ?? [],
    verdict: verdict?.kind ?? null,
    outcome: answer?.outcome ?? null,
    message: answer?.message ?? null,
    ended: ended ?? null,
    fills,
  };
}

/** Who decided, what triggered it, and which model was asked: only what was recorded before the write. */
function decisionFacts(decisionId: string | null, beforeSeq: number, index: WriteIndex) {
  const earlier = <T>(groups: ReadonlyMap<string, readonly ReadRow<T>[]>): readonly T[] =>
    (decisionId === null ? [] : (groups.get(decisionId) ?? []))
      .filter(({ row }) => row.seq < beforeSeq)
      .map(({ is }) => is);
  const decisions = earlier(index.decisions);
  const first = decisions.find((row) => "trigger" in row);
  const made = decisions.findLast((row) => "by" in row);
  return {
    strategy: made?.by ?? first?.strategy ?? null,
    trigger: first?.trigger ?? [],
    modelCalls: earlier(index.questions).flatMap((row) => ("outcome" in row ? [modelCallOf(row)] : [])),
  };
}

const modelCallOf = ({ prompt, outcome }: AnsweredQuestion): ModelCall => ({
  prompt,
  kind: outcome.kind,
  model: outcome.model ?? null,
  attempt: outcome.attempt ?? null,
  cached: outcome.cached === true,
  costUsd: outcome.costUsd ? toWire(outcome.costUsd) : null,
  replyText: outcome.replyText ?? null,
});
