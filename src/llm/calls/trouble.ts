/**
 * Describes why a model does not answer: the kind of trouble, one sentence that names the cause, and what a person
 * can do about it. Status, log, the checks at the start and `ballast doctor` use these texts. Pure.
 */
import { stepTowards } from "../../net/certificates.ts";
import type { ChatOutcome } from "../dialects/chat.ts";
import type { ModelTrouble, TroubleKind } from "../contract/port.ts";

const LASTING: ReadonlySet<TroubleKind> = new Set(["redirect", "path", "key", "quota", "model", "format", "request"]);

const trouble = (kind: TroubleKind, sentence: string, next: string): ModelTrouble => ({
  kind,
  sentence,
  next,
  lasting: LASTING.has(kind),
});

/** An exchange without an answer. */
export type NoAnswer = Exclude<ChatOutcome, { kind: "answered" }>;

/** What was asked and where: `address` is `{ai_url}`. */
export interface CallTarget {
  readonly model: string;
  readonly address: string;
  /** Real milliseconds allowed for the exchange. */
  readonly timeoutMs: number;
}

const ADDRESS_NEXT = "check AI_BASE_URL";

/** Why an exchange brought no answer. */
export function troubleOf(end: NoAnswer, asked: CallTarget): ModelTrouble {
  if (end.kind === "not-sent") {
    return trouble(
      "unreachable",
      `the gateway at ${hostOf(asked.address)} cannot be reached (${end.message})`,
      stepTowards("AI_BASE_URL", end.message, `${ADDRESS_NEXT} and that the gateway runs`),
    );
  }
  return end.kind === "refused" ? refusedTrouble(end, asked) : unknownTrouble(end, asked);
}

type Refused = Extract<ChatOutcome, { kind: "refused" }>;

function refusedTrouble(end: Refused, { model, address }: CallTarget): ModelTrouble {
  const said = `(${saidText(end)})`;
  switch (end.why) {
    case "key":
      return trouble("key", `the gateway refuses the key ${said}`, "put a valid key in AI_API_KEY");
    case "budget":
      return trouble(
        "quota",
        `the gateway says that this key's budget is spent ${said}`,
        "raise the key's budget, or wait for its reset",
      );
    case "rate-limit":
      return trouble(
        "rate-limit",
        `the gateway refuses more questions for now ${said}`,
        "ask less often (cadence.every), or have the key's rate raised",
      );
    case "model":
      return trouble(
        "model",
        `the gateway does not know the model ${JSON.stringify(model)} (${end.status})`,
        namesNext(null),
      );
    case "path":
      return trouble(
        "path",
        `the gateway at ${address} has no model service at this path ${said}`,
        `${ADDRESS_NEXT}: completions are requested at ${address}/v1`,
      );
    case "redirect":
      return trouble(
        "redirect",
        `the gateway at ${address} redirects every question to another address ${said}`,
        "put that address in AI_BASE_URL",
      );
    case "format":
      return trouble(
        "format",
        `the gateway accepts none of our response formats ${said}`,
        "set replyFormat: plain for the model under model.names, or use another model",
      );
    case "request":
      return trouble(
        "request",
        `the gateway refuses the question ${said}`,
        "read its message: a setting of the model under model.names, or the length of the prompt",
      );
  }
}

type Unknown = Extract<ChatOutcome, { kind: "unknown" }>;

function unknownTrouble(end: Unknown, { timeoutMs, address }: CallTarget): ModelTrouble {
  switch (end.how) {
    case "timeout":
      return trouble(
        "timeout",
        `the gateway gave no complete answer within ${Math.round(timeoutMs / 100) / 10} s`,
        "wait, take a faster model, or raise model.timeout",
      );
    case "broken":
      return trouble(
        "broken",
        `the connection to the gateway broke before the answer was complete (${end.message})`,
        "wait for the retries; if they fail too, check the gateway and any proxies",
      );
    case "server":
      return trouble(
        "server",
        `the gateway failed (${saidText(end)})`,
        "wait for the retries; if they fail too, ask the gateway's operator",
      );
    case "no-completion":
      return trouble(
        "no-completion",
        `the gateway answered ${end.message}`,
        `${ADDRESS_NEXT}: ${address}/v1 must be the service itself, not a page about it`,
      );
  }
}

/** Something threw while the model was asked, which is a fault of our own. */
export const thrownTrouble = (error: unknown): ModelTrouble =>
  trouble(
    "broken",
    `asking the model failed (${error instanceof Error ? error.message : String(error)})`,
    "report this fault, and use another model meanwhile",
  );

/** The next step after an unknown model; `names` are those that the gateway lists. */
export const namesNext = (names: readonly string[] | null): string =>
  names === null || names.length === 0
    ? "put a name from its model list under model.names"
    : `name one of: ${names.slice(0, NAMES_SHOWN).join(", ")}${names.length > NAMES_SHOWN ? ", ..." : ""} under model.names`;

const NAMES_SHOWN = 8;

/** An answer that arrived and is unusable. */
export interface UnusableAnswer {
  readonly text: string;
  readonly finishReason: string;
  /** The service marked the answer as a refusal by the model. */
  readonly declined: boolean;
  /** Why the reply schema refuses it. */
  readonly problem: string;
  /** Output tokens that went into thinking, as stated; 0 for none. */
  readonly thoughtTokens?: number;
}

/** Why an answer that arrived is unusable. */
export function unusableTrouble({
  text,
  finishReason,
  declined,
  problem,
  thoughtTokens = 0,
}: UnusableAnswer): ModelTrouble {
  if (declined || finishReason === "content_filter") {
    return trouble(
      "declined",
      `the model declined to answer${text.trim() === "" ? "" : ` (${short(text)})`}`,
      "take another model, or change the prompt",
    );
  }
  if (thoughtTokens > 0 && (text.trim() === "" || finishReason === "length")) {
    return trouble(
      "cut",
      `the model used ${thoughtTokens} reasoning tokens and gave no complete answer within its output limit`,
      "raise reasoningTokens of the model under model.names, or lower its reasoningEffort",
    );
  }
  if (text.trim() === "") {
    return trouble(
      "empty",
      "the model's answer is empty",
      "raise its reasoningTokens or lower its reasoningEffort (model.names), or take another model",
    );
  }
  if (finishReason === "length") {
    return trouble(
      "cut",
      "the model's answer was cut off at its output limit",
      "raise its reasoningTokens or lower its reasoningEffort (model.names), or take another model",
    );
  }
  return trouble(
    "schema",
    `the model's answer does not fit the reply schema (${short(problem)})`,
    "take another model, or make the prompt's instructions plainer",
  );
}

const SAID_MAX = 160;
const short = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > SAID_MAX ? `${line.slice(0, SAID_MAX)}...` : line;
};

/** The status and the service's message; an HTML page is named as such. */
function saidText({ status, message }: { readonly status: number; readonly message: string }): string {
  const words = message.startsWith(`${status} `) ? message.slice(String(status).length + 1) : message;
  if (/^\s*</.test(words)) return `${status}, with a page of HTML`;
  const plain = words === "" || words === "status code (no body)" || words === String(status);
  return plain ? String(status) : `${status}: ${short(words)}`;
}

/** The gateway's host, for a sentence. */
const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);
