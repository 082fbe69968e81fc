/** The writes of the light house, each as the agent's writer and the desk do it: judged once more, sent, and reported. */
import type { Effect } from "../../src/agent/contract/effects.ts";
import type { Intent } from "../../src/agent/books/intents.ts";
import type { Sent } from "../../src/agent/contract/events.ts";
import { type Decimal, dec, toWire } from "../../src/core/decimal.ts";
import { mapOutcome, type Outcome } from "../../src/core/outcome.ts";
import { positionKeyOf } from "../../src/domain/position.ts";
import { wireProblem } from "../../src/desk/wire-limits.ts";
import { placeAlgoToWire } from "../../src/protocol/trading/place-algo.ts";
import { placeOrderToWire } from "../../src/protocol/trading/place-order.ts";
import type { SessionView } from "../../src/risk/view.ts";
import { ACCOUNT } from "./bare-venue.ts";
import type { Rooms } from "./house.ts";
import { readLeverages } from "./line.ts";

const SESSION_USDT = "1000000";

/** The window in which an order may wait for its slot before it is judged too old. */
const OPENING_WAITS_MS = 30_000;

/** As the writer and the desk do it: limits once more, then the desk's own, then the wire. */
export function place(rooms: Rooms, intent: Intent, waitedMs: number): void {
  const { agent, clock, feed, line } = rooms;
  const { clientOrderId, draft, opening } = intent;
  const nowMs = clock.nowMs();
  const contractSize = ruleOf(rooms, draft.order.symbol);
  const action = {
    kind: "order.place",
    draft,
    contractSize,
    marketPrice: null,
    maxNotional: null,
  } as const;
  const refusal = !opening
    ? null
    : waitedMs > OPENING_WAITS_MS
      ? "it waited too long for its turn"
      : (agent.recheck(intent, nowMs) ?? wireProblem(action, null, agent.wireFacts(draft.order.symbol, nowMs)));
  if (refusal) {
    rooms.seen.refused += 1;
    return feed({ kind: "placed", clientOrderId, sent: { kind: "blocked", message: refusal } });
  }
  rooms.seen.orders += 1;
  if (opening) {
    const { qty, limitPrice } = draft.order;
    rooms.sessionUsdt = rooms.sessionUsdt.add(qty.mul(limitPrice ?? 0).mul(contractSize));
    feed({ kind: "session", session: sessionOf(rooms), reason: "" });
  }
  line.write(
    (exchange, at) => {
      const answer = exchange.place(ACCOUNT, placeOrderToWire(draft.order), at);
      if (opening) rooms.options.arrived();
      return answer;
    },
    (sent: Outcome<{ orderId: string }>) => feed({ kind: "placed", clientOrderId, sent }),
  );
}

export function replace(rooms: Rooms, { intent, contractSize }: Extract<Effect, { kind: "amend" }>): void {
  const { agent, clock, feed, line } = rooms;
  const { clientOrderId, intentId, known, price, qty, draft } = intent;
  const nowMs = clock.nowMs();
  const key = { orderId: known.orderId };
  const action = { kind: "order.replace", key, price, qty, contractSize, known, draft } as const;
  const refusal =
    agent.recheckAmend(intent, nowMs) ?? wireProblem(action, known, agent.wireFacts(draft.order.symbol, nowMs));
  const reported = (sent: Sent<{ state: string }>): void => feed({ kind: "amend-sent", clientOrderId, intentId, sent });
  if (refusal) return reported({ kind: "blocked", message: refusal });
  line.write(
    (exchange, at) => {
      const wanted = { ...key, replacePrice: toWire(price), replaceQty: toWire(qty) };
      const answer = exchange.amend(ACCOUNT, wanted, at);
      rooms.options.arrived();
      return answer;
    },
    (sent) => reported(mapOutcome(sent, ({ orderState }) => ({ state: orderState }))),
  );
}

const ruleOf = ({ options }: Rooms, symbol: string): Decimal =>
  options.venue.exchange.symbols.find(({ rules }) => rules.symbol === symbol)?.rules.contractSize ?? dec(1);

export const sessionOf = ({ options, clock, sessionUsdt }: Rooms): SessionView => ({
  id: "ras_market_day",
  active: true,
  expiresAtMs: clock.nowMs() + 86_400_000,
  symbols: options.settings.universe,
  allowedActions: ["order.place", "order.replace", "order.cancel"],
  allowedOrderTypes: ["LIMIT", "MARKET"],
  maxNotionalPerOrder: dec("100000"),
  maxTotalNotional: dec(SESSION_USDT),
  usedNotional: sessionUsdt,
});

export function close({ line, feed, seen }: Rooms, { known, hedgeMode }: Extract<Effect, { kind: "close" }>): void {
  seen.closes += 1;
  const positionKey = positionKeyOf(known.symbol, known.side);
  line.write(
    (exchange, nowMs) =>
      exchange.closePosition(ACCOUNT, { sym: known.symbol, ...(hedgeMode ? { positionSide: known.side } : {}) }, nowMs),
    (sent: Outcome<{ orderId: string }>) => feed({ kind: "close-sent", leg: positionKey, sent }),
  );
}

export function protect({ agent, line, feed, seen }: Rooms, effect: Extract<Effect, { kind: "protect" }>): void {
  const { leg: positionKey, order } = effect;
  if (!agent.wantsProtection(positionKey, order.clientOrderId)) return;
  seen.stops += 1;
  line.write(
    (exchange, nowMs) => exchange.placeAlgo(ACCOUNT, placeAlgoToWire(order), nowMs),
    (sent) =>
      feed({ kind: "protect-sent", leg: positionKey, sent: mapOutcome(sent, ({ algoOrderId }) => ({ algoOrderId })) }),
  );
}

export function amend(
  { agent, clock, line, feed }: Rooms,
  effect: Extract<Effect, { kind: "amend-protection" }>,
): void {
  const { leg: positionKey, algoOrderId, change } = effect;
  if (!agent.mayAmend(effect, clock.nowMs())) {
    const sent = { kind: "blocked", message: "it is not to be changed any more" } as const;
    return feed({ kind: "protection-amended", leg: positionKey, algoOrderId, sent });
  }
  const changed = {
    ...(change.qty ? { orderQty: toWire(change.qty) } : {}),
    ...(change.triggerPrice ? { conditionalTriggerPrice: toWire(change.triggerPrice) } : {}),
    ...(change.stopLossPrice ? { slTriggerPrice: toWire(change.stopLossPrice) } : {}),
  };
  line.write(
    (exchange, nowMs) => exchange.amendAlgo(ACCOUNT, { algoOrderId, ...changed }, nowMs),
    (sent) =>
      feed({
        kind: "protection-amended",
        leg: positionKey,
        algoOrderId,
        sent: mapOutcome(sent, () => ({ algoOrderId })),
      }),
  );
}

export function setLeverage(
  { line, feed }: Rooms,
  { symbol, leverage }: Extract<Effect, { kind: "set-leverage" }>,
): void {
  const failed = (reason: string): void => feed({ kind: "leverage-failed", symbol, reason });
  line.write(
    (exchange, nowMs) => exchange.setLeverage(ACCOUNT, { sym: symbol, leverage }, nowMs),
    (set) => {
      if (set.kind !== "done") return failed(set.kind);
      line.read(readLeverages, (settings) =>
        settings ? feed({ kind: "leverage", settings }) : failed("it could not be read back"),
      );
    },
  );
}
