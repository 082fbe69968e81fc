/**
 * Everything that can wake the agent, and everything it may ask of the shell: two closed unions that fit on a screen.
 * Market data is the exception: it goes straight into the context (it is most of the traffic and allocates nothing), and
 * the agent reads it on its ticks.
 */
import type { Decimal } from "../core/decimal.ts";
import type { LogEvent } from "../core/log-events.ts";
import type { LogFields, LogLevel } from "../core/log.ts";
import type { Outcome } from "../core/outcome.ts";
import type { AlgoOrder, PlaceAlgoOrder } from "../domain/algo-order.ts";
import type { NewsItem } from "../domain/news-item.ts";
import type { Execution, Order, OrderUpdate } from "../domain/order.ts";
import type { Asset, ExchangeAccount, Funding, Position, PositionUpdate } from "../domain/position.ts";
import type { SymbolRules } from "../domain/symbol.ts";
import type { Approved } from "../risk/review.ts";
import type { Draft, SessionView } from "../risk/view.ts";
import type { ArmedStrategy, ModelQuestion } from "../strategy/strategy.ts";
import type { Lesson } from "../context/memory.ts";
import type { Handover, SwitchedBy } from "./handover.ts";
import type { StopAmendment } from "./leg.ts";
import type { AgentSettings } from "./settings.ts";

export type StreamName = "market" | "user" | "news";

/** The venue's own account of things, read by REST. `startedAtMs` decides against pushes that are newer. */
export interface Sweep {
  readonly startedAtMs: number;
  readonly account: readonly ExchangeAccount[];
  readonly positions: readonly Position[];
  readonly openOrders: readonly Order[];
  /** Null when this sweep did not ask (their rate is scarce). */
  readonly openAlgos: readonly AlgoOrder[] | null;
}

/** A model's answer as the agent needs it. Every way of failing is a kind of its own and never passes for a hold. */
export type ModelAnswer =
  | {
      readonly kind: "answered";
      readonly value: unknown;
      readonly model: string;
      readonly cached: boolean;
      readonly costUsd: string;
      readonly detail: LogFields;
    }
  | { readonly kind: "failed"; readonly reason: string; readonly costUsd: string; readonly detail: LogFields };

/** What became of an attempt to send: the venue's outcome, or the desk's refusal before the wire. */
export type Sent<T> = Outcome<T> | { readonly kind: "blocked"; readonly message: string };

export type AgentEvent =
  /** `monoMs` is the monotonic clock's; without it `atMs` stands in. */
  | { readonly kind: "tick"; readonly atMs: number; readonly monoMs?: number }
  | {
      readonly kind: "stream";
      readonly atMs: number;
      readonly stream: StreamName;
      readonly up: boolean;
      readonly reason: string;
    }
  | { readonly kind: "order"; readonly atMs: number; readonly update: OrderUpdate }
  | { readonly kind: "fill"; readonly atMs: number; readonly execution: Execution }
  | {
      readonly kind: "fills-read";
      readonly atMs: number;
      readonly startedAtMs: number;
      /** Null when the list could not be read. */
      readonly fills: readonly Execution[] | null;
    }
  | { readonly kind: "position"; readonly atMs: number; readonly update: PositionUpdate }
  | { readonly kind: "asset"; readonly atMs: number; readonly asset: Asset }
  | { readonly kind: "algo"; readonly atMs: number; readonly algo: AlgoOrder }
  | { readonly kind: "venue-alarm"; readonly atMs: number; readonly what: string }
  | { readonly kind: "swept"; readonly atMs: number; readonly sweep: Sweep }
  /** The stops that stand, read too late for the sweep that asked for them. */
  | {
      readonly kind: "algos-read";
      readonly atMs: number;
      readonly startedAtMs: number;
      readonly algos: readonly AlgoOrder[];
    }
  /** One stop that the run before left standing. */
  | { readonly kind: "algo-found"; readonly atMs: number; readonly leg: string; readonly found: Outcome<AlgoOrder> }
  | { readonly kind: "sweep-failed"; readonly atMs: number; readonly reason: string }
  | {
      readonly kind: "leverage";
      readonly atMs: number;
      readonly settings: readonly { symbol: string; leverage: number }[];
    }
  | { readonly kind: "leverage-failed"; readonly atMs: number; readonly symbol: string; readonly reason: string }
  | { readonly kind: "rules"; readonly atMs: number; readonly rules: readonly SymbolRules[] }
  | { readonly kind: "funding"; readonly atMs: number; readonly funding: Funding }
  | { readonly kind: "news"; readonly atMs: number; readonly item: NewsItem }
  | {
      readonly kind: "model";
      readonly atMs: number;
      readonly decisionId: string;
      /** Which question of the decision, counted from 0, the default. */
      readonly part?: number;
      readonly answer: ModelAnswer;
      readonly shadow?: string;
    }
  | {
      readonly kind: "placed";
      readonly atMs: number;
      readonly clientOrderId: string;
      readonly sent: Sent<{ orderId: string }>;
    }
  | { readonly kind: "cancel-sent"; readonly atMs: number; readonly clientOrderId: string; readonly sent: Sent<void> }
  | {
      readonly kind: "amend-sent";
      readonly atMs: number;
      readonly clientOrderId: string;
      readonly intentId: string;
      readonly sent: Sent<{ state: string }>;
    }
  | {
      readonly kind: "looked-up";
      readonly atMs: number;
      readonly clientOrderId: string;
      readonly found: Outcome<Order>;
    }
  | {
      readonly kind: "close-sent";
      readonly atMs: number;
      readonly leg: string;
      readonly sent: Sent<{ orderId: string | null }>;
    }
  | {
      readonly kind: "protect-sent";
      readonly atMs: number;
      readonly leg: string;
      readonly sent: Sent<{ algoOrderId: string }>;
    }
  | {
      readonly kind: "protection-amended";
      readonly atMs: number;
      readonly leg: string;
      readonly algoOrderId: string;
      readonly sent: Sent<{ algoOrderId: string }>;
    }
  | {
      readonly kind: "algo-cancel-sent";
      readonly atMs: number;
      readonly algoOrderId: string;
      readonly sent: Sent<void>;
    }
  | { readonly kind: "session"; readonly atMs: number; readonly session: SessionView | null; readonly reason: string }
  | {
      readonly kind: "settings";
      readonly atMs: number;
      readonly settings: AgentSettings;
      readonly strategies: Strategies;
      /** Who wants it, and what becomes of open positions where another strategy takes over. */
      readonly change: StrategyChange;
    }
  | { readonly kind: "learnt"; readonly atMs: number; readonly lessons: readonly Lesson[] }
  | { readonly kind: "forget-lesson"; readonly atMs: number; readonly id: string; readonly request: string | null }
  | { readonly kind: "clock-checked"; readonly atMs: number; readonly uncertaintyMs: number }
  | { readonly kind: "operator"; readonly atMs: number; readonly command: "halt" | "resume" }
  /** A part of the house is not sound, or sound again (null): nothing is opened while any such reason stands. */
  | { readonly kind: "hold"; readonly atMs: number; readonly cause: string; readonly reason: string | null }
  /** To HALT, as by the operator's word: only `resume` ends it. */
  | { readonly kind: "halt"; readonly atMs: number; readonly reason: string }
  | { readonly kind: "stop"; readonly atMs: number; readonly reason: string };

export interface Strategies {
  readonly chosen: ArmedStrategy;
  readonly fallback: ArmedStrategy;
  /** Scored on paper beside the chosen one; names are unique. */
  readonly shadows?: readonly ShadowArmed[];
}

export interface ShadowArmed {
  readonly name: string;
  readonly armed: ArmedStrategy;
}

export interface StrategyChange {
  readonly handover: Handover;
  readonly by: SwitchedBy;
  /** The command that waits for an answer; null when nobody does. */
  readonly request: string | null;
}

/** A promise of an earlier run. Its review is not carried over: it may be at the venue, and is never sent again. */
export interface PastIntent {
  readonly clientOrderId: string;
  readonly decisionId: string;
  readonly draft: Draft;
  readonly opening: boolean;
  /** When the earlier run promised it. */
  readonly promisedAtMs?: number;
}

/** A durable promise to place one order. Its id is the client order id, so the venue can be asked about it for ever. */
export interface Intent {
  readonly clientOrderId: string;
  readonly decisionId: string;
  readonly draft: Approved<Draft>;
  readonly opening: boolean;
}

/** A durable promise to change one order that rests. Its own id; the order keeps its. */
export interface AmendIntent {
  readonly intentId: string;
  readonly clientOrderId: string;
  readonly decisionId: string;
  /** The order as it was known when the change was judged. */
  readonly known: Order;
  readonly price: Decimal;
  /** The whole quantity, what has filled included. */
  readonly qty: Decimal;
  /** The order as it will be, as every limit judged it. */
  readonly draft: Approved<Draft>;
}

export type Effect =
  /** A row in the journal, durable before anything that follows it. */
  | { readonly kind: "record"; readonly row: string; readonly decisionId: string | null; readonly body: LogFields }
  | {
      readonly kind: "log";
      readonly level: LogLevel;
      readonly evt: LogEvent;
      readonly msg: string;
      readonly fields: LogFields;
    }
  | { readonly kind: "sweep"; readonly withAlgos: boolean }
  | { readonly kind: "read-fills"; readonly sinceMs: number }
  | { readonly kind: "load-rules" }
  | ({ readonly kind: "read-algo"; readonly leg: string } & (
      { readonly algoOrderId: string } | { readonly clientOrderId: string }
    ))
  | { readonly kind: "read-leverage" }
  | { readonly kind: "set-leverage"; readonly symbol: string; readonly leverage: number }
  | { readonly kind: "load-funding"; readonly symbol: string }
  | {
      readonly kind: "ask-model";
      readonly decisionId: string;
      /** Number of the question inside its decision, from 0. */
      readonly part: number;
      readonly question: ModelQuestion;
      readonly urgent: boolean;
      /** Name of the shadow that asks; absent for a real decision. */
      readonly shadow?: string;
    }
  | { readonly kind: "place"; readonly intent: Intent; readonly contractSize: Decimal }
  | { readonly kind: "amend"; readonly intent: AmendIntent; readonly contractSize: Decimal }
  | { readonly kind: "cancel"; readonly known: Order; readonly decisionId: string | null }
  | { readonly kind: "look-up"; readonly clientOrderId: string }
  | {
      readonly kind: "close";
      readonly known: Position;
      readonly hedgeMode: boolean;
      readonly decisionId: string | null;
    }
  | {
      readonly kind: "protect";
      readonly leg: string;
      readonly order: PlaceAlgoOrder;
      readonly decisionId: string | null;
    }
  | (StopAmendment & { readonly kind: "amend-protection"; readonly decisionId: string | null })
  | { readonly kind: "cancel-algo"; readonly algoOrderId: string }
  | { readonly kind: "renew-session" }
  /** For a command of the operator that waits. */
  | { readonly kind: "answer"; readonly request: string; readonly body: unknown };

/** The instant of a step, our wall time, and where what it asks for is collected. */
export interface At {
  readonly nowMs: number;
  readonly out: Outbox;
}

/** Collects what one step asks for, in order. */
export class Outbox {
  readonly effects: Effect[] = [];
  ask(effect: Effect): void {
    this.effects.push(effect);
  }
  record(row: string, body: LogFields, decisionId: string | null = null): void {
    this.effects.push({ kind: "record", row, decisionId, body });
  }
  log(level: LogLevel, evt: LogEvent, msg: string, fields: LogFields = {}): void {
    this.effects.push({ kind: "log", level, evt, msg, fields });
  }
}
