/**
 * An agent on a virtual venue of a few lines: events are fed by hand, effects are read back. Nothing sleeps and nothing
 * is random, so every test is a story that happens the same way each time.
 */
import { type Agent, createAgent } from "../../src/agent/shell/agent.ts";
import type { AgentEvent, Strategies, AccountSnapshot } from "../../src/agent/contract/events.ts";
import type { Effect } from "../../src/agent/contract/effects.ts";
import type { AgentSettings } from "../../src/agent/contract/settings.ts";
import type { Restored } from "../../src/agent/state/restored.ts";
import { createContext, type Context } from "../../src/context/context.ts";
import { ZERO } from "../../src/core/decimal.ts";
import type { OrderUpdate } from "../../src/domain/order.ts";
import { REST_RATES } from "../../src/protocol/rest-rates.ts";
import type { TargetPosition } from "../../src/strategy/strategy.ts";
import {
  BTC,
  ETH,
  START_MS,
  rulesOf,
  settingsOf,
  nothingRestored,
  holding,
  targeting,
  asking,
  session,
  account,
} from "./agent-fixtures.ts";

export * from "./agent-fixtures.ts";

type DistributiveOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;

const leverageRead = { kind: "leverage", settings: [BTC, ETH].map((symbol) => ({ symbol, leverage: 2 })) } as const;

export interface World {
  readonly agent: Agent;
  readonly context: Context;
  /** What this world was begun with, and its prices by symbol. */
  readonly given: Given;
  readonly prices: Map<string, number>;
  /** What the strategy wants at the moment, where the test brought none of its own: `takesTargets`. */
  readonly targets: TargetPosition[];
  readonly takesTargets: boolean;
  nowMs: number;
  /** True once leverage is read back all the time, as a reachable venue does: before every tick. */
  readsLeverage: boolean;
  /** Every effect so far, oldest first. */
  readonly effects: Effect[];
  /** When each of them was asked for, epoch ms. */
  readonly effectsAtMs: number[];
  feed(event: DistributiveOmit<AgentEvent, "atMs">): readonly Effect[];
  /** Quotes both symbols at present and ticks. */
  tick(aheadMs?: number): readonly Effect[];
  /** Moves time and quotes both symbols, without a tick. */
  quote(aheadMs: number): void;
  price(symbol: string, price: number): void;
  account(change?: Partial<AccountSnapshot>): readonly Effect[];
  of<K extends Effect["kind"]>(kind: K): Extract<Effect, { kind: K }>[];
  /** The newest effect of a kind; fails the test when there is none. */
  last<K extends Effect["kind"]>(kind: K): Extract<Effect, { kind: K }>;
  logs(evt: string): string[];
}

/** `asks` makes the strategy ask a model before every decision, `before` is the world of the run before. */
export interface Given {
  readonly before?: World;
  readonly strategies?: Strategies;
  readonly asks?: boolean;
  readonly settings?: AgentSettings;
  readonly restored?: Partial<Restored>;
  readonly runId?: string;
  readonly atMs?: number;
  readonly prices?: ReadonlyMap<string, number>;
}

export function world(given: Given = {}): World {
  const { atMs = START_MS } = given;
  const settings = given.settings ?? settingsOf();
  const context = createContext({ universe: settings.universe });
  const targets: TargetPosition[] = [];
  const chosen = (given.asks ? asking : targeting)("first", targets);
  const strategies = given.strategies ?? { chosen, fallback: holding() };
  const agent = createAgent({
    runId: given.runId ?? "t1",
    context,
    settings,
    rates: REST_RATES,
    strategies,
    restored: { ...nothingRestored, ...given.restored },
    atMs,
  });
  const atFirst: [string, number][] = [
    [BTC, 60_000],
    [ETH, 3_000],
  ];
  const prices = new Map<string, number>(given.prices ?? atFirst);
  const effects: Effect[] = [];
  const quote = (nowMs: number): void => {
    context.sink.received(nowMs);
    for (const [symbol, price] of prices) {
      const half = price * 0.00005;
      context.sink.bbo(symbol, price - half, 5, price + half, 5, nowMs);
      context.sink.bookBegin(symbol, true, nowMs, nowMs);
      context.sink.bookSide(true, Float64Array.of(price - half, 5), 1);
      context.sink.bookSide(false, Float64Array.of(price + half, 5), 1);
      context.sink.bookEnd();
      context.sink.mark(symbol, price, nowMs);
      context.sink.index(symbol, price, nowMs);
      context.sink.trade(symbol, true, price, 0.1, nowMs);
    }
  };
  const self: World = {
    agent,
    context,
    given,
    prices,
    targets,
    takesTargets: !given.strategies,
    nowMs: atMs,
    readsLeverage: false,
    effects,
    effectsAtMs: [],
    feed: (event) => {
      const made = agent.step({ ...event, atMs: self.nowMs } as AgentEvent);
      effects.push(...made);
      self.effectsAtMs.push(...made.map(() => self.nowMs));
      return made;
    },
    tick: (aheadMs = 250) => {
      self.nowMs += aheadMs;
      quote(self.nowMs);
      if (self.readsLeverage) self.feed(leverageRead);
      return self.feed({ kind: "tick" });
    },
    quote: (aheadMs) => {
      self.nowMs += aheadMs;
      quote(self.nowMs);
    },
    price: (symbol, price) => void prices.set(symbol, price),
    account: (change = {}) =>
      self.feed({
        kind: "account-read",
        account: {
          startedAtMs: self.nowMs,
          account: [account("1000")],
          positions: [],
          openOrders: [],
          openAlgos: [],
          ...change,
        },
      }),
    of: (kind) => effects.filter((effect) => effect.kind === kind) as never,
    last: (kind) => {
      const found = effects.filter((effect) => effect.kind === kind).at(-1);
      if (!found) throw new Error(`no effect of kind ${kind}`);
      return found as never;
    },
    logs: (evt) => effects.flatMap((effect) => (effect.kind === "log" && effect.evt === evt ? [effect.msg] : [])),
  };
  return self;
}

/**
 * Brings a world to ready: rules, leverage, streams, account and a session. `first`: what the first account snapshot brings; the
 * second one confirms it, unless it is null.
 */
export function ready(
  given: Given = {},
  first: Partial<AccountSnapshot> = {},
  second: Partial<AccountSnapshot> | null = first,
): World {
  const w = world(given);
  w.tick();
  w.feed({ kind: "rules", rules: [rulesOf(BTC), rulesOf(ETH)] });
  w.feed(leverageRead);
  w.readsLeverage = true;
  w.feed({ kind: "stream", stream: "market", up: true, reason: "test" });
  w.feed({ kind: "stream", stream: "user", up: true, reason: "test" });
  w.account(first);
  w.tick();
  if (second) w.account(second);
  w.feed({ kind: "session", session: session(w.nowMs), reason: "" });
  return w;
}

/** A push for the order of a place effect. */
export function update(effect: Extract<Effect, { kind: "place" }>, change: Partial<OrderUpdate>): OrderUpdate {
  const { order } = effect.intent.draft;
  return {
    orderId: "2190000000000001",
    clientOrderId: order.clientOrderId,
    state: "OPEN",
    executedQty: ZERO,
    avgPrice: order.limitPrice ?? ZERO,
    symbol: order.symbol,
    side: order.side,
    positionSide: order.positionSide,
    qty: order.qty,
    limitPrice: order.limitPrice,
    fee: ZERO,
    reason: "",
    cancelPending: false,
    updatedAtMs: null,
    ...change,
  };
}
