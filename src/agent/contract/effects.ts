/** Everything that the agent may ask of the shell: a closed union, and how one step collects it. */
import type { Decimal } from "../../core/decimal.ts";
import type { LogEvent } from "../../core/log-events.ts";
import type { LogFields, LogLevel } from "../../core/log.ts";
import type { PlaceAlgoOrder } from "../../domain/algo-order.ts";
import type { Phase } from "../../domain/competition.ts";
import type { Order } from "../../domain/order.ts";
import type { Position } from "../../domain/position.ts";
import type { RowBody, RowKind, RowValue } from "../../rows/row.ts";
import type { ModelQuestion } from "../../strategy/strategy.ts";
import type { AmendIntent, Intent } from "../books/intents.ts";
import type { StopAmendment } from "../positions/held-stop.ts";

/** Carried out by the loop in order, log lines last. The result of a read or write comes back as an `AgentEvent`. */
export type Effect =
  /** A row in the journal, durable before anything that follows it. */
  | {
      readonly kind: "record";
      readonly row: RowKind;
      readonly decisionId: string | null;
      readonly body: RowBody;
    }
  | {
      readonly kind: "log";
      readonly level: LogLevel;
      readonly evt: LogEvent;
      readonly msg: string;
      readonly fields: LogFields;
    }
  | { readonly kind: "read-account"; readonly withAlgos: boolean }
  | { readonly kind: "read-fills"; readonly sinceMs: number }
  | { readonly kind: "load-rules" }
  | ({ readonly kind: "read-algo"; readonly positionKey: string } & (
      | { readonly algoOrderId: string }
      | { readonly clientOrderId: string }
    ))
  | { readonly kind: "read-leverage" }
  | { readonly kind: "set-leverage"; readonly symbol: string; readonly leverage: number }
  | { readonly kind: "load-funding"; readonly symbol: string }
  | { readonly kind: "read-ranking"; readonly phase: Phase }
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
  /** `orderId` names the order where its client order id does not: the venue has another one of that id. */
  | { readonly kind: "cancel"; readonly known: Order; readonly decisionId: string | null; readonly orderId?: string }
  | { readonly kind: "look-up"; readonly clientOrderId: string; readonly orderId?: string }
  | {
      readonly kind: "close";
      readonly known: Position;
      readonly hedgeMode: boolean;
      readonly decisionId: string | null;
    }
  | {
      readonly kind: "protect";
      readonly positionKey: string;
      readonly order: PlaceAlgoOrder;
      readonly decisionId: string | null;
    }
  | (StopAmendment & { readonly kind: "amend-protection"; readonly decisionId: string | null })
  | { readonly kind: "cancel-algo"; readonly algoOrderId: string }
  | { readonly kind: "renew-session" }
  /** The answer to an operator's command that waits. */
  | { readonly kind: "answer"; readonly request: string; readonly body: unknown };

/** What asks the venue for something and changes nothing there. */
export type ReadEffect = Extract<
  Effect,
  {
    kind:
      | "read-account"
      | "read-fills"
      | "load-rules"
      | "read-leverage"
      | "load-funding"
      | "read-ranking"
      | "look-up"
      | "read-algo";
  }
>;

/** The instant of a step (our wall time), and the collector of what it asks for. */
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
  record({ kind: row, body }: RowValue, decisionId: string | null = null): void {
    this.effects.push({ kind: "record", row, decisionId, body });
  }
  log(level: LogLevel, evt: LogEvent, msg: string, fields: LogFields = {}): void {
    this.effects.push({ kind: "log", level, evt, msg, fields });
  }
}
