/** What a limit is and what it answers: a sentence with figures, also when it agrees. */
import { type Decimal, roundToStep, toWire } from "../core/decimal.ts";
import { notionalOf, type SymbolRules } from "../domain/symbol.ts";
import type { Scene } from "./scene.ts";
import type { Draft, RiskView } from "./view.ts";

interface Judged {
  /** The limit's name, stable: people grep for it. */
  readonly limit: string;
  /** The figure found and the figure allowed, as text; money in USDT, shares as fractions. */
  readonly found: string;
  readonly allowed: string;
  /** One sentence for a person. */
  readonly reason: string;
}

/** One limit's answer, journalled as it is. */
export type Verdict =
  | (Judged & { readonly kind: "allow" })
  /** Would be allowed with this quantity, a multiple of the lot, as text. */
  | (Judged & { readonly kind: "shrink"; readonly qty: string })
  | (Judged & { readonly kind: "deny" });

/** `crowding: 3 of 3 positions are taken (found 4, allowed 3)`: the sentence with its figures, for a log line. */
export const verdictText = ({ limit, reason, found, allowed }: Judged): string =>
  `${limit}: ${reason.replace(/\.$/, "")} (found ${readable(found)}, allowed ${readable(allowed)})`;

/** Figures of eight decimals are for the journal; nobody reads them. */
const readable = (text: string): string =>
  text.replace(/\d+\.\d{3,}/, (found) => String(Number(Number(found).toPrecision(5))));

/** For checks that answer null where nothing stands against the draft. */
export type Denial = Extract<Verdict, { kind: "deny" }>;

/**
 * One rule. Contract: pure, never throws for a well-formed draft, and lets a reducing draft pass unless the venue itself
 * would refuse its form. A quantity that it shrinks to must pass the same limit.
 */
export interface Rule {
  readonly name: string;
  judge(draft: Draft, view: RiskView): Verdict;
  /** Adds what an opening must have and does not bring. Never changes symbol, side or quantity. */
  complete?(draft: Draft, view: RiskView): Draft;
}

/** A rule of ours, with what it is drilled on. */
export interface Limit extends Rule {
  /** Turns a sound scene into one that this limit must refuse, or allow in a smaller size only. Drilled at every start. */
  spoil(scene: Scene): Scene;
}

/** Figures in verdicts: eight decimal places are enough for a person. */
export const figure = (value: Decimal | number): string =>
  typeof value === "number" ? String(value) : toWire(value.toDecimalPlaces(8));

/** A verdict before its figures are text; decimals are told to eight places. */
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

/** The draft passes as it is. */
export const allow = (figures: Figures): Verdict => ({ kind: "allow", ...texts(figures) });
/** The draft is refused, and no smaller size is offered: `fitInto` does that. */
export const deny = (figures: Figures): Denial => ({ kind: "deny", ...texts(figures) });

/** Passed unseen, because it takes risk away. */
export const reducing = (limit: string): Verdict =>
  allow({
    limit,
    found: "reducing",
    allowed: "reducing",
    reason: "The order reduces risk; this limit does not hold it up.",
  });

/** Allows or denies by a comparison made outside. */
export const judged = (passes: boolean, figures: Figures): Verdict => (passes ? allow(figures) : deny(figures));

/** A draft with the room that a limit of money leaves it. */
export interface Fit extends Figures {
  readonly draft: Draft;
  readonly rules: SymbolRules;
  /** The price at which the draft is counted. */
  readonly price: Decimal;
  /** Value that still fits, USDT; may be negative. */
  readonly roomUsdt: Decimal;
}

/** Allows what fits into the room, shrinks what is too big, and denies where what fits is less than the venue takes. */
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
