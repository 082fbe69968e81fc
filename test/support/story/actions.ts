/** What the agent asks for, in the words of a story. */
import type { Effect } from "../../../src/agent/contract/effects.ts";
import { nameOf, shortOf, type Words } from "./words.ts";

type Of<K extends Effect["kind"]> = Extract<Effect, { kind: K }>;

function placing({ intent }: Of<"place">): Words {
  const { symbol, side, qty, limitPrice, timeInForce } = intent.draft.order;
  const base = `places ${shortOf(symbol)}`;
  const sized = `${base} ${side} ${qty.toFixed()}`;
  const phrases = [base, `${base} ${side}`, sized, `${sized} at ${limitPrice?.toFixed() ?? "the market"}`];
  const style = timeInForce === "GTX" ? "post-only" : timeInForce === "IOC" ? "taking" : undefined;
  return style === undefined ? phrases : phrases.flatMap((phrase) => [phrase, `${phrase} ${style}`]);
}

function protecting({ order }: Of<"protect">): Words {
  const { qty, triggerPrice, stopLossPrice, takeProfitPrice, symbol } = order;
  const base = `protects ${qty.isZero() ? "all" : qty.toFixed()}`;
  const priced = `${base} at ${(triggerPrice ?? stopLossPrice)?.toFixed() ?? "no price"}`;
  return [base, priced, `${priced} target ${takeProfitPrice?.toFixed() ?? "none"}`, `${base} of ${shortOf(symbol)}`];
}

function moving({ algoOrderId, change }: Of<"amend-protection">): Words {
  const base = `moves ${nameOf(algoOrderId)}`;
  const price = (change.triggerPrice ?? change.stopLossPrice)?.toFixed();
  return [
    base,
    ...(price ? [`${base} to ${price}`] : []),
    ...(change.qty ? [`${base} for ${change.qty.toFixed()}`] : []),
  ];
}

/** How an action may be put, the shortest first. */
function phrasesOf(effect: Effect): Words {
  switch (effect.kind) {
    case "close": {
      const { symbol, side, qty } = effect.known;
      const named = `closes ${shortOf(symbol)}`;
      return ["closes", named, `${named} ${side}`, `${named} ${side} ${qty.toFixed()}`];
    }
    case "protect":
      return protecting(effect);
    case "cancel-algo":
      return [`cancels ${nameOf(effect.algoOrderId)}`];
    case "read-algo":
      return [`asks ${"algoOrderId" in effect ? nameOf(effect.algoOrderId) : "by its own id"}`];
    case "amend-protection":
      return moving(effect);
    case "place":
      return placing(effect);
    case "amend": {
      const { price, qty } = effect.intent;
      return ["amends order", `amends order to ${price.toFixed()}`, `amends order for ${qty.toFixed()}`];
    }
    case "cancel":
      return ["cancels order", `cancels order ${effect.known.clientOrderId}`];
    case "look-up":
      return ["asks order", `asks order ${effect.clientOrderId}`];
    case "ask-model":
      return [`asks model${effect.shadow === undefined ? "" : ` for ${effect.shadow}`}`];
    default:
      return [];
  }
}

export const times = (count: number): string => (count === 0 ? " never" : count === 1 ? " once" : ` ${count} times`);
export const COUNT = / (once|never|\d+ times)$/;

/** What the agent asked for, as the line puts it, with a count where the line counts. */
export function actionsOf(effects: readonly Effect[], wanted: Words): Words {
  const uncounted = wanted.map((phrase) => phrase.replace(COUNT, ""));
  const counts = new Map<string, number>();
  for (const effect of effects) {
    const [base, ...more] = phrasesOf(effect);
    if (base === undefined) continue;
    const phrase = more.find((longer) => uncounted.includes(longer)) ?? base;
    counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  return [...counts].map(([phrase, count]) => {
    const counted = wanted.some((other) => COUNT.test(other) && other.replace(COUNT, "") === phrase);
    return counted ? `${phrase}${times(count)}` : phrase;
  });
}
