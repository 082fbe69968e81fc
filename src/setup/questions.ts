/**
 * What a new set-up has to know, as data: each question with its words, its rule and what is suggested. A person answers it, or
 * an option of `ballast init` does; both are judged by the same rule.
 */
import { inspectConfig } from "../config/read.ts";
import { consentGap } from "../control/consent-gap.ts";
import { nearestWord } from "../core/nearest.ts";
import { wrapText } from "../core/wrap-text.ts";

/** The names of the questions; `answers[name]` is the text that was given. */
export const QUESTION_NAMES = [
  "venue",
  "apiHost",
  "phase",
  "strategy",
  "model",
  "prices",
  "maxOrder",
  "maxTotal",
  "consent",
  "place",
] as const;
export type QuestionName = (typeof QUESTION_NAMES)[number];
/** Every question that applies, answered. One that does not apply is an empty text. */
export type Answers = Readonly<Record<QuestionName, string>>;

export interface SetupQuestion {
  readonly name: QuestionName;
  /** In the terms of a person who sets the agent up for the first time. */
  readonly asks: (before: Answers) => string;
  readonly applies: (before: Answers) => boolean;
  /** What an empty answer means; null where the person has to say it. */
  readonly suggested: (before: Answers) => string | null;
  /** The rule that the answer breaks, with what to do; null for a good one. */
  readonly problem: (text: string, before: Answers) => string | null;
}

/** The practice venue's own model, at its practice prices. */
const PRACTICE_MODEL = { name: "ballast-sim-1", prices: "0.31,1.24,0.06" };
const CAPS = { practice: ["400", "20000"], service: ["300", "30000"] } as const;

export const onService = ({ venue }: Answers): boolean => venue === "service";
const always = (): boolean => true;

const oneOf = (text: string, words: readonly string[]): string | null => {
  if (words.includes(text)) return null;
  const near = nearestWord(text, words);
  return `${JSON.stringify(text)} is none of ${words.join(", ")}${near === null ? "" : `; did you mean ${near}?`}`;
};

/** What the configuration itself says of a setting, written alone; other settings are at their defaults. */
function settingProblem(path: string, part: unknown): string | null {
  const { findings } = inspectConfig(JSON.stringify(part));
  return findings.find((found) => found.severity === "error" && found.path.startsWith(path))?.message ?? null;
}

const oneLine = (text: string): string | null =>
  /^[^\p{Cc}]{0,2000}$/u.test(text) ? null : "write it in one line of at most 2000 characters";

/** `0.31,1.24,0.06` as the settings of a model's price. */
export function pricesOf(text: string): Readonly<Record<string, string>> {
  const [input = "", output = "", cached = input] = text.split(",").map((part) => part.trim());
  return { inputPerMillionUsd: input, outputPerMillionUsd: output, cachedPerMillionUsd: cached };
}

/** The host of an address, or the text itself. */
export const hostOf = (text: string): string =>
  URL.canParse(text) && text.includes("//") ? new URL(text).host : text.toLowerCase();

function hostProblem(text: string): string | null {
  const host = hostOf(text);
  const named = settingProblem("session.consentFor", { session: { consentFor: host } });
  return named === null && host !== "embedded" && host !== ""
    ? null
    : `${JSON.stringify(text)} is not a host of a trading service: write its address, such as https://api.example.com`;
}

const pricesProblem = (text: string, { model }: Answers): string | null => {
  const names = [{ name: model || PRACTICE_MODEL.name, ...pricesOf(text) }];
  return text.split(",").length <= 3 ? settingProblem("model.names.0", { model: { names } }) : "two or three figures";
};

const capProblem =
  (setting: "maxNotionalPerOrder" | "maxTotalNotional") =>
  (text: string, { maxOrder }: Answers): string | null => {
    const order = setting === "maxTotalNotional" ? maxOrder : text;
    const session = { maxNotionalPerOrder: order, maxTotalNotional: text };
    return settingProblem("session", { session });
  };

function consentProblem(text: string, answers: Answers): string | null {
  const { maxOrder, maxTotal } = answers;
  // Without a consent the agent watches: that is a choice.
  if (text.trim() === "") return null;
  const host = onService(answers) ? hostOf(answers.apiHost) : "embedded";
  const session = { consent: text, consentFor: host, maxNotionalPerOrder: maxOrder, maxTotalNotional: maxTotal };
  const { parsed } = inspectConfig(JSON.stringify({ session }));
  if (parsed === null) return "write it as one sentence";
  const venue = { kind: onService(answers) ? "service" : "embedded", host: onService(answers) ? host : "" } as const;
  return oneLine(text) ?? consentGap(parsed.session, venue);
}

const practiceConsent = ({ maxOrder, maxTotal }: Answers): string =>
  `I let this agent trade automatically on the embedded practice venue, up to ${maxOrder} USDT an order and ${maxTotal} USDT in all.`;

interface StrategyLine {
  readonly name: string;
  readonly description: string;
}

const NAME_WIDTH = 16;
const LINE_WIDTH = 78;

const described = ({ name, description }: StrategyLine): string => {
  const indent = 2 + NAME_WIDTH;
  return `  ${name.padEnd(NAME_WIDTH)}${wrapText(description, { width: LINE_WIDTH, first: indent, indent })}`;
};

const VENUE: SetupQuestion = {
  name: "venue",
  asks: () =>
    "Where does the agent trade?\n  practice  the simulated venue inside the agent: no account, no network, no money\n  service   the real trading service, with your account",
  applies: always,
  suggested: () => "practice",
  problem: (text) => oneOf(text, ["practice", "service"]),
};

const API_HOST: SetupQuestion = {
  name: "apiHost",
  asks: () =>
    "What is the address of the service's trading interface (SVC_API_HOST)? Your consent is for this host only.",
  applies: onService,
  suggested: () => null,
  problem: hostProblem,
};

const PHASE: SetupQuestion = {
  name: "phase",
  asks: () => "Which phase of the competition? 1 caps leverage at 2x, 2 at 5x.",
  applies: onService,
  suggested: () => "1",
  problem: (text) => oneOf(text, ["1", "2"]),
};

const strategyQuestion = (strategies: readonly StrategyLine[]): SetupQuestion => ({
  name: "strategy",
  asks: () => `Which strategy decides? It can be changed at any time.\n${strategies.map(described).join("\n")}`,
  applies: always,
  suggested: () => "llm-trader",
  problem: (text) =>
    oneOf(
      text,
      strategies.map(({ name }) => name),
    ),
});

const MODEL: SetupQuestion = {
  name: "model",
  asks: () => "Which language model does the organiser give you? Its name as the gateway spells it.",
  applies: onService,
  suggested: () => null,
  problem: (text) => {
    const names = [{ name: text, ...pricesOf(PRACTICE_MODEL.prices) }];
    return oneLine(text) ?? settingProblem("model.names.0.name", { venue: { kind: "service" }, model: { names } });
  },
};

const PRICES: SetupQuestion = {
  name: "prices",
  asks: ({ model }) =>
    `What does ${model} cost? USD per million tokens: prompt, output, and prompt from the cache, such as 0.31,1.24,0.06.`,
  applies: ({ model }) => model !== "",
  suggested: () => null,
  problem: pricesProblem,
};

const MAX_ORDER: SetupQuestion = {
  name: "maxOrder",
  asks: () => "What is the largest value of one order, USDT?",
  applies: always,
  suggested: ({ venue }) => CAPS[venue === "service" ? "service" : "practice"][0],
  problem: capProblem("maxNotionalPerOrder"),
};

const MAX_TOTAL: SetupQuestion = {
  name: "maxTotal",
  asks: () => "What is the largest value of all orders in a day, USDT?",
  applies: always,
  suggested: ({ venue }) => CAPS[venue === "service" ? "service" : "practice"][1],
  problem: capProblem("maxTotalNotional"),
};

const CONSENT: SetupQuestion = {
  name: "consent",
  asks: (before) =>
    onService(before)
      ? `Your consent to trade with real money on ${hostOf(before.apiHost)}: one sentence in your own words that lets the agent trade\nautomatically and names both caps, ${before.maxOrder} and ${before.maxTotal} USDT. Left empty, the agent only watches.`
      : "Your consent to trade on the practice venue: a sentence that names both caps.",
  applies: always,
  suggested: (before) => (onService(before) ? "" : practiceConsent(before)),
  problem: consentProblem,
};

const PLACE: SetupQuestion = {
  name: "place",
  asks: () =>
    "Where does it run?\n  container  under docker compose: restarts by itself, writes only to its data folder\n  machine    as a program on this machine, or under systemd",
  applies: always,
  suggested: () => "container",
  problem: (text) => oneOf(text, ["container", "machine"]),
};

/** In the order in which they are asked: a later one may depend on an earlier one. `strategies` are names with a line each. */
export const questionsAbout = (strategies: readonly StrategyLine[]): readonly SetupQuestion[] => [
  VENUE,
  API_HOST,
  PHASE,
  strategyQuestion(strategies),
  MODEL,
  PRICES,
  MAX_ORDER,
  MAX_TOTAL,
  CONSENT,
  PLACE,
];

/** The model and its prices as the configuration lists it. */
export const modelOf = ({ model, prices }: Answers): Readonly<Record<string, string>> =>
  model === ""
    ? { name: PRACTICE_MODEL.name, ...pricesOf(PRACTICE_MODEL.prices) }
    : { name: model, ...pricesOf(prices) };
