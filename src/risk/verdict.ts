/** The interface of a limit and its answer: a sentence with figures, also when it agrees. */
import { type Decimal, roundToStep, toWire } from "../core/decimal.ts";
import { notionalOf, type SymbolRules } from "../domain/symbol.ts";
import type { Scene } from "./scene.ts";
import type { Draft, RiskView } from "./view.ts";

interface Judged {
  /** The limit's name; stable, because people search logs for it. */
  readonly limit: string;
  /** The figure found and the figure allowed, as text; money in USDT, shares as fractions. */
  readonly found: string;
  readonly allowed: string;
  /** One sentence for a person. */
  readonly reason: string;
}

/** One limit's answer, journalled unchanged. */
export type Verdict =
  | (Judged & { readonly kind: "allow" })
  /** Allowed with this quantity, a multiple of the lot, as text. */
  | (Judged & { readonly kind: "shrink"; readonly qty: string })
  | (Judged & { readonly kind: "deny" });

/** `freshness: The book is too old to open on (found 3100 ms, allowed 2500 ms)`: the sentence with its figures, for a log line. */
export const verdictText = ({ limit, reason, found, allowed }: Judged): string =>
  `${limit}: ${reason.replace(/\.$/, "")} (found ${readable(found)}, allowed ${readable(allowed)})`;

/** Shortens figures for the log; the journal keeps eight decimals. */
const readable = (text: string): string =>
  text.replace(/\d+\.\d{3,}/, (found) => String(Number(Number(found).toPrecision(5))));

/** For checks that return null if they find no objection to the draft. */
export type Denial = Extract<Verdict, { kind: "deny" }>;

/**
 * One rule. Pure; never throws for a well-formed draft; passes a reducing draft unless the venue itself would refuse
 * its form. A quantity that it shrinks to must pass the same limit.
 */
export interface Rule {
  readonly name: string;
  judge(draft: Draft, view: RiskView): Verdict;
  /** Adds what an opening needs and lacks. Never changes symbol, side or quantity. */
  complete?(draft: Draft, view: RiskView): Draft;
}

/** A limit of ours, with its self-test. */
export interface Limit extends Rule {
  /** Turns a sound scene into one that this limit must refuse or shrink. Run at every start. */
  spoil(scene: Scene): Scene;
}

/** Figures in verdicts, with at most eight decimals. */
export const figure = (value: Decimal | number): string =>
  typeof value === "number" ? String(value) : toWire(value.toDecimalPlaces(8));

/** A verdict before its figures are text. */
export interface Figures {
  readonly limit: string;
  readonly found: Decimal | number | string;
  readonly allowed: Decimal | number | string;
  readonly reason: string;
}

const texts = ({ limit, found, allowed, reason }: Figures): Judged => ({
  limit,
  found: typeof found === "string" ? found : figure(found),
  allowed: typeof allowed === "string" ? allowed : figure(allowed),
  reason,
});

/** The draft passes unchanged. */
export const allow = (figures: Figures): Verdict => ({ kind: "allow", ...texts(figures) });
/** The draft is refused without offering a smaller size; `fitInto` offers one. */
export const deny = (figures: Figures): Denial => ({ kind: "deny", ...texts(figures) });

/** Passed without a check, because the order reduces risk. */
export const reducing = (limit: string): Verdict =>
  allow({
    limit,
    found: "reducing",
    allowed: "reducing",
    reason: "The order reduces risk; this limit does not apply.",
  });

/** Allows or denies by a comparison that the caller made. */
export const judged = (passes: boolean, figures: Figures): Verdict => (passes ? allow(figures) : deny(figures));

/** A draft with the room that a money limit leaves for it. */
export interface Fit extends Figures {
  readonly draft: Draft;
  readonly rules: SymbolRules;
  /** The price that values the draft. */
  readonly price: Decimal;
  /** Remaining value, USDT; may be negative. */
  readonly roomUsdt: Decimal;
}

/** Allows a draft that fits, shrinks one that is too big, and denies if the remainder is below the venue's minimum. */
export function fitInto(fit: Fit): Verdict {
  const { draft, rules, price, roomUsdt } = fit;
  const { qty } = draft.order;
  if (notionalOf(qty, price, rules).lte(roomUsdt)) return allow(fit);
  const fitting = roundToStep(roomUsdt.div(price.mul(rules.contractSize)), rules.lotSize, "down");
  const smallest = draft.order.limitPrice?.lt(price) ? draft.order.limitPrice : price;
  if (fitting.lt(rules.minSize) || fitting.lte(0) || notionalOf(fitting, smallest, rules).lt(rules.minNotional)) {
    return deny({ ...fit, reason: `${fit.reason} What still fits is less than the venue's smallest order.` });
  }
  return { kind: "shrink", ...texts(fit), qty: toWire(fitting) };
}
