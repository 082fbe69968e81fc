/** Which calls, frames and symbols a fault affects, by name and by probability, and which calls it leaves unserved. */
import { z } from "zod";
import type { Entropy } from "../../core/entropy.ts";
import { parseSymbol } from "../../domain/symbol.ts";
import { type FaultWorld, share } from "./fault.ts";
import type { MarketFrame, RestCall, CallKind, Reach, RestPlan } from "./hooks.ts";

/** Parameters to spread into a fault on REST calls; by default it affects every call. */
export const restMatch = {
  methods: z.array(z.enum(["GET", "POST", "PUT", "DELETE"])).default(["GET", "POST", "PUT", "DELETE"]),
  path: z.string().default("").describe("part of the path, for example /trading/order; empty is every path"),
  share,
};

/** The same for faults on writes. */
export const writeMatch = { ...restMatch, methods: restMatch.methods.default(["POST", "PUT", "DELETE"]) };

/** The parsed form of `restMatch` and `writeMatch`. */
export interface RestMatch {
  readonly methods: readonly string[];
  readonly path: string;
  readonly share: number;
}

/** Draws from the seed for each matching call, so call it once per call. */
export const strikes = (match: RestMatch, call: RestCall, entropy: Entropy): boolean =>
  match.methods.includes(call.method) && call.path.includes(match.path) && entropy.chance("fault:rest", match.share);

/** Parameters to spread into a fault on market frames; by default it affects every frame of every topic. */
export const frameMatch = {
  channel: z.string().default("*").describe('channel name, or "*" for all'),
  symbol: z.string().default("*").describe('symbol, or "*" for all'),
  share,
};

/** The parsed form of `frameMatch`. */
export interface FrameMatch {
  readonly channel: string;
  readonly symbol: string;
  readonly share: number;
}

/** Draws from the seed for each frame of a matching topic, so call it once per frame. */
export const matches = (match: FrameMatch, frame: MarketFrame, entropy: Entropy): boolean =>
  (match.channel === "*" || match.channel === frame.channel) &&
  (match.symbol === "*" || match.symbol === frame.symbol) &&
  entropy.chance("fault:frame", match.share);

/**
 * The symbol of that name, or the first perpetual of that base, because scenarios are written without knowing the
 * operator's exchange names. The text itself if the service has neither.
 */
export function namedSymbol({ exchange }: Pick<FaultWorld, "exchange">, name: string): string {
  const symbols = exchange.symbols.map(({ rules }) => rules.symbol);
  if (symbols.includes(name)) return name;
  const byBase = symbols.find((symbol) => {
    const parts = parseSymbol(symbol);
    return parts.ok && parts.value.type === "PERP" && parts.value.base === name;
  });
  return byBase ?? name;
}

/** The request never reaches the venue. */
const isKept = ({ dropBeforeApply, answerInstead }: RestPlan): boolean =>
  dropBeforeApply === true || answerInstead !== undefined;
/** The answer does not arrive whole and correct. */
const isLost = ({ dropAfterApply, stall, spoils }: RestPlan): boolean =>
  dropAfterApply === true || stall === true || spoils === true;

/**
 * A write is served once the venue has carried it out. A read, and a write that the venue refuses, is served once its
 * complete and correct answer was sent.
 */
export const serves = (plan: RestPlan, isCarriedOut: boolean): boolean =>
  !isKept(plan) && (isCarriedOut || !isLost(plan));

/** The reach of a fault that treats all affected calls in the same way. */
export function reachOf(match: RestMatch, plan: RestPlan, { method, path }: CallKind): Reach | null {
  if (match.share === 0 || !match.methods.includes(method) || !path.includes(match.path)) return null;
  // The venue may carry out any write.
  if (!serves(plan, method !== "GET")) return match.share === 1 ? "every" : "some";
  return isLost(plan) || (plan.delayBeforeMs ?? 0) + (plan.delayAfterMs ?? 0) > 0 ? "some" : null;
}
