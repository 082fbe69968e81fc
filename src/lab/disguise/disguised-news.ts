/**
 * News in disguise: the names and tickers of coins, their prices and all dates of a text, so that it says of the
 * disguised coin what it said of the true one. Links, authors and pictures are left out, because they name the source
 * and thereby the day.
 */
import { COIN_NAMES, currencyOf, type CurrencyVO, type NewsVO } from "../../sim/feed/news-source.ts";
import { type Disguise, shownBase } from "./disguise.ts";
import { shownDates } from "./disguised-dates.ts";

/** Further names in use, besides those of `COIN_NAMES`. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  BTC: ["XBT", "Satoshi", "Sats"],
  ETH: ["Ether"],
  BNB: ["Binance Coin"],
  XRP: ["Ripple"],
  USDC: ["USD Coin"],
  "1000SHIB": ["SHIB"],
  POL: ["MATIC"],
  XAUT: ["Tether Gold"],
  PAXG: ["Pax Gold"],
  KAS: ["Kaspa"],
  WLD: ["Worldcoin"],
};
/** Shorter tickers are also ordinary words or letters: they count only with a dollar sign or in a pair. */
const TICKER_MIN = 3;

/** The terms that name a coin in a text, and the base of each. */
interface Finder {
  /** Matched in any case: replacing one word too many reads oddly, missing a name gives the coin away. */
  readonly names: RegExp;
  readonly baseOf: ReadonlyMap<string, string>;
  /** Matched in capitals only. */
  readonly tickers: RegExp;
}

const [NOT_AFTER, NOT_BEFORE] = ["(?<![A-Za-z0-9])", "(?![A-Za-z0-9])"] as const;
const PAIR = "[-/_]?USDT?(?![A-Za-z0-9])";

/** The longer first, so that "Bitcoin Cash" is not taken for Bitcoin. */
const oneOf = (words: readonly string[]): string => [...words].sort((a, b) => b.length - a.length).join("|");

function finderOf({ names }: Disguise): Finder {
  const bases = [...names.keys()];
  const named = bases.flatMap((base) => {
    const usual = Object.hasOwn(COIN_NAMES, base) ? [COIN_NAMES[base] ?? base] : [];
    return [...usual, ...(OTHER_NAMES[base] ?? [])].map((name) => [name.toLowerCase(), base] as const);
  });
  const long = bases.filter((base) => base.length >= TICKER_MIN);
  const tickers = [
    `${NOT_AFTER}(?:${oneOf(long)})(?=s?${NOT_BEFORE})`,
    `${NOT_AFTER}(?:${oneOf(bases)})(?=${PAIR})`,
    `(?<=\\$)(?:${oneOf(bases)})${NOT_BEFORE}`,
  ];
  return {
    names: new RegExp(`${NOT_AFTER}(${oneOf(named.map(([name]) => name))})s?${NOT_BEFORE}`, "gi"),
    baseOf: new Map(named),
    tickers: new RegExp(tickers.join("|"), "g"),
  };
}

const finders = new WeakMap<Disguise, Finder>();

/** One for each disguise: a run reads thousands of texts. */
function finderFor(disguise: Disguise): Finder {
  const finder = finders.get(disguise) ?? finderOf(disguise);
  finders.set(disguise, finder);
  return finder;
}

/** Amounts of millions and billions are not prices. */
const PRICE =
  /\$\s?(\d[\d,]*(?:\.\d+)?)(\s?[kK](?![A-Za-z]))?(?![\d,.]*\s?(?:[mMbBtT](?![A-Za-z])|bn|mn|million|billion|trillion))/g;

/** Four digits, with commas between thousands. */
function priceText(price: number): string {
  const [whole = "", ...decimals] = String(Number(price.toPrecision(4))).split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...decimals].join(".");
}

/**
 * If the text names one coin, its prices are scaled by that coin's factor. If it names several, a price cannot be
 * assigned and is left out.
 */
function shownPrices(text: string, factors: readonly number[]): string {
  const [factor, ...more] = factors;
  if (factor === undefined) return text;
  return text.replace(PRICE, (_whole, figure: string, thousand: string | undefined) => {
    if (more.length > 0) return "a price";
    return `$${priceText(Number(figure.replaceAll(",", "")) * (thousand === undefined ? 1 : 1_000) * factor)}`;
  });
}

/** The shown form of a text that was written at `atMs`, true time. */
export function shownText(disguise: Disguise, text: string, atMs: number): string {
  const { names, baseOf, tickers } = finderFor(disguise);
  // Two passes, marking and then naming, so that no disguised name is taken for a true one.
  const marked: string[] = [];
  const mark = (base: string): string => `\u0000${marked.push(base) - 1}\u0000`;
  const found = text
    .replace(names, (_whole, name: string) => mark(baseOf.get(name.toLowerCase()) ?? name))
    .replace(tickers, mark);
  const factors = [...new Set(marked)].map((base) => disguise.factors.get(base) ?? 1);
  const dated = shownDates(shownPrices(found, factors), atMs, disguise.shiftMs);
  return dated.replace(/\u0000(\d+)\u0000/g, (_whole, at: string) => shownBase(disguise, marked[Number(at)] ?? ""));
}

/** The tickers of the feed have no multiple, as in 1000SHIB for SHIB. */
function shownCurrency(disguise: Disguise, currency: CurrencyVO): CurrencyVO {
  const ticker = (currency.symbol ?? "").toUpperCase();
  const base = [ticker, `1000${ticker}`].find((each) => disguise.names.has(each));
  if (base === undefined) return currency;
  const shown = shownBase(disguise, base);
  return { currencyId: currencyOf(shown).currencyId, fullName: null, symbol: shown };
}

/** An item in venue time, which is `offsetMs` later than the time of its text. */
export function shownNews(disguise: Disguise, item: NewsVO, offsetMs: number): NewsVO {
  const trueMs = item.createdAt - offsetMs;
  const text = (given: string | null): string | null => (given === null ? null : shownText(disguise, given, trueMs));
  return {
    ...item,
    title: text(item.title),
    content: text(item.content),
    sourceUrl: null,
    originalUrl: null,
    authorName: text(item.authorName),
    authorDisplayName: text(item.authorDisplayName),
    authorAvatar: null,
    mediaAttachments: null,
    quotedContent: null,
    currencies: item.currencies && item.currencies.map((currency) => shownCurrency(disguise, currency)),
  };
}
