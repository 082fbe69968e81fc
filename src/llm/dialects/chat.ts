/**
 * One exchange with a model service in any dialect, with four possible results: answered, refused (nothing billed),
 * not sent, or unknown (perhaps billed).
 */
import type { Decimal } from "../../core/decimal.ts";
import type { Effort, ReplyFormat, Speech } from "../contract/settings.ts";
import type { ModelRefusalReason } from "./refusal.ts";
import type { GatewayWords } from "../prompts/prompts.ts";
import type { JsonSchema } from "../replies/schema.ts";

/** Tokens as the service states them; for a question and its repair together. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Included in the prompt tokens. */
  readonly cachedTokens: number;
  /** Included in the completion tokens; absent where the service states none. */
  readonly reasoningTokens?: number;
}

/** One request, independent of the dialect. */
export interface ModelRequest {
  readonly model: string;
  /** Name of the prompt, what the question is for, and the words that are new in it. For those who look on; not sent as such. */
  readonly prompt: string;
  readonly purpose: string;
  readonly words: GatewayWords;
  readonly system: string;
  readonly user: string;
  readonly schema: JsonSchema;
  readonly schemaName: string;
  readonly maxOutputTokens: number;
  /** Sent as `x-client-request-id`, so that the gateway's ledger can be compared with ours. */
  readonly requestId?: string;
  /** Aborts the exchange at once. */
  readonly signal: AbortSignal;
  /** Real milliseconds left. */
  readonly timeoutMs: number;
  readonly speech: Speech;
  readonly temperature?: number;
  readonly reasoningEffort?: Effort;
  /** The only response format to use; absent: find one by trying. */
  readonly replyFormat?: ReplyFormat;
}

/** Why a sent request has no usable answer. */
export type LostHow = "timeout" | "broken" | "server" | "no-completion";

/** The result. `costUsd` is the cost that the service stated, in USD; null if it stated none. */
export type ChatOutcome =
  | {
      readonly kind: "answered";
      readonly text: string;
      readonly finishReason: string;
      readonly usage: Usage | null;
      readonly costUsd: Decimal | null;
      /** The service marked the answer as a refusal by the model. */
      readonly declined: boolean;
      /** Reasoning shown beside the answer; billed like the answer. */
      readonly thoughts: string;
      /** `thoughts` if the answer was found in the reasoning because the content was empty. */
      readonly answeredIn: "content" | "thoughts";
    }
  /** A definite refusal by the service; nothing was billed. */
  | {
      readonly kind: "refused";
      readonly why: ModelRefusalReason;
      readonly status: number;
      readonly message: string;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: "not-sent"; readonly message: string }
  /** The request was sent and no usable answer arrived. `costUsd` is set if a header stated the cost. */
  | {
      readonly kind: "unknown";
      readonly how: LostHow;
      /** 0 if no status arrived. */
      readonly status: number;
      readonly message: string;
      readonly costUsd: Decimal | null;
      readonly retryAfterMs: number | null;
    };

/** A client of a model service; `clients.ts` combines both dialects. */
export interface ChatClient {
  /** Never throws. May send several requests while it finds the service's dialect; only the last can be billed. */
  complete(request: ModelRequest): Promise<ChatOutcome>;
  close(): Promise<void>;
}

/** Called once for each change in how a model is asked or read. */
export type OnStep = (model: string, what: string) => void;
