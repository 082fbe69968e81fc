/** What a snapshot does not know, in words for the model and the journal. */
import { formatSpan } from "../core/time.ts";
import type { Facts } from "./facts.ts";
import { HORIZON_HOURS } from "./history-view.ts";
import type { AccountView, SymbolView } from "./snapshot.ts";

const STALE_MS = 15_000;
const SILENT_MS = 300_000;
const FUNDING_STALE_MS = 3_600_000;
const NAMES_SHOWN = 6;

const list = (views: readonly SymbolView[]): string => {
  const names = views.slice(0, NAMES_SHOWN).map((view) => view.base);
  return views.length > NAMES_SHOWN ? `${names.join(", ")} and ${views.length - NAMES_SHOWN} more` : names.join(", ");
};

/** What the view of a symbol does not say. */
interface Unseen {
  /** Its prices are held back as impossible. */
  readonly held: (symbol: string) => boolean;
  /** Ended hours that its history is made of. */
  readonly hoursKnown: (symbol: string) => number;
}

/** `newsSeen`: any item since the start. */
export interface MissingInput extends Unseen {
  readonly symbols: readonly SymbolView[];
  readonly account: AccountView | null;
  readonly newsSeen: boolean;
  readonly facts: Facts;
}

const isPriced = (view: SymbolView): boolean => view.bid !== null && view.ask !== null;

/** What a symbol may lack. Without a quote only what does not depend on one is named. */
const LACKS: readonly {
  readonly what: string;
  readonly of: (view: SymbolView, unseen: Unseen) => boolean;
}[] = [
  { what: "no quote", of: (view) => !isPriced(view) },
  {
    what: "quote older than 15 s",
    of: (view) => isPriced(view) && Math.min(view.ageMs.book, view.ageMs.bbo) > STALE_MS,
  },
  {
    what: "order book not known or not trustworthy",
    of: (view) => isPriced(view) && !Number.isFinite(view.ageMs.book),
  },
  { what: "mark price not known or older than 15 s", of: (view) => view.ageMs.mark > STALE_MS },
  { what: "volatility not known yet", of: (view) => isPriced(view) && view.volatilityHour === null },
  { what: "less than an hour of prices", of: (view) => isPriced(view) && view.returns["1h"] === undefined },
  {
    what: "less than a day of prices",
    of: (view) => isPriced(view) && view.returns["24h"] === undefined && view.returns["1h"] !== undefined,
  },
  {
    what: "less than three weeks of hourly bars",
    of: (view, { hoursKnown }) =>
      isPriced(view) && view.returns["24h"] !== undefined && hoursKnown(view.symbol) <= HORIZON_HOURS["21d"],
  },
  { what: "holes in the minute bars of the last four hours", of: (view) => view.minutesMissing > 0 },
  { what: "no trade reported for five minutes", of: (view) => isPriced(view) && view.ageMs.trade > SILENT_MS },
  { what: "funding rate not read", of: (view) => isPriced(view) && view.fundingRate === null },
  {
    what: "funding rate older than an hour",
    of: (view) => isPriced(view) && view.fundingRate !== null && view.ageMs.funding > FUNDING_STALE_MS,
  },
  { what: "open interest not reported", of: (view) => isPriced(view) && view.openInterest === null },
  { what: "trading rules not read", of: (view) => view.rules === null },
  { what: "held back because of impossible prices", of: (view, { held }) => held(view.symbol) },
];

/** One phrase for each lack, naming six base assets at most; empty when all is known and fresh. */
export function missingWords({ symbols, account, newsSeen, facts, ...unseen }: MissingInput): readonly string[] {
  const words: string[] = [];
  for (const { what, of } of LACKS) {
    const views: SymbolView[] = [];
    for (const view of symbols) if (of(view, unseen)) views.push(view);
    if (views.length > 0) words.push(`${what}: ${list(views)}`);
  }
  if (!account) words.push("the account has not been read");
  else if (account.ageMs > STALE_MS) words.push(`the account was read ${formatSpan(account.ageMs)} ago`);
  if (!newsSeen) words.push("no news has been seen");
  for (const [name, { stale, atMs, ageMs }] of Object.entries(facts))
    if (stale)
      words.push(atMs === null ? `source ${name} has no point yet` : `source ${name} is ${formatSpan(ageMs)} old`);
  return words;
}
