/**
 * Finds the listed assets that an item is about: from the source's own links, from names and from tickers. Many
 * tickers are words or letters ("NEAR", "LINK", "M") and count only when written as tickers. A link gives an item no
 * authority; it decides what is read first and whether a decision is triggered.
 */

/** Lower-case names; a name that contains another stands before it. Names that are common words are omitted. */
const NAMES: readonly (readonly [name: string, base: string])[] = [
  ["bitcoin cash", "BCH"],
  ["ethereum classic", "ETC"],
  ["tether gold", "XAUT"],
  ["world liberty financial", "WLFI"],
  ["bitcoin", "BTC"],
  ["ethereum", "ETH"],
  ["ether", "ETH"],
  ["bnb chain", "BNB"],
  ["binance coin", "BNB"],
  ["usd coin", "USDC"],
  ["ripple", "XRP"],
  ["solana", "SOL"],
  ["tron network", "TRX"],
  ["hyperliquid", "HYPE"],
  ["dogecoin", "DOGE"],
  ["zcash", "ZEC"],
  ["stellar lumens", "XLM"],
  ["stellar network", "XLM"],
  ["cardano", "ADA"],
  ["monero", "XMR"],
  ["chainlink", "LINK"],
  ["canton network", "CC"],
  ["litecoin", "LTC"],
  ["hedera", "HBAR"],
  ["sui network", "SUI"],
  ["sui blockchain", "SUI"],
  ["avalanche network", "AVAX"],
  ["near protocol", "NEAR"],
  ["shiba inu", "1000SHIB"],
  ["memecore", "M"],
  ["bittensor", "TAO"],
  ["uniswap", "UNI"],
  ["pax gold", "PAXG"],
  ["aster dex", "ASTER"],
  ["ondo finance", "ONDO"],
  ["worldcoin", "WLD"],
  ["polkadot", "DOT"],
  ["sky protocol", "SKY"],
  ["makerdao", "SKY"],
  ["aave", "AAVE"],
  ["morpho", "MORPHO"],
  ["internet computer", "ICP"],
  ["dexe network", "DEXE"],
  ["pepecoin", "1000PEPE"],
  ["quant network", "QNT"],
  ["kaspa", "KAS"],
  ["render network", "RENDER"],
  ["cosmos hub", "ATOM"],
  ["jupiter exchange", "JUP"],
  ["polygon", "POL"],
  ["algorand", "ALGO"],
];

/** Tickers that are words, abbreviations or single letters. */
const WORDY = new Set(
  "LINK NEAR SKY BEAT LAB STABLE M CC DOT ATOM JUST ONE GAS FUN WIN ACT CAT HOT MASK ID OM IO AI DYM BAN SUN TRUMP POL ADA UNI".split(
    " ",
  ),
);
/** Words that mark the previous word as a ticker. */
const AFTER = /^(?:token|tokens|coin|price|holders|network|protocol|foundation|perpetual|futures|staking|etf)$/i;
const OTHER_SPELLINGS: Readonly<Record<string, string>> = { XBT: "BTC", MATIC: "POL", MKR: "SKY", RNDR: "RENDER" };
const QUOTES = "(?:USDT|USDC|USD|PERP)";
/** Only this much of a body is searched: an article names its subject at the beginning. */
const BODY_CHARS = 800;
const LINKS_MAX = 20;

/** One item as plain text. */
export interface LinkInput {
  readonly title: string;
  readonly text: string;
  /** Tickers that the source linked, upper case. */
  readonly reported: readonly string[];
}

/** Listed bases in order of mention, then other tickers that the source linked. */
export type Linker = (input: LinkInput) => readonly string[];

/** Used while the listed assets are unknown: returns only the source's links. */
export const reportOnly: Linker = ({ reported }) => reported;

/** A linker for these bases, in the venue's spelling (`1000PEPE`). */
export function createLinker(bases: readonly string[]): Linker {
  const listed = new Set(bases);
  const listedOf = (ticker: string): string | null => {
    for (const base of [ticker, OTHER_SPELLINGS[ticker], `1000${ticker}`])
      if (base !== undefined && listed.has(base)) return base;
    return null;
  };
  const names = NAMES.filter(([, base]) => listed.has(base));
  return ({ title, text, reported }) => {
    const found = new Set<string>();
    for (const ticker of reported) found.add(listedOf(ticker) ?? ticker);
    for (const part of [title, text.slice(0, BODY_CHARS)]) {
      for (const base of namedIn(part, names)) found.add(base);
      for (const ticker of tickersIn(part)) {
        const base = listedOf(ticker);
        if (base !== null) found.add(base);
      }
    }
    const sorted = [...found].sort((a, b) => Number(listed.has(b)) - Number(listed.has(a)));
    return sorted.slice(0, LINKS_MAX);
  };
}

function namedIn(text: string, names: readonly (readonly [string, string])[]): readonly string[] {
  let words = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  const found: string[] = [];
  for (const [name, base] of names) {
    if (!words.includes(` ${name} `)) continue;
    found.push(base);
    // A mention of "Bitcoin Cash" is not a mention of Bitcoin.
    words = words.replaceAll(` ${name} `, " ");
  }
  return found;
}

/** Tickers as written: `$NEAR`, `(NEAR)`, `NEAR/USDT`, `NEARUSDT`, and plain capitals that are not words. */
function tickersIn(text: string): readonly string[] {
  const found: string[] = [];
  for (const [, cash, round, pair] of text.matchAll(MARKED)) found.push(cash ?? round ?? pair ?? "");
  if (!isShouting(text)) {
    for (const match of text.matchAll(/(?<![\w$])([A-Z][A-Z0-9]{2,9})(?![\w])/g)) {
      const [, word = ""] = match;
      const next = /^\s+(\w+)/.exec(text.slice(match.index + word.length, match.index + word.length + 20))?.[1] ?? "";
      if (!WORDY.has(word) || AFTER.test(next)) found.push(word);
    }
  }
  return found.map((ticker) => ticker.toUpperCase());
}

const MARKED = new RegExp(
  `\\$([A-Za-z][A-Za-z0-9]{0,9})\\b|\\(([A-Z0-9]{1,10})\\)|(?<![\\w$])([A-Z0-9]{1,10}?)(?:[/-]${QUOTES}|USDT)(?![\\w])`,
  "g",
);

/** Whether most letters are capitals, so that capitals do not identify a ticker. */
function isShouting(text: string): boolean {
  const capitals = text.match(/[A-Z]/g)?.length ?? 0;
  const small = text.match(/[a-z]/g)?.length ?? 0;
  return capitals > small;
}
