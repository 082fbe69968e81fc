/** Fields of row bodies: how each is stored in the journal, and its description for docs/JOURNAL.md. */
import { z } from "zod";
import { dec, Decimal } from "../core/decimal.ts";

/** Sums of the ledger may have more digits than a field of the venue. */
const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/;

/** `is` names the type for docs/JOURNAL.md if JSON's own name says too little. */
const meta = (description: string, is?: string) => (is === undefined ? { description } : { description, is });

/** Describes a schema that nothing else uses yet: `meta` would describe a copy, and making schemas is most of a short command. */
function described<S extends z.ZodType>(schema: S, what: string): S {
  z.globalRegistry.add<z.ZodType>(schema, meta(what));
  return schema;
}

const asDecimal = (text: string): Decimal => new Decimal(text);

/** What fields of one type share: each field is a described copy of it. */
const PLAIN_TEXT = z.string();
const FLAG = z.boolean();
const NUMBER = z.number();
/** Decimal in memory, plain decimal text where it is stored. */
export const DECIMAL = z.string().regex(PLAIN_DECIMAL, "must be a plain decimal such as 0.5").transform(asDecimal);

/** Text; it may be empty. */
export const text = (what: string) => PLAIN_TEXT.meta(meta(what));
export const flag = (what: string) => FLAG.meta(meta(what));
/** A finite float or count. */
export const number = (what: string) => NUMBER.meta(meta(what));
/** Wall time, epoch ms. */
export const instant = (what: string) => NUMBER.meta(meta(what, "instant, epoch ms"));
/** Milliseconds. */
export const span = (what: string) => NUMBER.meta(meta(what, "span, ms"));
/** Decimal in memory, plain decimal text in the journal. */
export const decimal = (what: string) => DECIMAL.meta(meta(what, "decimal"));
export const oneOf = <const W extends readonly string[]>(words: W, what: string) => described(z.enum(words), what);
/** Identifies a shape: the field has this value, or the row has another shape. */
export const always = <const V extends string | true>(value: V, what: string) => described(z.literal(value), what);
export const list = <T extends z.ZodType>(item: T, what: string) => described(z.array(item).readonly(), what);
export const texts = (what: string) => list(PLAIN_TEXT, what);
/** A value whose shape belongs to another room and that nothing here reads. */
export const anything = (what: string) => described(z.unknown(), what);

export const side = (what: string) => oneOf(["BUY", "SELL"], what);
export const positionSide = (what: string) => oneOf(["LONG", "SHORT"], what);
/** `SYMBOL|LONG` or `SYMBOL|SHORT`. */
export const position = (what = "The position, `SYMBOL|LONG` or `SYMBOL|SHORT`.") => text(what);
export const symbol = () => text("The symbol, `EXCHANGE_A_PERP_BTC_USDT`.");
export const clientOrderId = () => text("The id that we gave the order.");
export const orderId = () => text("The id that the venue gave the order.");

/** Made when a row kind has it: a command that reads other kinds is over sooner than a schema of many fields is made. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** How a stop follows the price; fractions of the entry price, zero switches a rule off. */
const trailRules = once(() =>
  z
    .object({
      breakEvenAfter: number("After this move in favour, the stop goes to the entry and the fees of both sides."),
      activation: number("After this move in favour, the stop begins to follow."),
      distance: number("How far behind the best price it follows."),
    })
    .readonly()
    .meta({ id: "trail", description: "How a stop follows the price, in fractions of the entry price." }),
);
export const trail = () =>
  trailRules().optional().meta({ description: "How the stop follows the price; absent where the settings say it." });

/** What an order is expected to cost: floats, basis points of the middle price. */
const expected = once(() =>
  z
    .object({
      midPrice: number("Mid price of the book at the decision."),
      price: number("Average price expected."),
      slippageBps: number("Slippage in basis points of the middle, positive where it costs."),
      biasBps: number("The part of it that was learnt from earlier orders.").default(0),
      feeBps: number("Fee in basis points of the value."),
      liquidity: oneOf(["MAKER", "TAKER"], "How the order meets the book."),
      noiseBps: number("One standard deviation of the middle until arrival.").default(0),
      depthShare: number("Share of the quantity that the visible book fills, 0 to 1.").default(0),
    })
    .readonly()
    .meta({ id: "predicted", description: "The expected cost of an order, from the book at the decision." }),
);
export const prediction = () =>
  expected().optional().meta({ description: "What the order is expected to cost; absent where no quote was there." });

/** As stored in a row: signals, so floats. */
export type PredictionRow = z.output<ReturnType<typeof expected>>;

const ZERO_TEXT = dec("0");
/** A decimal that rows of older builds may lack; it is then zero. */
export const decimalOrZero = (what: string) => decimal(what).default(ZERO_TEXT);
