/** What is read from the journal when somebody asks for it: a decision's story, why nothing was opened, the bars of a symbol. */
import type { Context } from "../context/context.ts";
import { HOUR_MS } from "../core/time.ts";
import type { JournalReader } from "../journal/reader.ts";
import { writeStories } from "../report/orders/story.ts";
import { askedIn, pagesOf, seenBy, type StrategyPage } from "../report/decisions/pages.ts";
import { type DecisionStory, decisionStory } from "../report/decisions/story.ts";
import { explainText } from "../report/decisions/explain-text.ts";
import { outcomeSoFar } from "../report/decisions/outcome-so-far.ts";
import { seenFacts } from "../report/decisions/seen.ts";
import { REPORTED_BY, whyNot } from "../report/decisions/why-not.ts";
import { whyFacts } from "../report/decisions/why.ts";
import { whyText } from "../report/decisions/why-text.ts";
import { readFill } from "../rows/fill.ts";
import { CHART_BARS } from "./chart-intervals.ts";
import type { DeckBars, DeckStory, DeckWhyNot } from "./shapes.ts";

/** Rows after a decision that may belong to it: enough for its orders, and bounded for trading's sake. */
const RELATED_ROWS = 2_000;
const HOUR_ROWS = 5_000;
const FILLS_READ = 300;

/** Null where the journal knows no such decision. */
export function storyOf(reader: JournalReader, dataDir: string, decisionId: string): DeckStory | null {
  const story = decisionStory(reader, decisionId, RELATED_ROWS);
  if (story.rows.length === 0) return null;
  const pages = pagesOf(reader, dataDir, decisionId);
  const seen = seenBy(pages);
  const facts = {
    ...story,
    seen: seen && seenFacts(seen.snapshot),
    asked: [],
    lost: pages.flatMap(({ page }) => (page.ok ? [] : [page.error])),
    outcome: outcomeSoFar(reader, story.rows),
    rerun: null,
  };
  return {
    decisionId,
    text: explainText(facts, { full: false }),
    orders: ordersOf(reader, story, seen),
    asked: askedIn(pages).map(({ asked, replyText }) => ({
      prompt: `${asked.prompt} version ${asked.version}`,
      question: `${asked.system}\n\n${asked.user}`,
      reply: replyText ?? "none",
    })),
  };
}

/** Every write of the decision with its reasons, from the rows of its own story alone: no reading grows with the journal. */
function ordersOf(reader: JournalReader, { rows }: DecisionStory, seen: StrategyPage | null): DeckStory["orders"] {
  const own: Pick<JournalReader, "rows"> = {
    rows: ({ kinds, limit = Infinity, ...rest } = {}) =>
      kinds?.includes("news") || kinds?.includes("cost")
        ? reader.rows({ ...rest, kinds, limit: RELATED_ROWS, newest: true })
        : rows.filter(({ kind }) => !kinds || kinds.includes(kind)).slice(0, limit),
  };
  const everything = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
  return writeStories(own, everything).map((write) => {
    const id = write.clientOrderId ?? write.orderId ?? `row ${write.seq}`;
    return {
      name: `${write.action} ${write.symbol ?? ""} ${write.leg ?? ""}`.trim(),
      why: whyText(whyFacts(own, { id, story: write, fill: null }, seen)),
    };
  });
}

/** Outcomes that are no failure to open. */
const OPENED: ReadonlySet<string> = new Set(["opened", "placed"]);

/** The last hour's decisions that opened nothing, by reason, the most frequent first. */
export function whyNothing(reader: Pick<JournalReader, "rows">, nowMs: number): readonly DeckWhyNot[] {
  const groups = whyNot();
  for (const row of reader.rows({ kinds: REPORTED_BY, sinceMs: nowMs - HOUR_MS, limit: HOUR_ROWS })) groups.take(row);
  return groups
    .groups()
    .filter(({ outcome }) => !OPENED.has(outcome))
    .map(({ outcome, reason, count, examples }) => ({
      ...{ outcome, reason, count },
      decisionIds: examples.map(({ decisionId }) => decisionId),
    }));
}

/** Bars of the agent's own context with our fills among them. */
export function barsOf(
  context: Pick<Context, "bars">,
  reader: Pick<JournalReader, "rows">,
  { symbol, interval }: { readonly symbol: string; readonly interval: string },
): DeckBars {
  const bars = context.bars(symbol, interval, CHART_BARS);
  const fromMs = bars[0]?.openMs ?? Infinity;
  const fills = reader
    .rows({ kinds: ["fill"], limit: FILLS_READ, newest: true })
    .map(readFill)
    .filter((fill) => fill.symbol === symbol && fill.atMs >= fromMs);
  return {
    symbol,
    interval,
    openMs: bars.map(({ openMs }) => openMs),
    open: bars.map(({ open }) => open),
    high: bars.map(({ high }) => high),
    low: bars.map(({ low }) => low),
    close: bars.map(({ close }) => close),
    fills: fills.map(({ atMs, side, price, qty }) => ({ atMs, side, price: price.toNumber(), qty: qty.toNumber() })),
  };
}
