/**
 * Money that rows state, recomputed from the venue's own facts: the equity of the account, each funding payment, and what
 * each round trip came to.
 */
import { abs, add, eq, gt, lt, max, mul, NIL, type Num, num, show, sub, sum } from "./decimal.ts";
import { decimal, text, timeIn } from "./fields.ts";
import { type Finding, finding, type History } from "./history.ts";
import { journalView } from "./journal-view.ts";
import type { VenueExecution } from "./venue-facts.ts";
import type { Row } from "./rows.ts";
import { type FactOf, factsOf, positionChanges } from "./venue-view.ts";

/** A reading may be as old as this when the row is written, and what happened meanwhile is carried forward. */
const READ_BEFORE_MS = 60_000;
/** The agent writes what it read, at the next tick; the venue writes at the event. */
const CLOCK_MS = 2_000;
/** Marks of ours and of the venue differ, and so does their time. */
const MARK_SHARE = num("0.02") ?? NIL;
const EQUITY_USDT = num("5") ?? NIL;
/** A payment of less may be rounded to nothing, and then the venue writes no line. */
const FUNDING_USDT = num("0.01") ?? NIL;
/** Rows give funding in eight places, round trips give its sum. */
const ROUNDING_USDT = num("0.0001") ?? NIL;
/** Fees are rounded by fill. */
const RESULT_SHARE = num("0.001") ?? NIL;
const RESULT_USDT = num("0.05") ?? NIL;

/** Rows of equity, funding and round trips that the venue's facts contradict; nothing without a ledger. */
export const moneyProblems = (history: History): readonly Finding[] =>
  history.venue === null ? [] : [...equityProblems(history), ...fundingProblems(history), ...resultProblems(history)];

function equityProblems(history: History): readonly Finding[] {
  const facts = factsOf(history, "account");
  const faults = factsOf(history, "faults");
  return journalView(history)
    .kinds("equity")
    .flatMap((row) => {
      const stated = decimal(row.body, "equityUsdt");
      const fromMs = row.atMs - READ_BEFORE_MS - history.skewMs;
      const toMs = row.atMs + CLOCK_MS + history.skewMs;
      // While a fault is on, what the agent reads may be old or false.
      if (stated === null || isTroubled(faults, fromMs, toMs)) return [];
      const seen = within(facts, fromMs, toMs).map(({ equity }) => equity);
      const [first] = seen;
      if (!first) return [];
      const [low, high] = seen.reduce(
        ([least, most], equity) => [lt(equity, least) ? equity : least, max(most, equity)] as const,
        [first, first] as const,
      );
      const slack = max(EQUITY_USDT, mul(high, MARK_SHARE));
      if (!lt(stated, sub(low, slack)) && !gt(stated, add(high, slack))) return [];
      return [finding(row.seq, `it states an equity of ${show(stated)}, the venue had ${show(low)} to ${show(high)}`)];
    });
}

/** The facts in a span, and the last one before it, which still held at its start. */
function within<F extends { readonly atMs: number }>(facts: readonly F[], fromMs: number, toMs: number): readonly F[] {
  const before = facts.findLast(({ atMs }) => atMs < fromMs);
  return [...(before ? [before] : []), ...facts.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)];
}

const isTroubled = (faults: readonly FactOf<"faults">[], fromMs: number, toMs: number): boolean =>
  within(faults, fromMs, toMs).some(({ on }) => on.length > 0);

/** The agent reckons a payment from its own mark and the rate that was announced last; the venue's statement has the truth. */
function fundingProblems(history: History): readonly Finding[] {
  const facts = factsOf(history, "funding");
  // A record from before these facts were kept says nothing of any payment.
  if (facts.length === 0) return [];
  const faults = factsOf(history, "faults");
  const changes = [...positionChanges(history)];
  return fundingRows(history).flatMap(({ row, leg, settledMs, stated }) => {
    const fromMs = settledMs - CLOCK_MS - history.skewMs;
    const toMs = row.atMs + CLOCK_MS + history.skewMs;
    // Under a fault the mark or the rate may be old. A fill between the settlement and the tick that notes it changes the quantity.
    const isSure =
      !isTroubled(faults, settledMs - READ_BEFORE_MS, toMs) &&
      !changes.some((change) => change.key === leg && change.atMs >= fromMs && change.atMs <= toMs);
    if (!isSure) return [];
    const paid = facts
      .filter(({ symbol, atMs }) => leg.startsWith(`${symbol}|`) && atMs >= fromMs && atMs <= toMs)
      .map(({ amount }) => amount);
    const fits = (amount: Num): boolean =>
      !gt(abs(sub(stated, amount)), max(FUNDING_USDT, mul(abs(amount), MARK_SHARE)));
    if ((paid.length === 0 ? [NIL] : paid).some(fits)) return [];
    const truth = paid.length === 0 ? "none" : paid.map(show).join(" and ");
    return [finding(row.seq, `it states funding of ${show(stated)} for ${leg}, the venue's statement has ${truth}`)];
  });
}

interface FundingRow {
  readonly row: Row;
  readonly leg: string;
  readonly settledMs: number;
  readonly stated: Num;
}

const fundingRows = (history: History): readonly FundingRow[] =>
  journalView(history)
    .kinds("trade")
    .flatMap((row): FundingRow[] => {
      const [leg, settledMs] = [text(row.body, "leg"), timeIn(row.body, "atMs")];
      const stated = decimal(row.body, "amountUsdt");
      if (row.body["event"] !== "funding" || leg === null || settledMs === null || stated === null) return [];
      return [{ row, leg, settledMs, stated }];
    });

function resultProblems(history: History): readonly Finding[] {
  const funding = fundingRows(history);
  const positions = new Map(factsOf(history, "order").map(({ order }) => [order.orderId, order.positionSide]));
  const filled = factsOf(history, "execution").map(({ atMs, execution }) => ({ atMs, execution }));
  return journalView(history)
    .kinds("trade")
    .flatMap((row) => {
      const stated = decimal(row.body, "netUsdt");
      if (row.body["event"] !== "closed" || stated === null) return [];
      const span = spanOf(row, history.skewMs);
      const fills = filled
        .filter(
          ({ atMs, execution: { symbol, orderId } }) =>
            symbol === text(row.body, "symbol") &&
            ["NONE", "BOTH", "", text(row.body, "side")].includes(positions.get(orderId) ?? "") &&
            atMs >= span.fromMs &&
            atMs <= span.toMs,
        )
        .map(({ execution }) => execution);
      const qty = decimal(row.body, "qty");
      if (!qty || !isRoundTrip(fills, qty)) return [];
      const leg = `${text(row.body, "symbol") ?? ""}|${text(row.body, "side") ?? ""}`;
      const ofIt = funding.filter(
        (paid) => paid.leg === leg && paid.settledMs >= span.fromMs && paid.settledMs <= span.toMs,
      );
      const received = sum(ofIt.map(({ stated: amount }) => amount));
      const claimed = decimal(row.body, "fundingUsdt") ?? NIL;
      if (gt(abs(sub(claimed, received)), ROUNDING_USDT))
        return [
          finding(row.seq, `it states funding of ${show(claimed)}, its rows of funding come to ${show(received)}`),
        ];
      const truth = add(resultOf(fills), claimed);
      const worth = mul(qty, decimal(row.body, "entryPrice") ?? NIL);
      const slack = max(RESULT_USDT, mul(worth, RESULT_SHARE));
      if (!gt(abs(sub(stated, truth)), slack)) return [];
      return [finding(row.seq, `it states a result of ${show(stated)}, the venue's fills came to ${show(truth)}`)];
    });
}

const spanOf = ({ body, atMs }: Row, skewMs: number): { readonly fromMs: number; readonly toMs: number } => ({
  fromMs: (timeIn(body, "openedAtMs") ?? atMs) - skewMs,
  toMs: (timeIn(body, "closedAtMs") ?? atMs) + CLOCK_MS + skewMs,
});

/** Exactly this quantity went in and came out: fills of a neighbour at the same instant, or an unseen one, leave it unjudged. */
function isRoundTrip(fills: readonly VenueExecution[], qty: Num): boolean {
  const through = (side: string): Num => sum(fills.filter((fill) => fill.side === side).map((fill) => fill.qty));
  return eq(through("BUY"), qty) && eq(through("SELL"), qty);
}

const resultOf = (fills: readonly VenueExecution[]): Num => sum(fills.map(({ realized, fee }) => sub(realized, fee)));
