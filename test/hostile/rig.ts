/** News in, orders out, in process: inbox, agent with the real strategy, prompt, a mind, the reply reader, the limits. */
import path from "node:path";
import llmTrader from "../../strategies/llm-trader.ts";
import type { Effect } from "../../src/agent/contract/effects.ts";
import type { Strategies } from "../../src/agent/contract/events.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { MINUTE_MS } from "../../src/core/time.ts";
import { PHASE_ONE_BASES } from "../../src/domain/competition.ts";
import type { NewsItem } from "../../src/domain/news-item.ts";
import { loadPrompts } from "../../src/llm/prompts/prompts.ts";
import { prepare, type Question } from "../../src/llm/calls/question.ts";
import { readReply } from "../../src/llm/replies/reply.ts";
import { createLinker } from "../../src/news/link-symbols.ts";
import { createNewsInbox } from "../../src/news/news-inbox.ts";
import type { ModelQuestion } from "../../src/strategy/strategy.ts";
import { BTC, ETH, holding, ready, rulesOf, settingsOf, START_MS, type World } from "../support/agent-world.ts";
import { modelAnswer, modelFailure } from "../support/model-outcomes.ts";
import type { HostileItem } from "./corpus.ts";
import type { DecidingState } from "./minds.ts";

type AskModel = Extract<Effect, { kind: "ask-model" }>;

export const SETTINGS = settingsOf({ cadence: { ...settingsOf().cadence, onNews: true, minGap: 1_000 } });
const entropy = seededEntropy("hostile");

const loaded = loadPrompts(path.resolve("prompts"));
if (!loaded.ok) throw new Error(loaded.error);
export const prompts = loaded.value;

const minutes = (price: number) =>
  Array.from({ length: 120 }, (_, n) => {
    const close = price * (1 + (n % 2) / 1_000);
    return {
      openMs: START_MS - (120 - n) * MINUTE_MS,
      open: close,
      high: close * 1.001,
      low: close * 0.999,
      close,
      volume: 1,
    };
  });

/** A world that is ready to trade and knows enough to size. */
export function market(): World {
  const chosen: Strategies["chosen"] = { strategy: llmTrader, settings: llmTrader.settings.parse({}) };
  const w = ready({ strategies: { chosen, fallback: holding() }, settings: SETTINGS });
  w.context.onRules([rulesOf(BTC), rulesOf(ETH)]);
  w.context.warmUp(BTC, "1m", minutes(60_000));
  w.context.warmUp(ETH, "1m", minutes(3_000));
  return w;
}

/** What the news room makes of the records. */
export function received(items: readonly HostileItem[]): readonly NewsItem[] {
  const inbox = createNewsInbox(1_000, createLinker(PHASE_ONE_BASES));
  return items.flatMap(({ record }) => {
    const receipt = inbox.accept(record, START_MS - MINUTE_MS);
    return receipt.kind === "new" || receipt.kind === "updated" ? [receipt.item] : [];
  });
}

/** The same items with nothing of their words left: who, when and about what stays. */
export const disarmed = (items: readonly NewsItem[]): readonly NewsItem[] =>
  items.map((item) => ({ ...item, title: `Title of ${item.key}`, text: "Words.", author: null, sourceUrl: null }));

export interface Asked {
  readonly world: World;
  readonly effect: AskModel;
  readonly question: Question;
  readonly modelQuestion: ModelQuestion;
}

/** Feeds the news and lets time pass until the model is asked. */
export function waiting(items: readonly NewsItem[]): { readonly world: World; readonly effect: AskModel } {
  const world = market();
  for (const item of items) world.feed({ kind: "news", item });
  for (let n = 0; n < 40 && world.of("ask-model").length === 0; n++) world.tick(500);
  return { world, effect: world.last("ask-model") };
}

/** The same, with the question made ready to be sent. */
export async function asked(items: readonly NewsItem[]): Promise<Asked> {
  const { world, effect } = waiting(items);
  const prepared = await prepare(prompts, entropy, {
    ...effect.question,
    decisionId: effect.decisionId,
    purpose: "decision",
  });
  if (!prepared.ok) throw new Error(prepared.error);
  return { world, effect, question: prepared.value, modelQuestion: effect.question };
}

export interface Outcome {
  /** What the mind wrote. */
  readonly text: string;
  /** The value that passed the reader, or why none did. */
  readonly read: ReturnType<typeof readReply>;
  readonly effects: readonly Effect[];
}

/** Puts the question to a mind and gives the agent whatever the reply reader lets through. */
export function answered({ world, effect, question, modelQuestion }: Asked, deciding: DecidingState): Outcome {
  const { system, user, schema, words } = question;
  const text = deciding({ system, user, schema, echo: words.echo });
  const read = readReply(text, { schema: modelQuestion.replySchema, echo: words.echo, canary: words.fence });
  return { text, read, effects: reported(world, effect, read) };
}

/** Gives an agent an answer and lets it act. */
export function reported(world: World, effect: AskModel, read: ReturnType<typeof readReply>): readonly Effect[] {
  const from = world.effects.length;
  const outcome = read.ok ? modelAnswer(read.value, "0") : modelFailure(read.error);
  world.feed({ kind: "model", decisionId: effect.decisionId, part: effect.part, outcome });
  world.tick(250);
  return world.effects.slice(from);
}

/** Every figure of the orders that were asked for, and what protects them. */
export const ordersIn = (effects: readonly Effect[]): readonly string[] =>
  effects.flatMap((effect) => {
    if (effect.kind === "place") return [JSON.stringify({ ...effect.intent.draft, opening: effect.intent.opening })];
    if (effect.kind === "close") return [JSON.stringify({ close: effect.known.symbol, side: effect.known.side })];
    if (effect.kind === "cancel" || effect.kind === "protect") return [JSON.stringify(effect)];
    return [];
  });
