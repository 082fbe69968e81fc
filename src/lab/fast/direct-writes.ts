/** The writes of the direct loop. Each is checked once more, sent and reported, as by the agent's writer and the desk. */
import type { Effect } from "../../agent/contract/effects.ts";
import type { Sent } from "../../agent/contract/events.ts";
import { type Decimal, dec, toWire, ZERO } from "../../core/decimal.ts";
import { MINUTE_MS } from "../../core/time.ts";
import { mapOutcome, type Outcome } from "../../core/outcome.ts";
import { positionKeyOf } from "../../domain/position.ts";
import { wireProblem } from "../../desk/wire-limits.ts";
import { placeAlgoToWire } from "../../protocol/trading/place-algo.ts";
import { placeOrderToWire } from "../../protocol/trading/place-order.ts";
import type { SessionView } from "../../risk/view.ts";
import { ACCOUNT } from "./bare-exchange.ts";
import type { LoopState } from "./loop-state.ts";
import { readLeverages } from "./exchange-link.ts";

/** How long an order may wait for its slot before it is too old. */
const OPENING_WAITS_MS = 30_000;

/** In the order of the writer and the desk: the limits again, then the desk's checks, then the request. */
export function place(state: LoopState, effect: Extract<Effect, { kind: "place" }>, waitedMs: number): void {
  const { agent, clock, feed, link } = state;
  const { intent } = effect;
  const { clientOrderId, draft, opening } = intent;
  const nowMs = clock.nowMs();
  const contractSize = ruleOf(state, draft.order.symbol);
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
      ? "it waited too long for its slot"
      : (agent.recheck(intent, nowMs) ?? wireProblem(action, null, agent.wireFacts(draft.order.symbol, nowMs)));
  if (refusal) {
    state.seen.refused += 1;
    return feed({ kind: "placed", clientOrderId, sent: { kind: "blocked", message: refusal } });
  }
  state.seen.orders += 1;
  if (opening) {
    const { qty, limitPrice, symbol } = draft.order;
    const price = limitPrice ?? dec(state.options.bare.price(symbol));
    state.usedUsdt = state.usedUsdt.add(qty.mul(price).mul(contractSize));
    feed({ kind: "session", session: sessionOf(state), reason: "" });
  }
  state.options.onWrite?.(effect);
  link.write(
    draft.order.symbol,
    (exchange, at) => {
      const answer = exchange.place(ACCOUNT, placeOrderToWire(draft.order), at);
      if (opening) state.options.arrived?.();
      return answer;
    },
    (sent: Outcome<{ orderId: string }>) => feed({ kind: "placed", clientOrderId, sent }),
  );
}

export function replace(state: LoopState, effect: Extract<Effect, { kind: "amend" }>): void {
  const { agent, clock, feed, link } = state;
  const { intent, contractSize } = effect;
  const { clientOrderId, intentId, known, price, qty, draft } = intent;
  const nowMs = clock.nowMs();
  const key = { orderId: known.orderId };
  const action = { kind: "order.replace", key, price, qty, contractSize, known, draft } as const;
  const refusal =
    agent.recheckAmend(intent, nowMs) ?? wireProblem(action, known, agent.wireFacts(draft.order.symbol, nowMs));
  const reported = (sent: Sent<{ state: string }>): void => feed({ kind: "amend-sent", clientOrderId, intentId, sent });
  if (refusal) return reported({ kind: "blocked", message: refusal });
  state.options.onWrite?.(effect);
  link.write(
    draft.order.symbol,
    (exchange, at) => {
      const wanted = { ...key, replacePrice: toWire(price), replaceQty: toWire(qty) };
      const answer = exchange.amend(ACCOUNT, wanted, at);
      state.options.arrived?.();
      return answer;
    },
    (sent) => reported(mapOutcome(sent, ({ orderState }) => ({ state: orderState }))),
  );
}

const ruleOf = ({ options }: LoopState, symbol: string): Decimal =>
  options.bare.exchange.symbols.find(({ rules }) => rules.symbol === symbol)?.rules.contractSize ?? dec(1);

export const sessionOf = ({ options, usedUsdt, sessionSinceMs }: LoopState): SessionView => ({
  id: "ras_direct",
  active: true,
  expiresAtMs: sessionSinceMs + options.session.expiresIn,
  symbols: options.settings.universe,
  allowedActions: options.session.allowedActions,
  allowedOrderTypes: options.session.allowedOrderTypes,
  maxNotionalPerOrder: options.session.maxNotionalPerOrder,
  maxTotalNotional: options.session.maxTotalNotional,
  usedNotional: usedUsdt,
});

/** As in `control/consent.ts`: the next session starts in the last minute, or in the last half of a shorter session. */
export function renewSession(state: LoopState): void {
  const { expiresIn } = state.options.session;
  const nowMs = state.clock.nowMs();
  if (state.sessionSinceMs + expiresIn - nowMs > Math.min(MINUTE_MS, expiresIn / 2)) return;
  state.sessionSinceMs = nowMs;
  state.usedUsdt = ZERO;
}

export function close(state: LoopState, effect: Extract<Effect, { kind: "close" }>): void {
  const { options, agent, link, feed, seen } = state;
  const { known, hedgeMode } = effect;
  const positionKey = positionKeyOf(known.symbol, known.side);
  const problem = agent.recheckClose(known);
  if (problem !== null) return feed({ kind: "close-sent", positionKey, sent: { kind: "blocked", message: problem } });
  seen.closes += 1;
  options.onWrite?.(effect);
  link.write(
    known.symbol,
    (exchange, nowMs) =>
      exchange.closePosition(ACCOUNT, { sym: known.symbol, ...(hedgeMode ? { positionSide: known.side } : {}) }, nowMs),
    (sent: Outcome<{ orderId: string }>) => {
      if (!state.isDead) options.onClosed?.(effect, sent);
      feed({ kind: "close-sent", positionKey, sent });
    },
  );
}

export function protect(
  { options, agent, link, feed, seen }: LoopState,
  effect: Extract<Effect, { kind: "protect" }>,
): void {
  const { positionKey, order } = effect;
  const { clientOrderId } = order;
  if (!agent.wantsProtection(positionKey, clientOrderId)) {
    const sent = { kind: "blocked", message: "it is not wanted any more" } as const;
    return feed({ kind: "protect-sent", positionKey, clientOrderId, sent });
  }
  seen.stops += 1;
  options.onWrite?.(effect);
  link.write(
    order.symbol,
    (exchange, nowMs) => exchange.placeAlgo(ACCOUNT, placeAlgoToWire(order), nowMs),
    (sent) =>
      feed({
        kind: "protect-sent",
        positionKey,
        clientOrderId,
        sent: mapOutcome(sent, ({ algoOrderId }) => ({ algoOrderId })),
      }),
  );
}

export function amend(
  { options, agent, clock, link, feed }: LoopState,
  effect: Extract<Effect, { kind: "amend-protection" }>,
): void {
  const { positionKey, algoOrderId, change } = effect;
  if (!agent.mayAmend(effect, clock.nowMs())) {
    const sent = { kind: "blocked", message: "it cannot be changed any more" } as const;
    return feed({ kind: "protection-amended", positionKey, algoOrderId, sent });
  }
  const changed = {
    ...(change.qty ? { orderQty: toWire(change.qty) } : {}),
    ...(change.triggerPrice ? { conditionalTriggerPrice: toWire(change.triggerPrice) } : {}),
    ...(change.stopLossPrice ? { slTriggerPrice: toWire(change.stopLossPrice) } : {}),
  };
  options.onWrite?.(effect);
  link.write(
    null,
    (exchange, nowMs) => exchange.amendAlgo(ACCOUNT, { algoOrderId, ...changed }, nowMs),
    (sent) =>
      feed({
        kind: "protection-amended",
        positionKey,
        algoOrderId,
        sent: mapOutcome(sent, () => ({ algoOrderId })),
      }),
  );
}

export function setLeverage(
  { link, feed }: LoopState,
  { symbol, leverage }: Extract<Effect, { kind: "set-leverage" }>,
): void {
  const failed = (reason: string): void => feed({ kind: "leverage-failed", symbol, reason });
  link.write(
    symbol,
    (exchange, nowMs) => exchange.setLeverage(ACCOUNT, { sym: symbol, leverage }, nowMs),
    (set) => {
      if (set.kind !== "done") return failed(set.kind);
      link.read(readLeverages, (settings) =>
        settings ? feed({ kind: "leverage", settings }) : failed("it could not be read back"),
      );
    },
  );
}
