/** Two prompts side by side: the byte where they differ first, the tokens before it, and what the common beginning saves. */
import { type Decimal, toWire, ZERO } from "../../core/decimal.ts";
import { DAY_MS, MINUTE_MS } from "../../core/time.ts";
import type { QuestionText } from "../../llm/contract/port.ts";
import { tokenCount } from "../../llm/prompts/tokens.ts";
import type { PricedQuestion } from "./questions.ts";
import type { ModelConfig } from "./config.ts";

/** Bytes are UTF-8, counted through the system part into the user part; hashes are those of the prompt files. */
export interface PromptComparison {
  readonly prompt: string;
  /** Null if the prompts are identical to the last byte. */
  readonly partAtByte: number | null;
  readonly partAtLine: number | null;
  readonly partIn: "system" | "user" | null;
  /** The text at that point in each prompt, for a person. */
  readonly firstThere: string;
  readonly secondThere: string;
  readonly systemBytes: number;
  readonly prefixTokens: number;
  readonly systemTokens: number;
  /** Of the second prompt. */
  readonly totalTokens: number;
  /** True if they differ before the user part: the stable text is not stable. */
  readonly broken: boolean;
  readonly versions: readonly [string, string];
  readonly hashes: readonly [string, string];
}

const SHOWN_CHARS = 80;
const TOGETHER = "\n\n";

const wholeOf = ({ system, user }: QuestionText): string => `${system}${TOGETHER}${user}`;

/** `first` is the older prompt. Tokens are an estimate: the provider's own tokenizer may count differently. */
export async function comparePrompts(first: QuestionText, second: QuestionText): Promise<PromptComparison> {
  const [a, b] = [wholeOf(first), wholeOf(second)];
  const at = partingChar(a, b);
  const systemBytes = Buffer.byteLength(second.system, "utf8");
  const prefix = b.slice(0, at ?? b.length);
  const shown = (text: string): string => text.slice(at ?? text.length).slice(0, SHOWN_CHARS);
  const inSystem = at !== null && at < Math.max(first.system.length, second.system.length);
  return {
    prompt: second.prompt,
    partAtByte: at === null ? null : Buffer.byteLength(prefix, "utf8"),
    partAtLine: at === null ? null : prefix.split("\n").length,
    partIn: at === null ? null : inSystem ? "system" : "user",
    firstThere: shown(a),
    secondThere: shown(b),
    systemBytes,
    prefixTokens: await tokenCount(prefix),
    systemTokens: await tokenCount(second.system),
    totalTokens: await tokenCount(b),
    broken: inSystem,
    versions: [first.version, second.version],
    hashes: [first.promptHash, second.promptHash],
  };
}

/** Index of the first character that differs, never inside a pair; null when the texts are equal. */
function partingChar(a: string, b: string): number | null {
  if (a === b) return null;
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  const inPair = at > 0 && /[\ud800-\udbff]/.test(b[at - 1] ?? "");
  return inPair ? at - 1 : at;
}

/** At the present pace, scaled to a day; `model` is null if none is configured. */
export interface PrefixPrice {
  readonly model: string | null;
  readonly callsPerDay: number;
  /** The day's calls that come within the five minutes for which a provider keeps a prefix. */
  readonly warmCallsPerDay: number;
  /** Daily savings of the common beginning if every warm call reads it from the cache, USD. */
  readonly savesPerDayUsd: string;
  /** Extra daily cost of prompts that differ where these two do, compared with differing after the system part, USD. */
  readonly lossPerDayUsd: string;
}

/** A provider keeps a prefix for about as long as document 3 §8 lets an answer be kept. */
const WARM_MS = 5 * MINUTE_MS;

/** `questions` are the last day's with this prompt; `newestMs` is the time of the journal's last row. */
export function priceOfPrefix(
  { prefixTokens, systemTokens }: PromptComparison,
  {
    config,
    questions,
    newestMs,
  }: { readonly config: ModelConfig; readonly questions: readonly PricedQuestion[]; readonly newestMs: number },
): PrefixPrice {
  const paid = questions.filter((question) => question.kind === "answered" && !question.cached);
  const model = config.models.find(({ name }) => name === paid.at(-1)?.model) ?? config.models[0];
  const firstMs = paid[0]?.atMs ?? newestMs;
  // At least a minute, so that one question in a young journal does not become thousands a day.
  const perDay = DAY_MS / Math.max(MINUTE_MS, newestMs - firstMs);
  const warm = paid.filter((question, i) => i > 0 && question.atMs - (paid[i - 1]?.atMs ?? 0) < WARM_MS).length;
  const warmCallsPerDay = Math.round(warm * perDay);
  const perToken = model ? model.input.sub(model.cached).div(1_000_000) : ZERO;
  const usd = (tokens: number): Decimal => perToken.mul(Math.max(0, tokens)).mul(warmCallsPerDay);
  return {
    model: model?.name ?? null,
    callsPerDay: Math.round(paid.length * perDay),
    warmCallsPerDay,
    savesPerDayUsd: toWire(usd(prefixTokens).toDecimalPlaces(6)),
    lossPerDayUsd: toWire(usd(systemTokens - prefixTokens).toDecimalPlaces(6)),
  };
}
