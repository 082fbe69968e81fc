/**
 * The hooks where a fault may interfere, with their types. Servers call the hooks and know nothing else of faults; a
 * fault implements those it needs. All are synchronous and must not throw.
 */
import type { UserPush } from "../exchange/contract/api.ts";
import type { GatewayReply } from "../model/gateway.ts";
import type { RawReply } from "../wire/http-call.ts";

export type { GatewayReply, RawReply, UserPush };

/** One push of the feed stream. Spec: 2 §6.2. */
export interface NewsMessage {
  readonly channel: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A call on arrival, before its signature has been checked. */
export interface RestCall {
  readonly method: string;
  /** The documented path, even if the client used an alias; the raw path if it is unknown. */
  readonly path: string;
  readonly isWrite: boolean;
  /** Null before the key is known. */
  readonly accountId: string | null;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A kind of call, as the table of endpoints names it. */
export type CallKind = Pick<RestCall, "method" | "path">;

/** "every": no call of the kind is served while the fault is on. "some": calls may fail or are served late. */
export type Reach = "every" | "some";

/** The treatment of one REST call; absent members change nothing. */
export interface RestPlan {
  /** Cuts the connection, and nothing happens at the venue. */
  readonly dropBeforeApply?: boolean;
  readonly delayBeforeMs?: number;
  /** Replies without reaching the venue. */
  readonly answerInstead?: RawReply;
  /** The venue gets the same signed request a second time right after the first; the client gets the first reply. */
  readonly deliverTwice?: boolean;
  /** The delay of a second delivery; the reply to the first does not wait for it. */
  readonly deliverAgainAfterMs?: number;
  readonly delayAfterMs?: number;
  /** The venue acts, then the connection is cut. */
  readonly dropAfterApply?: boolean;
  /** Sends the head and half the body, then nothing. */
  readonly stall?: boolean;
  readonly change?: (reply: RawReply) => RawReply;
  /** After `change` and `respell` the reply no longer shows a reader the present state: damaged, replaced or old. */
  readonly spoils?: boolean;
  /** Changes the spelling of the reply, after all changes of its content. */
  readonly respell?: (reply: RawReply) => RawReply;
}

/** One push of the market stream before it is serialised. */
export interface MarketFrame {
  readonly channel: string;
  readonly symbol: string;
  readonly interval: string | null;
  readonly data: unknown;
  /** Sent instead of the compressed form. */
  readonly bytes?: Buffer;
}

/** Error code and text of a subscription reply on the market stream. */
export interface StreamRefusal {
  readonly code: number;
  readonly msg: string;
}

/** The fate of one action on the user stream. */
export type ActionFate = "drop-before-apply" | "drop-after-apply";

/** Absent members change nothing. A returned list replaces the frame or push: empty drops it, two entries double it. */
export interface FaultHooks {
  rest?(call: RestCall): RestPlan | null;
  /** Which calls of a kind are not served while the fault is on; null for none. */
  restReach?(kind: CallKind): Reach | null;
  marketFrame?(frame: MarketFrame): readonly MarketFrame[];
  refuseSubscription?(channel: string, symbol: string): StreamRefusal | null;
  /** Market sockets for which this is true receive and send nothing more. */
  deafMarketSocket?(): boolean;
  userPush?(push: UserPush): readonly UserPush[];
  refuseUserLogin?(): string | null;
  userAction?(action: string): ActionFate | null;
  newsMessage?(message: NewsMessage): readonly NewsMessage[];
  refuseNewsHandshake?(): boolean;
  /** After the model has answered and been paid for: "lost" cuts the connection, "stalled" sends half and waits. */
  modelReply?(reply: GatewayReply): GatewayReply | "lost" | "stalled";
  /** Added to the service's clock wherever a client can see it. */
  skewMs?(): number;
}
