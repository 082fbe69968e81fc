/**
 * One exchange with a model service and the truth about its end, whatever dialect it speaks: answered, refused (nothing
 * billed), not sent, or of unknown fate (perhaps billed).
 */
import type { Decimal } from "../core/decimal.ts";
import type { Effort, ReplyFormat, Speech } from "./settings.ts";
import type { Usage } from "./pricing.ts";
import type { ModelRefusalReason } from "./refusal.ts";
import type { JsonSchema } from "./reply-schema.ts";

/** One exchange before it is put into a dialect. */
export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly user: string;
  readonly schema: JsonSchema;
  readonly schemaName: string;
  readonly maxOutputTokens: number;
  /** Sent as `x-client-request-id`, so that the gateway's own ledger can be held against ours. */
  readonly requestId?: string;
  /** Ends the exchange at once. */
  readonly signal: AbortSignal;
  /** Real milliseconds that are left for it. */
  readonly timeoutMs: number;
  readonly speech: Speech;
  readonly temperature?: number;
  readonly reasoningEffort?: Effort;
  /** The one way of asking for JSON that may be used; found by trying when absent. */
  readonly replyFormat?: ReplyFormat;
}

/** Why there is no usable answer to a request that left. */
export type LostHow = "timeout" | "broken" | "server" | "no-completion";

/** How it ended. `costUsd` is what the service stated, in USD; null where it stated none. */
export type ChatOutcome =
  | {
      readonly kind: "answered";
      readonly text: string;
      readonly finishReason: string;
      readonly usage: Usage | null;
      readonly costUsd: Decimal | null;
      /** The service marked it as a refusal of the model. */
      readonly declined: boolean;
      /** Thoughts that were shown beside the answer; they are billed like it. */
      readonly thoughts: string;
      /** `thoughts` where the answer itself was found among them, its own place being empty. */
      readonly answeredIn: "content" | "thoughts";
    }
  /** A definite no of the service; nothing was billed. */
  | {
      readonly kind: "refused";
      readonly why: ModelRefusalReason;
      readonly status: number;
      readonly message: string;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: "not-sent"; readonly message: string }
  /** It left and no usable answer came. `costUsd` is set where a header stated the bill all the same. */
  | {
      readonly kind: "unknown";
      readonly how: LostHow;
      /** 0 where no status came. */
      readonly status: number;
      readonly message: string;
      readonly costUsd: Decimal | null;
      readonly retryAfterMs: number | null;
    };

/** A way to a model service; `clients.ts` joins those of both ways of speaking. */
export interface ChatClient {
  /** Never throws. Several requests may go out while the service's dialect is found; only the last can be billed. */
  complete(request: ModelRequest): Promise<ChatOutcome>;
  close(): Promise<void>;
}

/** Hears of every change in how a model is asked or read, once each. */
export type OnStep = (model: string, what: string) => void;
