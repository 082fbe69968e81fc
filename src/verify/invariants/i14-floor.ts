import { dueAt } from "../alive.ts";
import { add, gt, lt, max, mul, NIL, type Num, num, show, sub } from "../decimal.ts";
import { coinOf, type Exposure, exposureText } from "../exposure.ts";
import { decimal, figure, rec, type Rec } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView } from "../journal-view.ts";
import { knownIds } from "../known-ids.ts";
import { largestJumps, type MarkMove, movedApart, MOVE_SPAN_MS } from "../mark-moves.ts";
import { FLOOR_USDT } from "../phase.ts";
import { NEEDS } from "../service.ts";
import { type AccountExposure, stakes } from "../stakes.ts";
import { addsExposure, factsOf, firstOrders, ONE } from "../venue-view.ts";

/** A cushion broken by a moving mark must be restored within this much ready and reachable time. */
const MEND_WITHIN_MS = 15_000;
/** Fees and funding of closing everything, as a share of its value. */
const EXIT_COST = num("0.001") ?? NIL;
const MAJORS: ReadonlySet<string> = new Set(["BTC", "ETH"]);
/** If the push of an external order or fill is lost, the next list shows it within this time. */
const EXTERNAL_SEEN_MS = 10_000;

/** I14: the cushion above 800 USDT, and whether a fall below it was a jump beyond the gap. Needs the venue ledger. */
export const i14: Invariant = {
  id: "I14",
  title: "Floor",
  rule: "When the first opening order of an id stands at the venue, equity less the insured gap of the larger side of every coin, its smaller side times what the two may move apart, and 0.1 % of exit costs, all at their worst, is at least 800 and the buffer (outsiders' orders and fills of the last 10 s left out); a cushion broken by a mark is whole again within 15 s, or of the venue's last refusal of a reduction; equity is never under 800 unless a held symbol jumped beyond its gap within a minute, or two of a coin further apart than insured, and then the loss stays on the linear bound.",
  needs: ["venue ledger"],
  more: ["wire log"],
  unseen: "",
  judge,
};

function judge(history: History): readonly Finding[] {
  const { configAt } = journalView(history);
  const risk = rec(configAt(history.rows.at(-1)?.seq ?? Infinity), "risk") ?? {};
  const found: Finding[] = [];
  const seenOrders = new Set<string>();
  let brokenMs: number | null = null;
  let reported = false;
  for (const stake of stakes(history)) {
    const { fact } = stake.standing;
    const missing = shortfall(stake, risk);
    if (fact.fact === "order" && !seenOrders.has(fact.order.clientOrderId)) {
      // The agent chose the instant of the first order of its id. A second one is a request that came twice (I2), and how
      // soon its exposure is reduced is judged below.
      seenOrders.add(fact.order.clientOrderId);
      const known = missing !== null && gt(missing, unheardOf(history, stake, risk));
      if (known && addsExposure(fact.order) && isOurs(history, fact.order.clientOrderId))
        found.push(
          finding(
            null,
            `${fact.order.clientOrderId} of ${fact.atMs} lacks ${show(missing)} USDT of cushion: ${exposureText(stake.exposure)}`,
          ),
        );
    }
    if (missing === null) {
      brokenMs = null;
      reported = false;
    } else if (brokenMs === null) brokenMs = fact.atMs;
    else if (!reported && late(history, brokenMs, fact.atMs)) {
      reported = true;
      found.push(
        finding(
          null,
          `the cushion lacks ${show(missing)} USDT since ${brokenMs} and at ${fact.atMs} still: ${exposureText(stake.exposure)}`,
        ),
      );
    }
  }
  return [...found, ...eliminated(history, risk)];
}

const isOurs = (history: History, clientOrderId: string): boolean => journalView(history).intents.has(clientOrderId);

/** The cushion that very recent external orders and fills use: the agent cannot have known them when an order arrives. */
function unheardOf(history: History, { standing }: AccountExposure, risk: Rec): Num {
  const nowMs = standing.fact.atMs;
  const isRecent = (atMs: number): boolean => atMs <= nowMs && nowMs - atMs <= EXTERNAL_SEEN_MS;
  const placed = firstOrders(history).filter(
    ({ atMs, order }) => isRecent(atMs) && addsExposure(order) && !isOurs(history, order.clientOrderId),
  );
  const counted = new Set(placed.map(({ order }) => order.orderId));
  const filled = factsOf(history, "execution").flatMap(({ atMs, execution }) =>
    isRecent(atMs) && !isOurs(history, execution.clientOrderId) && !counted.has(execution.orderId) ? [execution] : [],
  );
  return [...placed.map(({ order }) => order), ...filled].reduce((sum, { symbol, qty, price }) => {
    const value = mul(
      mul(qty, price ?? standing.marks.get(symbol) ?? NIL),
      standing.rules.get(symbol)?.contractSize ?? ONE,
    );
    return add(sum, mul(value, add(gapOf(coinOf(symbol), risk), EXIT_COST)));
  }, NIL);
}

/** After the venue accepts and then refuses a reduction, the time for the next one starts again. */
function late(history: History, sinceMs: number, nowMs: number): boolean {
  const refused = factsOf(history, "order").filter(
    ({ atMs, order }) =>
      atMs > sinceMs &&
      atMs <= nowMs &&
      order.state === "REJECTED" &&
      !addsExposure(order) &&
      knownIds(history).isOurs(order),
  );
  const due = dueAt(history, NEEDS.reduce, { fromMs: refused.at(-1)?.atMs ?? sinceMs, spanMs: MEND_WITHIN_MS });
  return due !== null && nowMs > due + history.skewMs;
}

/** No file can make the insured move smaller than this. */
function gapOf(coin: string, risk: Rec): Num {
  const [name, usual, least] = MAJORS.has(coin)
    ? (["gapMajors", 0.12, num(0.05)] as const)
    : (["gapOthers", 0.25, num(0.1)] as const);
  const given = num(figure(risk, name) ?? usual) ?? NIL;
  return least !== null && gt(least, given) ? least : given;
}

/** How far apart two symbols of a coin may move. A journal from before the setting has none, and counted each in full. */
function apartOf(coin: string, risk: Rec): Num {
  const gap = gapOf(coin, risk);
  const given = num(figure(risk, "gapHedged") ?? 1) ?? NIL;
  const least = num(0.02) ?? NIL;
  const apart = gt(least, given) ? least : given;
  return gt(apart, gap) ? gap : apart;
}

/** Of each coin the larger side moves by the gap, and the smaller one is apart from it by as much as may be. */
function lossAtGap({ byCoin, gross }: Exposure, risk: Rec): Num {
  let loss = mul(gross, EXIT_COST);
  for (const [coin, { long, short }] of byCoin) {
    const [larger, smaller] = gt(short, long) ? [short, long] : [long, short];
    loss = add(loss, add(mul(larger, gapOf(coin, risk)), mul(smaller, apartOf(coin, risk))));
  }
  return loss;
}

/** The amount missing from the cushion, USDT; null if none. */
function shortfall({ standing, exposure }: AccountExposure, risk: Rec): Num | null {
  const buffer = decimal(risk, "bufferUsdt") ?? NIL;
  const needed = add(FLOOR_USDT, lt(buffer, NIL) ? NIL : buffer);
  const after = sub(standing.equity ?? NIL, lossAtGap(exposure, risk));
  return lt(after, needed) && gt(exposure.gross, NIL) ? sub(needed, after) : null;
}

interface Moment {
  readonly atMs: number;
  readonly equity: Num;
  readonly exposure: Exposure;
}

function eliminated(history: History, risk: Rec): readonly Finding[] {
  const found: Finding[] = [];
  const window: Moment[] = [];
  let below = false;
  for (const { standing, exposure } of stakes(history)) {
    const { atMs } = standing.fact;
    const equity = standing.equity ?? NIL;
    const under = lt(equity, FLOOR_USDT);
    // The state at the start of the minute is its first moment, however old the record.
    while (window[1] && window[1].atMs <= atMs - MOVE_SPAN_MS) window.shift();
    if (under && !below) found.push(...fallProblems(history, risk, { window, now: { atMs, equity, exposure } }));
    below = under;
    window.push({ atMs, equity, exposure });
  }
  return found;
}

function fallProblems(
  history: History,
  risk: Rec,
  { window, now }: { readonly window: readonly Moment[]; readonly now: Moment },
): readonly Finding[] {
  const peak = peakOf([...window, now]);
  const held = [...peak.keys()];
  const jumps = largestJumps(history, now.atMs, held);
  const beyond = jumps.some(({ symbol, share }) => gt(share, gapOf(coinOf(symbol), risk)));
  const apart = pairsOfACoin(held).some((pair) =>
    movedApart(history, now.atMs, { pair, beyond: apartOf(coinOf(pair[0]), risk) }),
  );
  if (!beyond && !apart) {
    const what = `equity is ${show(now.equity)} at ${now.atMs}, and no held symbol had jumped beyond its gap`;
    return [finding(null, what)];
  }
  const from = window[0]?.equity ?? now.equity;
  const bound = linearBound(peak, jumps);
  if (!gt(sub(from, now.equity), bound)) return [];
  return [
    finding(null, `equity fell from ${show(from)} to ${show(now.equity)}, beyond the linear bound ${show(bound)}`),
  ];
}

/** The largest exposure of each symbol within the window: a jump is valued at the exposure before it. */
function peakOf(moments: readonly Moment[]): ReadonlyMap<string, Num> {
  const peak = new Map<string, Num>();
  for (const { exposure } of moments)
    for (const [symbol, value] of exposure.bySymbol) peak.set(symbol, max(peak.get(symbol) ?? NIL, value));
  return peak;
}

const linearBound = (peak: ReadonlyMap<string, Num>, jumps: readonly MarkMove[]): Num =>
  jumps.reduce((sum, { symbol, share }) => add(sum, mul(peak.get(symbol) ?? NIL, add(share, EXIT_COST))), NIL);

const pairsOfACoin = (symbols: readonly string[]): readonly (readonly [string, string])[] =>
  symbols.flatMap((one, at) =>
    symbols.slice(at + 1).flatMap((other) => (coinOf(one) === coinOf(other) ? [[one, other] as const] : [])),
  );
