/** What was recorded about a write before it left: the intent, the request to close or cancel, the protection it belongs to. */
import { toWire } from "../../core/decimal.ts";
import { type DecisionRow, readDecision } from "../../rows/decision.ts";
import { type FillRow, readFill } from "../../rows/fill.ts";
import { type AmendRow, type IntentOpenRow, readIntent } from "../../rows/intent.ts";
import { type OrderEndRow, type OrderRow, readOrder } from "../../rows/order.ts";
import { type ProtectionRow, readProtection } from "../../rows/protection.ts";
import { type QuestionRow, readQuestion } from "../../rows/question.ts";
import { readVerdict, type ReviewedRow } from "../../rows/verdict.ts";
import { readWireIn, type WireInRow } from "../../rows/wire-in.ts";
import { readWireOut, textParam, type WireOutRow } from "../../rows/wire-out.ts";
import type { JournalRow, RowKind } from "../../rows/row.ts";

/** What a write does to the account, in the organisers' terms. */
export type WriteKind = "open" | "close" | "place" | "amend" | "cancel" | "setting";

/** A row with its parsed content. */
export interface ReadRow<T> {
  readonly row: JournalRow;
  readonly is: T;
}

/** The parsed rows of a kind. */
const entries = <T>(rows: readonly JournalRow[], kind: RowKind, read: (row: JournalRow) => T): readonly ReadRow<T>[] =>
  rows.filter((row) => row.kind === kind).map((row) => ({ row, is: read(row) }));

type Groups<T> = ReadonlyMap<string, readonly ReadRow<T>[]>;

/**
 * A journal's rows by the ids that lead from a `wire-out` row to its reasons and its outcome: decisions and questions by
 * decision id, verdicts and intents by client order id, answers by preview id.
 */
export interface WriteIndex {
  readonly writes: readonly ReadRow<WireOutRow>[];
  readonly decisions: Groups<DecisionRow>;
  readonly questions: Groups<QuestionRow>;
  readonly verdicts: ReadonlyMap<string, ReviewedRow>;
  readonly intents: ReadonlyMap<string, ReadRow<IntentOpenRow>>;
  /** Intents to change an order, by the venue's order id, oldest first. */
  readonly amends: Groups<AmendRow>;
  /** Ends and fills of orders by client order id, or by the venue's id for orders without an id of ours. */
  readonly ends: ReadonlyMap<string, OrderEndRow>;
  readonly answers: ReadonlyMap<string, WireInRow>;
  readonly fills: ReadonlyMap<string, readonly FillRow[]>;
  /** Closes by position and cancels by client order id, oldest first. */
  readonly orders: Groups<OrderRow>;
  /** Protection rows by the client id of the stop and, once it is active, by the venue's id. */
  readonly protections: Groups<ProtectionRow>;
}

function group<E>(
  items: readonly E[],
  keysOf: (item: E) => readonly (string | null)[],
): ReadonlyMap<string, readonly E[]> {
  const groups = new Map<string, E[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      if (key === null) continue;
      const found = groups.get(key);
      if (found) found.push(item);
      else groups.set(key, [item]);
    }
  }
  return groups;
}

const named = (row: { readonly clientOrderId: string; readonly orderId: string }): readonly string[] => [
  ...new Set([row.clientOrderId, row.orderId]),
];

const askedFor = (row: OrderRow): string | null => ("close" in row ? row.close : "cancel" in row ? row.cancel : null);

function stopNames(row: ProtectionRow): readonly (string | null)[] {
  if ("standing" in row) return [row.algoOrderId];
  return "clientOrderId" in row ? [row.clientOrderId] : [];
}

/** `rows` in the order in which they were written: for verdicts, intents and answers the last row of an id counts. */
export function writeIndex(rows: readonly JournalRow[]): WriteIndex {
  const intents = entries(rows, "intent", readIntent);
  const orders = entries(rows, "order", readOrder);
  const verdicts = entries(rows, "verdict", readVerdict);
  const answers = entries(rows, "wire-in", readWireIn);
  return {
    writes: entries(rows, "wire-out", readWireOut),
    decisions: group(entries(rows, "decision", readDecision), ({ row }) => [row.decisionId]),
    questions: group(entries(rows, "question", readQuestion), ({ row }) => [row.decisionId]),
    verdicts: new Map(verdicts.flatMap(({ is }) => ("verdicts" in is ? [[is.clientOrderId, is] as const] : []))),
    intents: new Map(
      intents.flatMap(({ row, is }) => (is.event === "open" ? [[is.clientOrderId, { row, is }] as const] : [])),
    ),
    amends: group(
      intents.flatMap(({ row, is }) => (is.event === "amend" ? [{ row, is }] : [])),
      ({ is }) => [is.orderId],
    ),
    ends: new Map(orders.flatMap(({ is }) => ("ended" in is ? named(is).map((name) => [name, is] as const) : []))),
    answers: new Map(answers.map(({ is }) => [is.previewId, is])),
    fills: group(
      entries(rows, "fill", readFill).map(({ is }) => is),
      named,
    ),
    orders: group(orders, ({ is }) => [askedFor(is)]),
    protections: group(entries(rows, "protection", readProtection), ({ is }) => stopNames(is)),
  };
}

/** What was recorded about the write before it left. */
export interface Basis {
  readonly reason: string;
  readonly evidence: readonly string[];
  /** `SYMBOL|LONG` or `SYMBOL|SHORT`. */
  readonly leg: string | null;
  readonly decisionId: string | null;
  readonly kind: WriteKind;
}

interface Written {
  readonly clientOrderId: string | null;
  readonly index: WriteIndex;
}

const NOTHING: Omit<Basis, "kind"> = { reason: "", evidence: [], leg: null, decisionId: null };

/** The reasons of a `wire-out` row, found by its action. The text is empty if the journal has none. */
export function basisOf({ row, is: write }: ReadRow<WireOutRow>, { clientOrderId, index }: Written): Basis {
  const before = <T>(found: readonly ReadRow<T>[] | undefined): ReadRow<T> | undefined =>
    found?.findLast((other) => other.row.seq < row.seq);
  const param = (name: string): string => textParam(write, name) ?? "";
  switch (write.action) {
    case "order.place":
      return placed(clientOrderId === null ? undefined : index.intents.get(clientOrderId), write);
    case "order.replace":
      return amended(before(index.amends.get(param("orderId"))));
    case "order.cancel":
    case "order.cancel-all":
      return { ...asked(before(index.orders.get(clientOrderId ?? ""))), kind: "cancel" };
    case "position.close":
    case "position.close-all": {
      const positionKey = `${param("symbol")}|${param("leg") || param("positionSide")}`;
      const known = before(index.orders.get(positionKey)) ?? before(closesOf(textParam(write, "symbol"), index));
      return { ...asked(known), leg: known && "close" in known.is ? known.is.close : positionKey, kind: "close" };
    }
    case "algo.place":
      return { ...protection(before(index.protections.get(clientOrderId ?? ""))), kind: "place" };
    case "algo.replace":
      return { ...protection(before(index.protections.get(param("algoOrderId")))), kind: "amend" };
    case "algo.cancel":
      return { ...protection(before(index.protections.get(param("algoOrderId")))), kind: "cancel" };
    default:
      return { ...NOTHING, reason: "before anything is opened there", kind: "setting" };
  }
}

/** Closes of either side of a symbol, if the parameters do not name the side (one-way mode). */
const closesOf = (symbol: string | null, index: WriteIndex): readonly ReadRow<OrderRow>[] =>
  [...index.orders]
    .filter(([key]) => symbol !== null && key.startsWith(`${symbol}|`))
    .flatMap(([, rows]) => rows)
    .sort((a, b) => a.row.seq - b.row.seq);

const amended = (promise: ReadRow<AmendRow> | undefined): Basis => ({
  ...NOTHING,
  reason: promise?.is.reason ?? "",
  decisionId: promise?.row.decisionId ?? null,
  kind: "amend",
});

function placed(intent: ReadRow<IntentOpenRow> | undefined, write: WireOutRow): Basis {
  const opening = intent ? intent.is.opening : write.params["reduceOnly"] !== true;
  return {
    reason: intent?.is.reason ?? "",
    evidence: intent?.is.evidence ?? [],
    leg: intent ? `${textParam(write, "symbol") ?? ""}|${intent.is.leg}` : null,
    decisionId: intent?.row.decisionId ?? null,
    kind: opening ? "open" : "close",
  };
}

const asked = (order: ReadRow<OrderRow> | undefined): Omit<Basis, "kind"> => ({
  ...NOTHING,
  reason: order?.is.why ?? "",
  decisionId: order?.row.decisionId ?? null,
});

function protection(found: ReadRow<ProtectionRow> | undefined): Omit<Basis, "kind"> {
  if (!found) return NOTHING;
  const { row, is } = found;
  const stop = "stopPrice" in is && is.stopPrice ? toWire(is.stopPrice) : "?";
  const target = "targetPrice" in is && is.targetPrice ? `, target ${toWire(is.targetPrice)}` : "";
  return { ...NOTHING, reason: `protects ${is.leg}: stop ${stop}${target}`, leg: is.leg, decisionId: row.decisionId };
}
