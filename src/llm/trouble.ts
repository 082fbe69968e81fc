/**
 * What keeps a model from answering, as a value: what kind of trouble it is, one sentence that names the cause, and what a
 * person can do about it. Status, log, the checks at the start and `ballast doctor` all say it in these words. Pure.
 */
import type { ChatOutcome } from "./chat.ts";
import type { ModelTrouble, TroubleKind } from "./port.ts";

const LASTING: ReadonlySet<TroubleKind> = new Set(["redirect", "path", "key", "quota", "model", "format", "request"]);

const trouble = (kind: TroubleKind, sentence: string, next: string): ModelTrouble => ({
  kind,
  sentence,
  next,
  lasting: LASTING.has(kind),
});

/** An exchange that brought no answer. */
export type NoAnswer = Exclude<ChatOutcome, { kind: "answered" }>;

/** What was asked, and where: `address` is `{ai_url}`. */
export interface AskedOf {
  readonly model: string;
  readonly address: string;
  /** Real milliseconds that the exchange was given. */
  readonly timeoutMs: number;
}

const ADDRESS_NEXT = "check AI_BASE_URL";

/** Why an exchange brought no answer. */
export function troubleOf(end: NoAnswer, asked: AskedOf): ModelTrouble {
  if (end.kind === "not-sent") {
    return trouble(
      "unreachable",
      `the gateway at ${hostOf(asked.address)} cannot be reached (${end.message})`,
      `${ADDRESS_NEXT} and that the gateway runs`,
    );
  }
  return end.kind === "refused" ? refusedTrouble(end, asked) : unknownTrouble(end, asked);
}

type Refused = Extract<ChatOutcome, { kind: "refused" }>;

function refusedTrouble(end: Refused, { model, address }: AskedOf): ModelTrouble {
  const said = `(${saidText(end)})`;
  switch (end.why) {
    case "key":
      return trouble("key", `the gateway refuses the key ${said}`, "put a key that it takes in AI_API_KEY");
    case "budget":
      return trouble(
        "quota",
        `the gateway says that the money of this key is spent ${said}`,
        "raise the key's budget, or wait for its reset",
      );
    case "rate-limit":
      return trouble(
        "rate-limit",
        `the gateway takes no more questions just now ${said}`,
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
        `the gateway at ${address} has no model service there ${said}`,
        `${ADDRESS_NEXT}: completions are asked for at ${address}/v1`,
      );
    case "redirect":
      return trouble(
        "redirect",
        `the gateway at ${address} sends every question on to another address ${said}`,
        "put that address in AI_BASE_URL",
      );
    case "format":
      return trouble(
        "format",
        `the gateway takes no way of asking that we know ${said}`,
        "set replyFormat: plain for the model under model.names, or use another model",
      );
    case "request":
      return trouble(
        "request",
        `the gateway refuses the question ${said}`,
        "read its words: a setting of the model under model.names, or the length of the prompt",
      );
  }
}

type Unknown = Extract<ChatOutcome, { kind: "unknown" }>;

function unknownTrouble(end: Unknown, { timeoutMs, address }: AskedOf): ModelTrouble {
  switch (end.how) {
    case "timeout":
      return trouble(
        "timeout",
        `the gateway gave no whole answer within ${Math.round(timeoutMs / 100) / 10} s`,
        "wait, take a faster model, or raise model.timeout",
      );
    case "broken":
      return trouble(
        "broken",
        `the connection to the gateway broke before the answer was whole (${end.message})`,
        "nothing at first, it is asked again; if it stays, look at the gateway and at proxies on the way",
      );
    case "server":
      return trouble(
        "server",
        `the gateway failed (${saidText(end)})`,
        "nothing at first, it is asked again; if it stays, ask who runs the gateway",
      );
    case "no-completion":
      return trouble(
        "no-completion",
        `the gateway answered ${end.message}`,
        `${ADDRESS_NEXT}: ${address}/v1 must be the service itself, not a page about it`,
      );
  }
}

/** What follows from a model that is not known; `names` are those that the gateway lists. */
export const namesNext = (names: readonly string[] | null): string =>
  names === null || names.length === 0
    ? "put a name from its model list under model.names"
    : `name one of: ${names.slice(0, NAMES_SHOWN).join(", ")}${names.length > NAMES_SHOWN ? ", ..." : ""} under model.names`;

const NAMES_SHOWN = 8;

/** An answer that came and cannot be used. */
export interface UnusableAnswer {
  readonly text: string;
  readonly finishReason: string;
  /** The service marked it as a refusal of the model. */
  readonly declined: boolean;
  /** Why the reply schema refuses it. */
  readonly problem: string;
}

/** Why an answer that came cannot be used. */
export function unusableTrouble({ text, finishReason, declined, problem }: UnusableAnswer): ModelTrouble {
  if (declined || finishReason === "content_filter") {
    return trouble(
      "declined",
      `the model declined to answer${text.trim() === "" ? "" : ` (${short(text)})`}`,
      "take another model, or change the prompt",
    );
  }
  if (text.trim() === "") {
    return trouble(
      "empty",
      "the model's answer is empty",
      "give it more output tokens or less reasoningEffort, or take another model",
    );
  }
  if (finishReason === "length") {
    return trouble(
      "cut",
      "the model's answer was cut off at its output limit",
      "give it more output tokens or less reasoningEffort, or take another model",
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

/** The status and what the service said with it; a page of HTML is called one. */
function saidText({ status, message }: { readonly status: number; readonly message: string }): string {
  const words = message.startsWith(`${status} `) ? message.slice(String(status).length + 1) : message;
  if (/^\s*</.test(words)) return `${status}, with a page of HTML`;
  const plain = words === "" || words === "status code (no body)" || words === String(status);
  return plain ? String(status) : `${status}: ${short(words)}`;
}

/** Where the gateway is, for a sentence. */
const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);
