import { eq, show } from "../decimal.ts";
import { decimal, figure, text } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import type { AmendView } from "../amends.ts";
import { type IntentView, journalView, outcomeOf } from "../journal-view.ts";
import type { VenueOrder } from "../venue-facts.ts";
import type { Row } from "../rows.ts";
import { deliversTwice, factsOf, lastOrders, OVER } from "../venue-view.ts";

const MISSES_MIN = 3;
const SPREAD_MS_MIN = 30_000;
/** Refusals that leave open whether something happened. Fault R5. */
const AMBIGUOUS = /^(5\d\d|408|0|RCORE2300[23])$/;

/** I4: no intent and no amendment ends on a guess; with the venue ledger its end is compared with the venue's. */
export const i04: Invariant = {
  id: "I4",
  title: "Evidence for every end",
  rule: "An intent, and a change of one, ends once: by a definite refusal, by a terminal state read at the venue, as provably not sent, or as absent with at least 3 misses over at least 30 s, no open order, no execution and no change of position.",
  needs: [],
  more: ["venue ledger"],
  unseen: "",
  judge: (history) => {
    const orders = history.venue ? venueOrders(history) : null;
    return [
      ...[...journalView(history).intents].flatMap(([id, intent]) => endProblems(history, { id, intent, orders })),
      ...journalView(history).amends.flatMap((amend) => amendProblems(history, amend)),
    ];
  },
};

interface Judged {
  readonly id: string;
  readonly intent: IntentView;
  /** Null without the venue ledger. */
  readonly orders: VenueOrders | null;
}

interface VenueOrders {
  /** The latest record of each order with a client order id. */
  readonly byClient: ReadonlyMap<string, readonly VenueOrder[]>;
  /** When each order ended. */
  readonly overMs: ReadonlyMap<string, number>;
}

function venueOrders(history: History): VenueOrders {
  const byClient = new Map<string, VenueOrder[]>();
  for (const order of lastOrders(history).values())
    byClient.set(order.clientOrderId, [...(byClient.get(order.clientOrderId) ?? []), order]);
  const overMs = new Map<string, number>();
  for (const { order, atMs } of factsOf(history, "order"))
    if (OVER.has(order.state) && !overMs.has(order.orderId)) overMs.set(order.orderId, atMs);
  return { byClient, overMs };
}

function endProblems(history: History, judged: Judged): readonly Finding[] {
  const { id, intent } = judged;
  const [end, again] = intent.ends;
  if (!end) return [];
  const how = text(end.body, "how") ?? "nothing";
  const found: (string | null)[] = [
    intent.opened.some((row) => row.seq < end.seq) ? null : "it was never promised",
    again && again.bodyText !== end.bodyText ? `a second end differs (row ${again.seq})` : null,
    reasonProblem(history, judged, { end, how }),
    atVenueProblem(history, judged, { end, how }),
  ];
  return found.flatMap((what) => (what === null ? [] : [finding(end.seq, `intent ${id} ended "${how}": ${what}`)]));
}

interface End {
  readonly end: Row;
  readonly how: string;
}

function reasonProblem(history: History, { intent }: Judged, { end, how }: End): string | null {
  const { body } = end;
  switch (how) {
    case "refused": {
      const code = text(body, "code");
      return code === null || AMBIGUOUS.test(code) ? `code ${code ?? "none"} is no definite refusal` : null;
    }
    case "terminal": {
      const state = text(body, "state") ?? "none";
      if (!OVER.has(state)) return `the state ${state} is not terminal`;
      return text(body, "orderId") === null ? "it names no order" : null;
    }
    case "not-sent":
      return sentProblem(history, intent, end);
    case "absent":
      return proofGap(body);
    default:
      return "that is no evidence";
  }
}

function sentProblem(history: History, intent: IntentView, end: Row): string | null {
  const view = journalView(history);
  const out = view.having("wire-out", "clientOrderId", intent.clientOrderId).find(({ seq }) => seq < end.seq);
  const write = out && view.writes.find(({ row }) => row === out);
  if (!write) return null;
  const outcome = outcomeOf(write);
  if (outcome === "not-sent" || outcome === "rate-limited") return null;
  return `its write (row ${write.row.seq}) has the outcome ${outcome ?? "none"}`;
}

function proofGap(body: Row["body"]): string | null {
  const misses = figure(body, "misses") ?? 0;
  const spreadMs = figure(body, "spreadMs") ?? 0;
  if (misses < MISSES_MIN) return `${misses} misses, needed ${MISSES_MIN}`;
  if (spreadMs < SPREAD_MS_MIN) return `misses over ${spreadMs} ms, needed ${SPREAD_MS_MIN}`;
  const seen = ["openOrdersEmpty", "executionsEmpty", "positionUnchanged"].find((name) => body[name] !== true);
  return seen === undefined ? null : `${seen} was not seen`;
}

/** A refusal was true when it was written, and an intermediary repeated the refused request within this time. */
const REPEATED_WITHIN_MS = 10_000;

function cameAgain(history: History, orderId: string, end: Row): boolean {
  const atMs = factsOf(history, "order").find(({ order }) => order.orderId === orderId)?.atMs ?? -Infinity;
  const within = atMs > end.atMs && atMs - end.atMs <= REPEATED_WITHIN_MS;
  return within && deliversTwice(history, atMs, end.atMs - history.skewMs);
}

function atVenueProblem(history: History, { intent, orders }: Judged, { end, how }: End): string | null {
  if (!orders) return null;
  const mine = orders.byClient.get(intent.clientOrderId) ?? [];
  if (how !== "terminal") {
    const alive = mine.find((order) => order.state !== "REJECTED" && !cameAgain(history, order.orderId, end));
    return alive ? `the venue has it as ${alive.orderId}, ${alive.state}` : null;
  }
  const order = mine.find(({ orderId }) => orderId === text(end.body, "orderId"));
  if (!order) return `the venue has no order ${text(end.body, "orderId") ?? ""} of it`;
  const spelled = (state: string | null): string => (state === "CANCELED" ? "CANCELLED" : (state ?? "none"));
  if (spelled(order.state) !== spelled(text(end.body, "state"))) return `at the venue it ended ${order.state}`;
  const executed = decimal(end.body, "executedQty");
  if (!executed || !eq(executed, order.executed)) return `at the venue it filled ${show(order.executed)}`;
  const overMs = orders.overMs.get(order.orderId);
  return overMs !== undefined && overMs > end.atMs + history.skewMs ? `it was over only at ${overMs}` : null;
}

/** An amendment ends by the order's record at the venue, by a refusal, or as certainly not sent or not made. */
function amendProblems(history: History, amend: AmendView): readonly Finding[] {
  const [end, again] = amend.ends;
  if (!end) return [];
  const how = text(end.body, "how") ?? "nothing";
  const what = again && again.bodyText !== end.bodyText ? `a second end differs (row ${again.seq})` : null;
  const why = what ?? amendGap(history, amend, { end, how });
  return why === null ? [] : [finding(end.seq, `change ${amend.intentId} ended "${how}": ${why}`)];
}

function amendGap(history: History, amend: AmendView, { end, how }: End): string | null {
  const { body } = end;
  switch (how) {
    case "amended": {
      const [price, qty] = [decimal(body, "price"), decimal(body, "qty")];
      const holds = price && qty && amend.price && amend.qty && eq(price, amend.price) && eq(qty, amend.qty);
      return holds || OVER.has(text(body, "state") ?? "") ? null : "the order is not as the change would have it";
    }
    case "order-ended":
      return OVER.has(text(body, "state") ?? "") ? null : `the state ${text(body, "state") ?? "none"} is not terminal`;
    case "refused": {
      const code = text(body, "code");
      return code === null || AMBIGUOUS.test(code) ? `code ${code ?? "none"} is no definite refusal` : null;
    }
    case "not-sent": {
      const write = journalView(history).writes.find((one) => one.amend === amend && one.row.seq < end.seq);
      const outcome = write ? outcomeOf(write) : "not-sent";
      const nothing = outcome === "not-sent" || outcome === "rate-limited";
      return nothing ? null : `its write has the outcome ${outcome ?? "none"}`;
    }
    case "absent": {
      const [reads, spreadMs] = [figure(body, "reads") ?? 0, figure(body, "spreadMs") ?? 0];
      if (reads < MISSES_MIN) return `${reads} look-ups, needed ${MISSES_MIN}`;
      return spreadMs < SPREAD_MS_MIN ? `look-ups over ${spreadMs} ms, needed ${SPREAD_MS_MIN}` : null;
    }
    default:
      return "that is no evidence";
  }
}
