/**
 * What an answer may cite as evidence: what its own question showed. It is checked where the reply is read, against the tables
 * of that question and not the present snapshot; a name that was not shown is dropped from the evidence and kept apart.
 */
import { z } from "zod";
import { MARKET_COLUMNS, type PromptTables } from "../context/prompt-tables.ts";
import type { Snapshot } from "../context/snapshot.ts";
import { WEEK_COLUMNS } from "../context/week-rows.ts";
import type { Miscited } from "./strategy.ts";
import { asksWeeks, type TraderSettings } from "./trader-settings.ts";

/** In lower case. */
export type Citable = ReadonlySet<string>;

const NAMES_MAX = 12;
const MISCITED_CHARS_MAX = 80;

/** The names that a reply cites, before they are checked. */
export const citedNames = z.array(z.string().max(200)).max(NAMES_MAX);

/** What a checked statement adds: names that its question did not show. */
export const uncited = { notShown: citedNames.optional() };

/** Columns of the market table that the deciding question shows. */
export const columnsOf = (settings: TraderSettings): readonly string[] =>
  asksWeeks(settings) ? WEEK_COLUMNS : MARKET_COLUMNS;

const lower = (...lists: readonly (readonly string[])[]): Citable =>
  new Set(lists.flat().map((name) => name.toLowerCase()));

/** Columns, ids of the news in these tables, and fresh values of the owner's sources as `source.name`. */
export const citableIn = (
  columns: readonly string[],
  { news, facts }: Partial<Pick<PromptTables, "news" | "facts">>,
): Citable =>
  lower(
    columns,
    (news ?? []).flatMap(({ id }) => (typeof id === "string" ? [id] : [])),
    (facts ?? []).flatMap(({ source, name, state }) => (state === "fresh" ? [`${source}.${name}`] : [])),
  );

/** The same from a snapshot, for a reply whose question and its tables are no longer known. */
export const citableNow = (columns: readonly string[], { news, facts }: Snapshot): Citable =>
  lower(
    columns,
    news.map(({ key }) => key),
    Object.entries(facts).flatMap(([source, { values, stale }]) =>
      stale ? [] : Object.keys(values).map((name) => `${source}.${name}`),
    ),
  );

/** Keeps what was shown; a made-up or outdated name goes to `notShown`. */
export const withShown =
  (shown: Citable) =>
  <Said extends { readonly evidence: readonly string[] }>(said: Said): Said & { readonly notShown: string[] } => ({
    ...said,
    evidence: said.evidence.filter((name) => shown.has(name.toLowerCase())),
    notShown: said.evidence.filter((name) => !shown.has(name.toLowerCase())),
  });

/** Each name once for each symbol, in the order in which they were cited. */
export function miscitedIn(
  statements: readonly { readonly symbol: string; readonly notShown?: readonly string[] | undefined }[],
): readonly Miscited[] {
  const found = new Map<string, Miscited>();
  for (const { symbol, notShown = [] } of statements)
    for (const cited of notShown) {
      const name = cited.slice(0, MISCITED_CHARS_MAX);
      found.set(`${symbol} ${name}`, { symbol, name });
    }
  return [...found.values()];
}

/** The member of an answer that reports them; none if there are none. */
export const reportMiscited = (miscited: readonly Miscited[]): { readonly miscited?: readonly Miscited[] } =>
  miscited.length > 0 ? { miscited } : {};
