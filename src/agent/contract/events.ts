/**
 * Everything that can wake the agent: a closed union. Market data is the exception: it goes straight into the context (it
 * is most of the traffic and allocates nothing), and the agent reads it on its ticks.
 */
import type { ModelOutcome } from "../../core/model-outcome.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { AlgoOrder } from "../../domain/algo-order.ts";
import type { Phase } from "../../domain/competition.ts";
import type { ExchangeFees } from "../../domain/venue.ts";
import type { NewsItem } from "../../domain/news-item.ts";
import type { Execution, Order, OrderUpdate } from "../../domain/order.ts";
import type { Asset, ExchangeAccount, Funding, Position, PositionUpdate } from "../../domain/position.ts";
import type { Ranking } from "../../domain/live-score.ts";
import type { SymbolRules } from "../../domain/symbol.ts";

import type { SessionView } from "../../risk/view.ts";
import type { ArmedStrategy } from "../../strategy/strategy.ts";
import type { FactPoint } from "../../context/facts.ts";
import type { Lesson } from "../../context/memory.ts";
import type { Handover, SwitchedBy } from "./handover.ts";
import type { AgentSettings } from "./settings.ts";

/** The three sockets. Openings need `market` and `user`, and `news` only where `needsNews` is set. */
export type StreamName = "market" | "user" | "news";

/** The live stops. Where they were not read, from when on the venue takes another request for them, our time; null if that is open. */
export type AlgosRead = readonly AlgoOrder[] | { readonly againMs: number | null };

/**
 * The account as the venue's REST lists show it. Pushes newer than `startedAtMs` take precedence. Each list counts by
 * itself: one that was answered counts even if others failed.
 */
export interface AccountSnapshot {
  readonly startedAtMs: number;
  /** These three are null when they could not be read. */
  readonly account: readonly ExchangeAccount[] | null;
  readonly positions: readonly Position[] | null;
  readonly openOrders: readonly Order[] | null;
  /** Null when this account snapshot did not ask for them, or waits for the answer no longer. */
  readonly openAlgos: AlgosRead | null;
}

/** What became of an attempt to send: the venue's outcome, or the desk's refusal before the wire. */
export type Sent<T> = Outcome<T> | { readonly kind: "blocked"; readonly message: string };

/** `readOnly` if nothing may be written at the venue, not even a stop; absent if it was not checked. */
export interface Renewed {
  readonly session: SessionView | null;
  readonly reason: string;
  readonly readOnly?: boolean;
}

/** `atMs` is our wall clock; `request` names a command that waits for its answer. */
export type AgentEvent =
  /** `monoMs` is the monotonic clock's; without it `atMs` stands in. */
  /** `awake`: the host left out ticks in which nothing could happen, so that the time since the last one is no outage. */
  | { readonly kind: "tick"; readonly atMs: number; readonly monoMs?: number; readonly awake?: boolean }
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
  /** `failed` says why a part of it could not be read. */
  | {
      readonly kind: "account-read";
      readonly atMs: number;
      readonly account: AccountSnapshot;
      readonly failed?: string;
    }
  /** The stops that stand, read too late for the sweep that asked for them. */
  | {
      readonly kind: "algos-read";
      readonly atMs: number;
      readonly startedAtMs: number;
      readonly algos: AlgosRead;
    }
  /** One stop that the run before left standing. */
  | {
      readonly kind: "algo-found";
      readonly atMs: number;
      readonly positionKey: string;
      /** By which it was looked up, where its request had no answer: some venues leave it out of their records. */
      readonly clientOrderId?: string;
      readonly found: Outcome<AlgoOrder>;
    }
  | {
      readonly kind: "leverage";
      readonly atMs: number;
      readonly settings: readonly { symbol: string; leverage: number }[];
    }
  | { readonly kind: "leverage-failed"; readonly atMs: number; readonly symbol: string; readonly reason: string }
  | { readonly kind: "rules"; readonly atMs: number; readonly rules: readonly SymbolRules[] }
  | { readonly kind: "funding"; readonly atMs: number; readonly funding: Funding }
  /** Our place as the venue last published it; null where it has none for us. */
  | { readonly kind: "ranking"; readonly atMs: number; readonly phase: Phase; readonly ranking: Ranking | null }
  | { readonly kind: "news"; readonly atMs: number; readonly item: NewsItem }
  /** Points of a source of the owner's own, checked, rising in time and newer than all before. */
  | { readonly kind: "facts"; readonly atMs: number; readonly source: string; readonly points: readonly FactPoint[] }
  | {
      readonly kind: "model";
      readonly atMs: number;
      readonly decisionId: string;
      /** Which question of the decision, counted from 0, the default. */
      readonly part?: number;
      readonly outcome: ModelOutcome;
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
      readonly positionKey: string;
      readonly sent: Sent<{ orderId: string | null }>;
    }
  | {
      readonly kind: "protect-sent";
      readonly atMs: number;
      readonly positionKey: string;
      /** The request that this is the reply to: the position may have ended since, and another one be held in its place. */
      readonly clientOrderId: string;
      readonly sent: Sent<{ algoOrderId: string }>;
    }
  | {
      readonly kind: "protection-amended";
      readonly atMs: number;
      readonly positionKey: string;
      readonly algoOrderId: string;
      readonly sent: Sent<{ algoOrderId: string }>;
    }
  | {
      readonly kind: "algo-cancel-sent";
      readonly atMs: number;
      readonly algoOrderId: string;
      readonly sent: Sent<void>;
    }
  | ({ readonly kind: "session"; readonly atMs: number } & Renewed)
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
  | { readonly kind: "clock-checked"; readonly atMs: number; readonly offsetMs: number; readonly uncertaintyMs: number }
  /** What the venue says that the account pays. */
  | { readonly kind: "fees"; readonly atMs: number; readonly rates: readonly ExchangeFees[] }
  | { readonly kind: "operator"; readonly atMs: number; readonly command: OperatorCommand }
  /**
   * A part of the process or the account is unhealthy, or healthy again (null): nothing is opened while there is such a
   * reason.
   */
  | { readonly kind: "hold"; readonly atMs: number; readonly cause: string; readonly reason: string | null }
  /** To HALT, as by the operator's command: only `resume` ends it. */
  | { readonly kind: "halt"; readonly atMs: number; readonly reason: string }
  | { readonly kind: "stop"; readonly atMs: number; readonly reason: string };

/**
 * `halt-all` is a halt that cancels external opening orders as well; `flatten` also closes every position, and ends in
 * a halt.
 */
export const OPERATOR_COMMANDS = ["halt", "halt-all", "flatten", "resume"] as const;
export type OperatorCommand = (typeof OPERATOR_COMMANDS)[number];

/** Those in force. `fallback` decides where `chosen` fails or is suspended; one that asks a model then decides nothing. */
export interface Strategies {
  readonly chosen: ArmedStrategy;
  readonly fallback: ArmedStrategy;
  /** Scored on paper beside the chosen one; names are unique. */
  readonly shadows?: readonly ShadowArmed[];
}

/** A strategy that trades on paper alone; `name` is that of its book, not of the strategy. */
export interface ShadowArmed {
  readonly name: string;
  readonly armed: ArmedStrategy;
}

/** Comes with new settings. `handover` counts only where a strategy of another name takes over. */
export interface StrategyChange {
  /** Null where nobody stated one: a switch that waits keeps its own. */
  readonly handover: Handover | null;
  readonly by: SwitchedBy;
  /** The command that waits for an answer; null when nobody does. */
  readonly request: string | null;
}
