/**
 * Matches journal rows with writes at the venue. A row describes a write in the terms of document 3, a frame in those
 * of document 1; the translation here is independent of the agent's.
 */
import { num, show } from "./decimal.ts";
import { flag, type Rec, text } from "./fields.ts";
import type { History } from "./history.ts";
import { journalView, outcomeOf, type Write } from "./journal-view.ts";
import type { Frame } from "./outside.ts";
import { deliversTwice } from "./venue-view.ts";
import { accountOf } from "./own-account.ts";

type Names = Readonly<Record<string, string>>;

const ORDER = "/api/v1/trading/order";
const ALGO = "/api/v1/algo/order";

/** The venue calls of each action. Document 1 §4. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  "order.place": [`POST ${ORDER}`, "place_order"],
  "order.replace": [`PUT ${ORDER}`, "replace_order"],
  "order.cancel": [`DELETE ${ORDER}`, "cancel_order"],
  "order.cancel-all": ["DELETE /api/v1/trading/cancelAll", "cancel_orders"],
  "position.close": ["DELETE /api/v1/trading/position"],
  "position.close-all": ["DELETE /api/v1/trading/positions"],
  "position.set-leverage": ["POST /api/v1/trading/position/leverage"],
  "portfolio.set-position-mode": ["POST /api/v1/trading/account"],
  "algo.place": [`POST ${ALGO}`],
  "algo.replace": [`PUT ${ALGO}`],
  "algo.cancel": [`DELETE ${ALGO}`],
};

/** Business name to wire name, for the parameters that determine the effect. */
const WIRE_NAMES: Readonly<Record<string, Names>> = {
  "order.place": {
    symbol: "sym",
    side: "side",
    positionSide: "positionSide",
    orderType: "orderType",
    price: "limitPrice",
    quantity: "orderQty",
    clientOrderId: "clientOrderId",
  },
  "order.replace": {
    orderId: "orderId",
    clientOrderId: "clientOrderId",
    price: "replacePrice",
    quantity: "replaceQty",
  },
  "order.cancel": { orderId: "orderId", clientOrderId: "clientOrderId" },
  "order.cancel-all": { symbol: "sym", exchange: "exchangeType" },
  "position.close": { symbol: "sym", positionSide: "positionSide" },
  "position.close-all": { exchange: "exchangeType", symbolList: "symList", positionSide: "positionSide" },
  "position.set-leverage": { symbol: "sym", leverage: "leverage" },
  "portfolio.set-position-mode": { exchange: "exchange", mode: "mode" },
  "algo.place": {
    symbol: "sym",
    side: "side",
    positionSide: "positionSide",
    quantity: "orderQty",
    conditionType: "conditionType",
    triggerPrice: "conditionalTriggerPrice",
    takeProfitPrice: "tpTriggerPrice",
    stopLossPrice: "slTriggerPrice",
    clientOrderId: "clientOrderId",
  },
  "algo.replace": {
    algoOrderId: "algoOrderId",
    quantity: "orderQty",
    triggerPrice: "conditionalTriggerPrice",
    takeProfitPrice: "tpTriggerPrice",
    stopLossPrice: "slTriggerPrice",
  },
  "algo.cancel": { algoOrderId: "algoOrderId" },
};

const ACTION_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(CALLS).flatMap(([action, calls]) => calls.map((call) => [call, action] as const)),
);

/** An intermediary repeats a request within this time, or not at all. */
const REPEATED_WITHIN_MS = 10_000;

/** What was repeated while the fault was on may arrive when it is over. */
const isSecondDelivery = (history: History, firstMs: number, atMs: number): boolean =>
  deliversTwice(history, atMs, atMs - firstMs <= REPEATED_WITHIN_MS ? firstMs : atMs);

/** The action of a call; null for an unknown write. */
const actionOf = (frame: Frame): string | null => ACTION_OF.get(frame.call) ?? null;

const IDS: ReadonlySet<string> = new Set(["orderId", "clientOrderId", "algoOrderId"]);

const plain = (name: string, value: unknown): string => {
  const figure = IDS.has(name) ? null : num(value);
  return figure ? show(figure) : String(value);
};

/** The parameters that determine the effect, in wire names and one spelling; equal for a row and its frame. */
function decisive(action: string, from: Rec, source: "row" | "frame"): string {
  const names = WIRE_NAMES[action] ?? {};
  const fields = Object.entries(names).flatMap(([business, wire]) => {
    const value = from[source === "row" ? business : wire];
    return value === undefined || value === null || value === "" ? [] : [`${wire}=${plain(wire, value)}`];
  });
  // The price of a MARKET order has no meaning on either side.
  const market = text(from, "orderType") === "MARKET";
  const kept = fields.filter((field) => !(market && field.startsWith("limitPrice=")));
  if (action === "order.place") {
    kept.push(`reduceOnly=${String(flag(from, "reduceOnly"))}`);
    if (!market) kept.push(`timeInForce=${inForce(from)}`);
  }
  return `${action}?${kept.join("&")}`;
}

function inForce(from: Rec): string {
  if (flag(from, "postOnly")) return "GTX";
  return text(from, "timeInForce")?.toUpperCase() ?? "GTC";
}

/** A frame may still be in flight when its process ends. */
export const IN_FLIGHT_MS = 2_000;

/** One write of this account as it arrived, and its row. */
export interface Matched {
  readonly frame: Frame;
  readonly action: string;
  /** The row that announced it; null if no unmatched row fits. */
  readonly write: Write | null;
  /** True for a second delivery of one frame by the transport; it has the row of the first. */
  readonly again: boolean;
}

const kept = new WeakMap<History, readonly Matched[]>();

/** Every write frame of this account with its row, by arrival. Needs the wire log. */
export function matchedFrames(history: History): readonly Matched[] {
  const known = kept.get(history);
  if (known) return known;
  const made = match(history);
  kept.set(history, made);
  return made;
}

function match(history: History): readonly Matched[] {
  const view = journalView(history);
  const waiting = new Map<string, Write[]>();
  for (const write of view.writes) {
    // A write that certainly was not sent cannot match a frame.
    if (outcomeOf(write) === "not-sent") continue;
    const key = decisive(write.action, write.params, "row");
    waiting.set(key, [...(waiting.get(key) ?? []), write]);
  }
  const used = new Map<string, Matched>();
  const account = accountOf(history);
  return (history.wire ?? []).flatMap((frame): Matched[] => {
    const action = actionOf(frame);
    if (action === null || (frame.accountId !== null && frame.accountId !== account)) return [];
    const key = decisive(action, frame.params, "frame");
    const candidates = waiting.get(key) ?? [];
    const before = used.get(key);
    const twice = before !== undefined && isSecondDelivery(history, before.frame.atMs, frame.atMs);
    // A frame at the same instant as an equal one is its second delivery, not an old write of an ended run.
    const fresh = twice && before.frame.atMs === frame.atMs;
    // Nor is it a write recorded after the equal one was answered; with wrong clocks, times do not decide.
    const answeredSeq = (fresh && before.write?.answer?.seq) || Infinity;
    // Only one process runs at an instant.
    const runId = fresh ? before.write?.row.runId : undefined;
    const possible = candidates.filter(
      ({ row }) => row.seq < answeredSeq && (runId === undefined || row.runId === runId),
    );
    const write = likeliest(possible, history, { atMs: frame.atMs, fresh });
    if (write) candidates.splice(candidates.indexOf(write), 1);
    const again = write === null && twice;
    const matched = { frame, action, write: again ? before.write : write, again };
    if (write) used.set(key, matched);
    return [matched];
  });
}

/**
 * Which of several equal writes a frame was: one answered after it, otherwise one of the run at that time, otherwise
 * the oldest, unless only a `fresh` one without an answer may match. A write that an earlier run announced and never
 * sent, or that our own limit held back, must not take the place of the same write by the next run.
 */
function likeliest(
  candidates: readonly Write[],
  history: History,
  { atMs, fresh }: { readonly atMs: number; readonly fresh: boolean },
): Write | null {
  const runs = new Map(journalView(history).runs.map(({ runId, last }) => [runId, last.atMs]));
  type Way = (write: Write) => boolean;
  const before = (skewMs: number): Way => {
    return ({ row }) => row.atMs <= atMs + skewMs;
  };
  const answered = (skewMs: number): Way => {
    return (write) => before(skewMs)(write) && (write.answer?.atMs ?? -Infinity) >= atMs - skewMs;
  };
  const running = (skewMs: number): Way => {
    return (write) => before(skewMs)(write) && (runs.get(write.row.runId) ?? -Infinity) + IN_FLIGHT_MS >= atMs - skewMs;
  };
  const open = (skewMs: number): Way => {
    return (write) => running(skewMs)(write) && write.answer === null;
  };
  const { skewMs } = history;
  // With large clock differences, prefer a match that would also fit with equal clocks.
  const skews = skewMs > IN_FLIGHT_MS ? [IN_FLIGHT_MS, skewMs] : [skewMs];
  const ways = skews.flatMap((each) => [answered(each), fresh ? open(each) : running(each)]);
  if (!fresh) ways.push(before(skewMs));
  return ways.map((fits) => candidates.find(fits)).find((write) => write !== undefined) ?? null;
}

/** True for a frame that places an order which adds exposure. */
export const isOpeningFrame = (matched: Matched): boolean =>
  matched.action === "order.place" && !reducesByParams(matched.frame.params);

/** True if an order's wire parameters can only reduce: reduce-only, or a side against its position. */
export function reducesByParams(params: Rec): boolean {
  if (flag(params, "reduceOnly")) return true;
  const side = text(params, "side")?.toUpperCase();
  const leg = text(params, "positionSide")?.toUpperCase();
  return (leg === "LONG" && side === "SELL") || (leg === "SHORT" && side === "BUY");
}
