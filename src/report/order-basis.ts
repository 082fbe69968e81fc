/** What was written about a write before it left: the promise, the wish to close or cancel, the protection it belongs to. */
import { fieldsOf, type Fields, textIn, textsIn } from "../journal/fields.ts";
import type { JournalRow, RowKind } from "../journal/rows.ts";

/** What a write does to the account, in the words that organisers ask for. */
export type WriteKind = "open" | "close" | "place" | "amend" | "cancel" | "setting";

/**
 * A journal's rows by the names that lead from a `wire-out` row to its grounds and to what became of it: decisions and
 * questions by decision id, verdicts and intents by client order id, answers by preview id.
 */
export interface WriteIndex {
  readonly writes: readonly JournalRow[];
  readonly decisions: ReadonlyMap<string, readonly JournalRow[]>;
  readonly questions: ReadonlyMap<string, readonly JournalRow[]>;
  readonly verdicts: ReadonlyMap<string, JournalRow>;
  readonly intents: ReadonlyMap<string, JournalRow>;
  /** Promises to change an order, by the venue's id of it, oldest first. */
  readonly amends: ReadonlyMap<string, readonly JournalRow[]>;
  /** Ends and fills of orders by the client order id, and by the venue's id for orders that are not named by us. */
  readonly ends: ReadonlyMap<string, JournalRow>;
  readonly answers: ReadonlyMap<string, JournalRow>;
  readonly fills: ReadonlyMap<string, readonly JournalRow[]>;
  /** Closes by leg and cancels by client order id, oldest first. */
  readonly orders: ReadonlyMap<string, readonly JournalRow[]>;
  /** Protection by the client id of its algo order and, once it stands, by the venue's id. */
  readonly protections: ReadonlyMap<string, readonly JournalRow[]>;
}

function group(rows: readonly JournalRow[], keysOf: (row: JournalRow) => readonly (string | null)[]) {
  const groups = new Map<string, JournalRow[]>();
  for (const row of rows) {
    for (const key of keysOf(row)) {
      if (key === null) continue;
      const found = groups.get(key);
      if (found) found.push(row);
      else groups.set(key, [row]);
    }
  }
  return groups;
}

/** The last row of each key. */
const last = (rows: readonly JournalRow[], name: string): ReadonlyMap<string, JournalRow> =>
  new Map(rows.map((row) => [textIn(row.body, name) ?? "", row]));

const orderNames = ({ body }: JournalRow): readonly string[] => [
  ...new Set(["clientOrderId", "orderId"].map((name) => textIn(body, name)).filter((name) => name !== null)),
];

/** `rows` in the order in which they were written: of verdicts, intents and answers the last one of a name counts. */
export function writeIndex(rows: readonly JournalRow[]): WriteIndex {
  const of = (kind: RowKind): readonly JournalRow[] => rows.filter((row) => row.kind === kind);
  const intents = of("intent");
  const orders = of("order");
  return {
    writes: of("wire-out"),
    decisions: group(of("decision"), (row) => [row.decisionId]),
    questions: group(of("question"), (row) => [row.decisionId]),
    verdicts: last(of("verdict"), "clientOrderId"),
    intents: last(
      intents.filter((row) => textIn(row.body, "event") === "open"),
      "clientOrderId",
    ),
    amends: group(
      intents.filter((row) => textIn(row.body, "event") === "amend"),
      (row) => [textIn(row.body, "orderId")],
    ),
    ends: new Map(
      orders
        .filter((row) => fieldsOf(row.body)["ended"] === true)
        .flatMap((row) => orderNames(row).map((name) => [name, row] as const)),
    ),
    answers: last(of("wire-in"), "previewId"),
    fills: group(of("fill"), orderNames),
    orders: group(orders, (row) => [textIn(row.body, "close"), textIn(row.body, "cancel")]),
    protections: group(of("protection"), (row) => [textIn(row.body, "clientOrderId"), textIn(row.body, "algoOrderId")]),
  };
}

/** What was written about the write before it left. */
export interface Basis {
  readonly reason: string;
  readonly evidence: readonly string[];
  readonly leg: string | null;
  readonly decisionId: string | null;
  readonly kind: WriteKind;
}

interface Written {
  readonly params: Fields;
  readonly clientOrderId: string | null;
  readonly index: WriteIndex;
}

const NOTHING: Omit<Basis, "kind"> = { reason: "", evidence: [], leg: null, decisionId: null };

/** The grounds of a `wire-out` row, found by its action. The reason is empty where the journal tells none. */
export function basisOf(row: JournalRow, { params, clientOrderId, index }: Written): Basis {
  const before = (rows: readonly JournalRow[] | undefined): JournalRow | undefined =>
    rows?.findLast((other) => other.seq < row.seq);
  switch (textIn(row.body, "action")) {
    case "order.place":
      return placed(clientOrderId === null ? undefined : index.intents.get(clientOrderId), params);
    case "order.replace":
      return amended(before(index.amends.get(textIn(params, "orderId") ?? "")));
    case "order.cancel":
    case "order.cancel-all":
      return { ...told(before(index.orders.get(clientOrderId ?? ""))), kind: "cancel" };
    case "position.close":
    case "position.close-all": {
      const leg = `${textIn(params, "symbol") ?? ""}|${textIn(params, "leg") ?? textIn(params, "positionSide") ?? ""}`;
      const known = before(index.orders.get(leg)) ?? before(closesOf(textIn(params, "symbol"), index));
      return { ...told(known), leg: textIn(known?.body, "close") ?? leg, kind: "close" };
    }
    case "algo.place":
      return { ...protection(before(index.protections.get(clientOrderId ?? ""))), kind: "place" };
    case "algo.replace":
      return { ...protection(before(index.protections.get(textIn(params, "algoOrderId") ?? ""))), kind: "amend" };
    case "algo.cancel":
      return { ...protection(before(index.protections.get(textIn(params, "algoOrderId") ?? ""))), kind: "cancel" };
    default:
      return { ...NOTHING, reason: "before anything is opened there", kind: "setting" };
  }
}

/** Closes of either leg of a symbol, where the parameters do not name the leg (one-way mode). */
const closesOf = (symbol: string | null, index: WriteIndex): readonly JournalRow[] =>
  [...index.orders]
    .filter(([key]) => symbol !== null && key.startsWith(`${symbol}|`))
    .flatMap(([, rows]) => rows)
    .sort((a, b) => a.seq - b.seq);

const amended = (promise: JournalRow | undefined): Basis => ({
  ...NOTHING,
  reason: textIn(promise?.body, "reason") ?? "",
  decisionId: promise?.decisionId ?? null,
  kind: "amend",
});

function placed(intent: JournalRow | undefined, params: Fields): Basis {
  const leg = textIn(intent?.body, "leg");
  const opening = intent ? fieldsOf(intent.body)["opening"] === true : params["reduceOnly"] !== true;
  return {
    reason: textIn(intent?.body, "reason") ?? "",
    evidence: textsIn(intent?.body, "evidence"),
    leg: leg === null ? null : `${textIn(params, "symbol") ?? ""}|${leg}`,
    decisionId: intent?.decisionId ?? null,
    kind: opening ? "open" : "close",
  };
}

const told = (row: JournalRow | undefined): Omit<Basis, "kind"> => ({
  ...NOTHING,
  reason: textIn(row?.body, "why") ?? "",
  leg: textIn(row?.body, "leg"),
  decisionId: row?.decisionId ?? null,
});

function protection(row: JournalRow | undefined): Omit<Basis, "kind"> {
  const leg = textIn(row?.body, "leg");
  if (!row || leg === null) return NOTHING;
  const target = textIn(row.body, "targetPrice");
  const prices = `stop ${textIn(row.body, "stopPrice") ?? "?"}${target === null ? "" : `, target ${target}`}`;
  return { ...NOTHING, reason: `protects ${leg}: ${prices}`, leg, decisionId: row.decisionId };
}
