/** From a write back to the decision, the frame and the news behind it: the facts of `ballast why` and of the page's orders. */
import type { JournalReader } from "../../journal/reader.ts";
import { type CostRow, readCost } from "../../rows/cost.ts";
import type { FillRow } from "../../rows/fill.ts";
import { readNews } from "../../rows/news.ts";
import type { JournalRow } from "../../rows/row.ts";
import type { WriteStory } from "../orders/story.ts";
import type { StrategyPage } from "./pages.ts";
import { symbolFacts } from "./seen.ts";
import type { WhyFacts } from "./why-text.ts";

type Rows = Pick<JournalReader, "rows">;

/** A write, and what led to it by name. */
export interface FoundWrite {
  readonly id: string;
  readonly story: WriteStory;
  /** The fill that was named, when a transaction id was. */
  readonly fill: FillRow | null;
}

/** `page` is what the strategy saw in the decision behind the write. */
export function whyFacts(reader: Rows, { id, story, fill }: FoundWrite, page: StrategyPage | null): WhyFacts {
  const opening = story.decisionId === null ? undefined : decisionRow(reader, story.decisionId);
  const view = page?.snapshot.symbols.find(({ symbol }) => symbol === story.symbol);
  return {
    id,
    fill,
    write: story,
    cost: costOf(reader, story),
    decision: opening ? { atMs: opening.atMs, seq: opening.seq } : null,
    frame: view && page ? { atMs: page.snapshot.atMs, ...symbolFacts(view) } : null,
    news: story.evidence.flatMap((key) => newsBehind(reader, key, page)),
  };
}

/** The row that measured the order. A close by the venue itself is found by the decision that asked for it. */
function costOf(reader: Rows, story: WriteStory): WhyFacts["cost"] {
  const costs = reader.rows({ kinds: ["cost"], sinceMs: story.atMs }).map(readCost);
  const named = (name: "orderId" | "clientOrderId"): CostRow | undefined =>
    story[name] === null ? undefined : costs.find((cost) => cost[name] === story[name]);
  return named("clientOrderId") ?? named("orderId") ?? null;
}

const decisionRow = (reader: Rows, decisionId: string): JournalRow | undefined =>
  reader.rows({ kinds: ["decision"], decisionId, limit: 1 })[0];

/** A cited item as the journal first saw it and as the strategy was shown it. Names of figures are not news. */
function newsBehind(reader: Rows, key: string, page: StrategyPage | null): WhyFacts["news"] {
  const row = reader.rows({ kinds: ["news"] }).find((candidate) => readNews(candidate).key === key);
  const shown = page?.snapshot.news.find((item) => item.key === key);
  if (!row && !shown) return [];
  return [
    {
      key,
      title: shown?.title ?? (row ? readNews(row).title : ""),
      text: shown?.text ?? "",
      sourceUrl: shown?.sourceUrl ?? null,
      firstSeenMs: shown?.firstSeenMs ?? row?.atMs ?? null,
      seq: row?.seq ?? null,
    },
  ];
}
