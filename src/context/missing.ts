/** What a snapshot does not know, in words for the model and the journal. */
import { formatSpan } from "../core/time.ts";
import type { Facts } from "./facts.ts";
import type { AccountView, SymbolView } from "./snapshot.ts";

const STALE_MS = 15_000;
const SILENT_MS = 300_000;
const FUNDING_STALE_MS = 3_600_000;
const NAMES_SHOWN = 6;

const list = (views: readonly SymbolView[]): string => {
  const names = views.slice(0, NAMES_SHOWN).map((view) => view.base);
  return views.length > NAMES_SHOWN ? `${names.join(", ")} and ${views.length - NAMES_SHOWN} more` : names.join(", ");
};

/** `held`: prices of the symbol are held back as impossible. `newsSeen`: any item since the start. */
export interface MissingInput {
  readonly symbols: readonly SymbolView[];
  readonly held: (symbol: string) => boolean;
  readonly account: AccountView | null;
  readonly newsSeen: boolean;
  readonly facts: Facts;
}

/** One phrase for each lack, naming six base assets at most; empty when all is known and fresh. */
export function missingWords({ symbols, held, account, newsSeen, facts }: MissingInput): readonly string[] {
  const words: string[] = [];
  const say = (views: readonly SymbolView[], what: string): void => {
    if (views.length > 0) words.push(`${what}: ${list(views)}`);
  };
  const priced = symbols.filter((view) => view.bid !== null && view.ask !== null);
  say(
    symbols.filter((view) => !priced.includes(view)),
    "no quote",
  );
  say(
    priced.filter((view) => Math.min(view.ageMs.book, view.ageMs.bbo) > STALE_MS),
    "quote older than 15 s",
  );
  say(
    priced.filter((view) => !Number.isFinite(view.ageMs.book)),
    "order book not known or not trustworthy",
  );
  say(
    symbols.filter((view) => view.ageMs.mark > STALE_MS),
    "mark price not known or older than 15 s",
  );
  say(
    priced.filter((view) => view.volatilityHour === null),
    "volatility not known yet",
  );
  say(
    priced.filter((view) => view.returns["1h"] === undefined),
    "less than an hour of prices",
  );
  say(
    priced.filter((view) => view.returns["24h"] === undefined && view.returns["1h"] !== undefined),
    "less than a day of prices",
  );
  say(
    priced.filter((view) => view.returns["24h"] !== undefined && view.history.horizons["21d"] === undefined),
    "less than three weeks of hourly bars",
  );
  say(
    symbols.filter((view) => view.minutesMissing > 0),
    "holes in the minute bars of the last four hours",
  );
  say(
    priced.filter((view) => view.ageMs.trade > SILENT_MS),
    "no trade reported for five minutes",
  );
  say(
    priced.filter((view) => view.fundingRate === null),
    "funding rate not read",
  );
  say(
    priced.filter((view) => view.fundingRate !== null && view.ageMs.funding > FUNDING_STALE_MS),
    "funding rate older than an hour",
  );
  say(
    priced.filter((view) => view.openInterest === null),
    "open interest not reported",
  );
  say(
    symbols.filter((view) => view.rules === null),
    "trading rules not read",
  );
  say(
    symbols.filter((view) => held(view.symbol)),
    "held back because of impossible prices",
  );
  if (!account) words.push("the account has not been read");
  else if (account.ageMs > STALE_MS) words.push(`the account was read ${formatSpan(account.ageMs)} ago`);
  if (!newsSeen) words.push("no news has been seen");
  for (const [name, { stale, atMs, ageMs }] of Object.entries(facts))
    if (stale)
      words.push(atMs === null ? `source ${name} has no point yet` : `source ${name} is ${formatSpan(ageMs)} old`);
  return words;
}
