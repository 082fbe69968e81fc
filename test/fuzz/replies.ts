/** Mutated replies of a model, from the raw text to the orders that the agent places for them. */
import { type Entropy, seededEntropy } from "../../src/core/entropy.ts";
import { readReply } from "../../src/llm/replies/reply.ts";
import { askStrategy, interpretReplies } from "../../src/strategy/guarded.ts";
import type { ArmedStrategy, ModelQuestion, Reply, TargetPosition } from "../../src/strategy/strategy.ts";
import { armed, questionsOf, sound } from "../strategies/asking.ts";
import { holding as held, market, practised, rising } from "../strategies/model-rig.ts";
import { BTC, ETH, holding, ready, scripted } from "../support/agent-world.ts";
import { type Fuzzed, messageOf } from "./fuzzed.ts";
import { mutated } from "./mutate.ts";

const NAMES = ["llm-trader", "llm-cascade", "llm-panel"] as const;
const ECHO = "echo-1";
/** As the world's session and settings say; this test's own copy. */
const PER_ORDER_USDT = 400;
const ORDER_SHARE = 0.4;
const EQUITY_USDT = 1_000;
const STOP_MAX = 0.2;

interface Asked {
  readonly name: string;
  readonly strategy: ArmedStrategy;
  readonly questions: readonly ModelQuestion[];
  readonly carry: ReturnType<typeof carryOf>;
  /** A sound reply to each question. */
  readonly texts: readonly string[];
}

const seen = market(rising, held("LONG", 200));
const carryOf = (answer: ReturnType<typeof sound>) => (answer.kind === "ask" ? (answer.carry ?? null) : null);

async function asked(name: string): Promise<Asked> {
  const strategy = await armed(name);
  const answer = sound(askStrategy(strategy, seen));
  const questions = questionsOf(answer);
  const texts = questions.map((question) => {
    const reply = practised(question);
    if (reply.kind !== "answered") throw new Error(`the practice model has no answer for ${name}`);
    return JSON.stringify(reply.value);
  });
  return { name, strategy, questions, carry: carryOf(answer), texts };
}

/** As the gateway would hand it on. */
function replyTo({ replySchema }: ModelQuestion, text: string): Reply {
  const read = readReply(text, { schema: replySchema, echo: ECHO, canary: "fence-1" });
  return read.ok ? { kind: "answered", value: read.value, model: "m" } : { kind: "failed", reason: read.error };
}

/** What the strategy makes of the replies; null where it falls back or asks on. */
function targetsFor({ strategy, questions, carry }: Asked, texts: readonly string[]): readonly TargetPosition[] | null {
  const replies = questions.map((question, index) => replyTo(question, texts[index] ?? ""));
  const read = interpretReplies(strategy, { round: 1, replies, carry }, seen);
  return read.ok && read.value.kind === "targets" ? read.value.targets : null;
}

/** An order as the agent sends it. */
export interface Sent {
  readonly symbol: string;
  readonly opening: boolean;
  readonly qty: number;
  readonly price: number;
  /** NaN without a stop. */
  readonly stop: number;
}

/** What is wrong with an order of an account of 1,000 USDT under a session of 400 USDT an order. */
export function beyond({ symbol, opening, qty, price, stop }: Sent): readonly string[] {
  const about = `${qty} ${symbol} at ${price}`;
  const most = Math.min(PER_ORDER_USDT, ORDER_SHARE * EQUITY_USDT) * 1.001;
  return [
    ...([BTC, ETH].includes(symbol) ? [] : [`${about}: the symbol is outside of the universe`]),
    ...(opening && !(qty * price <= most) ? [`${about}: it is worth ${qty * price}`] : []),
    ...(opening && !(Math.abs(stop / price - 1) <= STOP_MAX) ? [`${about}: its stop is ${stop}`] : []),
  ];
}

/** What is wrong with the orders that these targets lead to. */
export function ordersBeyond(targets: readonly TargetPosition[]): readonly string[] {
  const once = scripted("scripted", () => ({ kind: "targets", targets, note: "" }));
  const w = ready({ strategies: { chosen: once, fallback: holding() } });
  for (let second = 0; second < 4; second++) w.tick(1_000);
  return w.of("place").flatMap(({ intent: { draft, opening } }) => {
    const { symbol, qty, limitPrice } = draft.order;
    const price = Number(limitPrice ?? (symbol === BTC ? 60_000 : 3_000));
    return beyond({ symbol, opening, qty: Number(qty), price, stop: Number(draft.stopPrice ?? NaN) });
  });
}

function tryOne(of: Asked, entropy: Entropy): { readonly accepted: boolean; readonly problems: readonly string[] } {
  const texts = of.texts.map((text) => mutated(entropy, text));
  try {
    const targets = targetsFor(of, texts);
    const problems = targets ? ordersBeyond(targets) : [];
    return { accepted: targets !== null, problems: problems.map((what) => `${of.name}: ${what}: ${texts.join(" ")}`) };
  } catch (cause) {
    return { accepted: false, problems: [`${of.name} threw ${messageOf(cause)}: ${texts.join(" ")}`] };
  }
}

export async function fuzzReplies(count: number, seed: number): Promise<Fuzzed> {
  const all = await Promise.all(NAMES.map(asked));
  const entropy = seededEntropy(`replies:${seed}`);
  const problems: string[] = [];
  let accepted = 0;
  for (let tried = 0; tried < count; tried++) {
    const of = all[tried % all.length];
    if (!of) break;
    const outcome = tryOne(of, entropy);
    if (outcome.accepted) accepted += 1;
    problems.push(...outcome.problems);
  }
  return { tried: count, accepted, problems };
}
