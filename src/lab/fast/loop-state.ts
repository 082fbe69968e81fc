/** The inputs and the mutable state of a direct loop. */
import type { Effect } from "../../agent/contract/effects.ts";
import type { Strategies } from "../../agent/contract/events.ts";
import type { AgentSettings } from "../../agent/contract/settings.ts";
import type { Agent } from "../../agent/shell/agent.ts";
import type { Context } from "../../context/context.ts";
import type { Restored } from "../../agent/state/restored.ts";
import type { Decimal } from "../../core/decimal.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { VirtualClock } from "../../core/virtual-clock.ts";
import type { MarketSink } from "../../domain/market.ts";
import type { VenueRates } from "../../domain/venue.ts";
import type { Exchange, UserPush } from "../../sim/exchange/contract/api.ts";
import type { BareExchange } from "./bare-exchange.ts";
import type { createSweep, ExchangeLink, readLeverages, readRules } from "./exchange-link.ts";
import type { Untimed } from "../../agent/shell/parts.ts";
import type { WriteSlots } from "./write-slots.ts";

/** Counters of one run. `worstFloor` is the worst floor state so far. */
export interface LoopCounts {
  worstFloor: string;
  orders: number;
  stops: number;
  closes: number;
  refused: number;
}

/** The caps of the operator's consent, as the automation session holds them. Amounts in USDT. */
export interface SessionTerms {
  readonly maxNotionalPerOrder: Decimal;
  readonly maxTotalNotional: Decimal;
  /** Life of a session in ms; the next one starts unused. */
  readonly expiresIn: number;
  readonly allowedActions: readonly string[];
  readonly allowedOrderTypes: readonly string[];
}

/** What the next process takes over from a killed one. */
export interface RestartState {
  readonly runId: string;
  readonly restored: Restored;
  /** One clock for all processes of the run: what an earlier process sent still arrives. */
  readonly clock: VirtualClock;
}

/** A row that would be written to the journal. */
export type RowListener = (effect: Extract<Effect, { kind: "record" }>, atMs: number) => void;

export interface DirectLoopOptions {
  readonly bare: BareExchange;
  readonly context: Context;
  readonly settings: AgentSettings;
  readonly strategies: Strategies;
  readonly rates: VenueRates;
  readonly session: SessionTerms;
  readonly startMs: number;
  /** The delay in each direction. */
  readonly latencyMs: number;
  /** Writes the current market into the context. */
  readonly quote: (sink: MarketSink, nowMs: number) => void;
  /** Draws whether a push is lost; without it, no push is lost. */
  readonly lose?: () => number;
  /**
   * Delays of the copies of a push, ms beyond the latency; an empty list loses the push. Without it each push arrives
   * once.
   */
  readonly deliver?: (push: UserPush) => readonly number[];
  /** The source of reads, if it is not the current state of the exchange. */
  readonly reads?: Exchange;
  /** Called when an opening order has reached the exchange and has been matched. */
  readonly arrived?: () => void;
  readonly onRow?: RowListener;
  /** Called when a write is sent. */
  readonly onWrite?: (effect: Effect) => void;
  /** Called when the reply to a close has arrived. */
  readonly onClosed?: (effect: Extract<Effect, { kind: "close" }>, sent: Outcome<{ readonly orderId: string }>) => void;
  /** Set if the agent restarts after a kill; without it, the agent starts new. */
  readonly life?: RestartState;
  /** Receives every log line of the agent. */
  readonly report?: (atMs: number, text: string) => void;
}

/** The mutable state of one loop. */
export interface LoopState {
  readonly options: DirectLoopOptions;
  readonly clock: VirtualClock;
  readonly agent: Agent;
  readonly link: ExchangeLink;
  readonly slots: WriteSlots;
  readonly sweep: ReturnType<typeof createSweep>;
  readonly leverages: typeof readLeverages;
  readonly rules: typeof readRules;
  readonly seen: LoopCounts;
  lastActMs: number;
  /** How many events the agent has taken. */
  steps: number;
  /** The process was killed: it receives and sends nothing more. */
  isDead: boolean;
  /** The running session: the amount it has used, and when it began. */
  usedUsdt: Decimal;
  sessionSinceMs: number;
  feed(event: Untimed): void;
}
