/**
 * Whole rows where a test cares for a few of their fields: what it leaves out is filled in. Decimals are text, as they lie
 * in a journal.
 */
import type { RowFilter } from "../../src/journal/query.ts";
import type { JournalReader, JournalState } from "../../src/journal/reader.ts";
import type { RowKind, RowValue } from "../../src/rows/row.ts";
import { rawRow } from "./raw-row.ts";

type Body = Readonly<Record<string, unknown>>;

const SYMBOL = "EXCHANGE_A_PERP_BTC_USDT";
const POSITION = `${SYMBOL}|LONG`;
const ORDER = {
  symbol: SYMBOL,
  side: "BUY",
  positionSide: "LONG",
  orderType: "LIMIT",
  qty: "0.005",
  limitPrice: "60000",
  timeInForce: "GTC",
  reduceOnly: false,
  clientOrderId: "agent-1",
};
const SNAPSHOT = {
  ...{ atMs: 1_000, hash: "h", symbols: [], news: [], account: null, missing: [] },
  headroom: { mayOpen: true, reason: "", perOrderUsdt: "100", totalUsdt: "1000", cushionMajorUsdt: "50" },
};
const VERDICT = { limit: "universe", kind: "allow", found: "live", allowed: "live", reason: "Fine." };
const TARGET = {
  ...{ symbol: SYMBOL, leg: "LONG", size: 0.5, stopDistance: 0.02, targetDistance: null },
  ...{ urgency: "take", reason: "a test wants it", evidence: [] },
};
const LISTS = { differences: [], positions: [], withdrawn: [] };
const WIRE = { previewId: "p-1", action: "order.place", clientOrderId: null };

/** What a whole row of the shape that `body` begins has besides. */
function template(kind: RowKind, body: Body): Body {
  const id = body["clientOrderId"] ?? body["intentId"] ?? "agent-1";
  switch (kind) {
    case "boot":
      return body["ready"] === true
        ? { boot: "b", strategy: "hold" }
        : { boot: "b", pid: 1, version: "v20", venue: "a test", strategy: "hold" };
    case "config":
      return body["event"] === "account"
        ? { pin: { venue: "embedded", host: null, key: null, portfolios: null } }
        : { config: {}, file: "agent.yaml" };
    case "decision":
      if ("trigger" in body) return { strategy: "hold", snapshot: SNAPSHOT };
      return "failed" in body ? { reason: "a test" } : { by: "hold", kind: "wishes", note: "", wishes: [] };
    case "question":
      return "outcome" in body
        ? { prompt: "p", fingerprint: "f", purpose: "decision" }
        : { prompt: "p", fingerprint: "f", part: 0, round: 1, tier: "strong" };
    case "verdict":
      return "skipped" in body
        ? { symbol: SYMBOL, leg: "LONG" }
        : { clientOrderId: id, symbol: SYMBOL, side: "BUY", kind: "approved", verdicts: [] };
    case "intent":
      return intentTemplate(body, id);
    case "wire-out":
      return {
        ...WIRE,
        ...{ params: {}, paramsHash: "h", runtime: "r", decisionId: null, automationSessionId: null, seen: null },
      };
    case "wire-in":
      return { ...WIRE, outcome: "done", message: "done", reply: null, seen: null };
    case "order":
      if ("close" in body || "cancel" in body) return { why: "a test" };
      return {
        ...{ clientOrderId: id, orderId: "77", symbol: SYMBOL, leg: "LONG", ended: true, state: "FILLED" },
        ...{ qty: "0.005", executedQty: "0.005", avgPrice: "60000", fee: "0.15", why: "" },
      };
    case "fill":
      return {
        ...{ transactionId: "t-1", orderId: "77", clientOrderId: id, symbol: SYMBOL, side: "BUY", qty: "0.005" },
        ...{
          price: "60000",
          fee: "0.15",
          realizedPnl: "0",
          liquidity: "TAKER",
          atMs: 1_000,
          leg: POSITION,
          opening: true,
        },
      };
    case "protection":
      if (body["standing"] === true) return { leg: POSITION, algoOrderId: "9", stopPrice: "58800", unprotectedMs: 200 };
      return { leg: POSITION, clientOrderId: id, stopPrice: "58800", targetPrice: null, qty: "0.005" };
    case "position":
      return {
        ...{ leg: POSITION, symbol: SYMBOL, side: "LONG", kind: "opened", qty: "0.004", avgPrice: "60000" },
        ...{ strategy: null, thesis: null, basis: "none", stopPrice: null, targetPrice: null, openedAtMs: null },
      };
    case "trade":
      return {
        ...{ event: "closed", id: "x-1", symbol: SYMBOL, side: "LONG", qty: "0.005", entryPrice: "60000" },
        ...{ exitPrice: "60100", feesUsdt: "0.3", fundingUsdt: "0", netUsdt: "0.2", openedAtMs: 1_000 },
        ...{ closedAtMs: 2_000, decisionId: null, strategy: null, thesis: null, basis: "none" },
        ...{ exit: "decision", exitReason: "a newer decision" },
      };
    case "beat":
      return { stage: "ready", streams: { market: true, user: true, news: true }, floor: "NORMAL", deciding: true };
    case "equity":
      return { equityUsdt: "1000", positions: 0, anchors: null };
    case "operator":
      return { command: "resume", from: "NORMAL", to: "NORMAL" };
    case "floor":
      return { from: "NORMAL", to: "WARN", reason: "a test" };
    case "switch":
      return "command" in body
        ? { from: "hold", use: "hold", handover: null, by: "operator", windDownMs: 900 }
        : { ...LISTS, request: null, atMs: 1_000, untilMs: 2_000, renamed: true, by: "operator", handover: "adopt" };
    default:
      return {};
  }
}

function intentTemplate(body: Body, id: unknown): Body {
  const names = { intentId: id, clientOrderId: id };
  const about = { ...names, symbol: SYMBOL, decisionId: "d-1", notional: "300", reason: "a test wants it" };
  switch (body["event"]) {
    case "end":
      if (body["how"] !== "terminal") return { intentId: id, how: "not-sent", reason: "stale" };
      return { intentId: id, orderId: "77", state: "FILLED", executedQty: "0.005" };
    case "amend":
      return { ...about, orderId: "77", price: "60010", qty: "0.005", before: { price: "60000", qty: "0.005" } };
    case "amend-end":
      return { ...names, how: "not-sent", reason: "stale" };
    default:
      return {
        ...about,
        event: "open",
        opening: true,
        leg: "LONG",
        order: { ...ORDER, clientOrderId: id },
        stopPrice: "58800",
        targetPrice: null,
        strategy: "hold",
        evidence: [],
      };
  }
}

/** Members that tests give in part. */
const PARTS: Readonly<Record<string, object>> = { verdicts: VERDICT, wishes: TARGET };

const isPlain = (value: unknown): value is Body => typeof value === "object" && value !== null && !Array.isArray(value);

function merged(base: Body, given: Body): Body {
  const reported = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries([
    ...Object.entries(base),
    ...reported.map(([name, value]): [string, unknown] => {
      const part = PARTS[name];
      const before = base[name];
      if (part && Array.isArray(value)) return [name, value.map((item: Body) => ({ ...part, ...item }))];
      return [name, isPlain(value) && isPlain(before) ? merged(before, value) : value];
    }),
  ]);
}

/** The body of a whole row that says what `body` does. */
export const whole = (kind: RowKind, body: object): Body => merged(template(kind, body as Body), body as Body);
/** The same as the value that a journal takes. */
export const wholeRow = <K extends RowKind>(kind: K, body: object): RowValue<K> => rawRow(kind, whole(kind, body));
/** Rows as a reader answers them, each made whole. */
export const wholeRows = <R extends { readonly kind: string; readonly body: unknown }>(
  rows: readonly R[],
): readonly R[] =>
  rows.map((row, at) => ({
    seq: at + 1,
    decisionId: null,
    ...row,
    body: whole(row.kind as RowKind, row.body as object),
  }));

/** A journal that holds these rows and nothing else. */
export function readerOf(
  given: readonly { readonly kind: string; readonly body: object; readonly atMs: number }[],
  state: JournalState["state"] = "ok",
): JournalReader {
  const rows = wholeRows(given);
  return {
    opened: { state },
    rows: ({ kinds, sinceMs = -Infinity, limit = Infinity }: RowFilter = {}) =>
      rows.filter((row) => row.atMs >= sinceMs && (kinds?.some((kind) => kind === row.kind) ?? true)).slice(-limit),
    latest: (kind: string) => rows.findLast((row) => row.kind === kind),
  } as unknown as JournalReader;
}

/** The promise of a limit order; its ids follow `n`. */
export const openIntent = (n: number): RowValue<"intent"> =>
  wholeRow("intent", { event: "open", clientOrderId: `agent-${n}`, decisionId: `d-${n}` });
export const endedIntent = (n: number): RowValue<"intent"> =>
  wholeRow("intent", { event: "end", intentId: `agent-${n}` });
