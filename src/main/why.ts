/** `ballast why`: from an order, a protective order or a fill back to the decision, the frame and the news behind it. */
import { type OpenJournal, complain, print, withJournal } from "./open-journal.ts";
import { pagesOf, seenBy, type StrategyPage } from "../report/pages.ts";
import { symbolFacts } from "../report/seen.ts";
import { EXIT } from "../ops/exit-codes.ts";
import type { WhyOptions } from "../faces/cli/explain-commands.ts";
import { whyText, type WhyFacts } from "../report/why-text.ts";
import { type WriteStory, writeStories } from "../report/order-story.ts";
import type { JournalRow } from "../rows/row.ts";
import { type CostRow, readCost } from "../rows/cost.ts";
import { type FillRow, readFill } from "../rows/fill.ts";
import { ID_NAMES, type IdName, namesIn } from "../rows/names.ts";
import { readNews } from "../rows/news.ts";
import { readProtection } from "../rows/protection.ts";
import { readWireOut, textParam } from "../rows/wire-out.ts";

/** Exit code 1 for an id that stands in no row, or that no write of ours led to. */
export function whyProgram(id: string, options: WhyOptions): Promise<number> {
  return withJournal(options, (journal) => {
    const found = findWrite(journal, id);
    if (typeof found === "string") return complain(found);
    const facts = factsOf(journal, id, found);
    print(options.json ? JSON.stringify(facts) : whyText(facts));
    return EXIT.ok;
  });
}

/** The same as text, for a chat; a row that cannot be read is said. */
export function whyAnswer(journal: OpenJournal, id: string): string {
  try {
    const found = findWrite(journal, id);
    return typeof found === "string" ? found : whyText(factsOf(journal, id, found));
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

interface Found {
  readonly story: WriteStory;
  /** The fill that was named, when a transaction id was. */
  readonly fill: FillRow | null;
}

/** The write behind an id. A fill leads to its order, a standing stop to the write that placed it. */
function findWrite({ reader, file }: OpenJournal, id: string): Found | string {
  const kinds = ["fill", "order", "intent", "protection", "wire-out"] as const;
  const about = reader.rows({ kinds }).filter((row) => {
    const names = namesIn(row);
    const write = row.kind === "wire-out" ? readWireOut(row) : null;
    return ID_NAMES.some((name) => names[name] === id || (write && textParam(write, name) === id));
  });
  if (about.length === 0)
    return `nothing in ${file} has the id ${id}; \`ballast reasons\` lists every order with its ids`;
  const fill = about
    .filter((row) => row.kind === "fill")
    .map(readFill)
    .find(({ transactionId }) => transactionId === id);
  const named = (name: IdName): ReadonlySet<string> => new Set([id, ...about.map((row) => namesIn(row)[name] ?? id)]);
  const [ids, orders] = [named("clientOrderId"), named("orderId")];
  const stories = writeStories(reader, { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER });
  const story =
    stories.find((one) => ids.has(one.clientOrderId ?? "")) ??
    stories.find((one) => orders.has(one.orderId ?? "")) ??
    protecting(about, stories);
  return story
    ? { story, fill: fill ?? null }
    : `${id} is known, but no write of this agent led to it: it was placed by somebody else`;
}

/** A `protection` row names a resting stop by its position and the venue's id; the write before that row placed the stop. */
function protecting(about: readonly JournalRow[], stories: readonly WriteStory[]): WriteStory | undefined {
  const standing = about.find((row) => row.kind === "protection");
  if (!standing) return undefined;
  const { leg: positionKey } = readProtection(standing);
  return stories.findLast(
    (story) =>
      story.action === "algo.place" &&
      story.seq < standing.seq &&
      `${story.symbol ?? ""}|${story.leg ?? ""}` === positionKey,
  );
}

function factsOf(journal: OpenJournal, id: string, { story, fill }: Found): WhyFacts {
  const { reader, dataDir } = journal;
  const opening = story.decisionId === null ? undefined : decisionRow(journal, story.decisionId);
  const page = story.decisionId === null ? null : seenBy(pagesOf(reader, dataDir, story.decisionId));
  const view = page?.snapshot.symbols.find(({ symbol }) => symbol === story.symbol);
  return {
    id,
    fill,
    write: story,
    cost: costOf(reader, story),
    decision: opening ? { atMs: opening.atMs, seq: opening.seq } : null,
    frame: view && page ? { atMs: page.snapshot.atMs, ...symbolFacts(view) } : null,
    news: story.evidence.flatMap((key) => newsBehind(journal, key, page)),
  };
}

/** The row that measured the order. A close by the venue itself is found by the decision that asked for it. */
function costOf(reader: OpenJournal["reader"], story: WriteStory): WhyFacts["cost"] {
  const costs = reader.rows({ kinds: ["cost"], sinceMs: story.atMs }).map(readCost);
  const named = (name: "orderId" | "clientOrderId"): CostRow | undefined =>
    story[name] === null ? undefined : costs.find((cost) => cost[name] === story[name]);
  return named("clientOrderId") ?? named("orderId") ?? null;
}

const decisionRow = ({ reader }: OpenJournal, decisionId: string): JournalRow | undefined =>
  reader.rows({ kinds: ["decision"], decisionId, limit: 1 })[0];

/** A cited item as the journal first saw it and as the strategy was shown it. Names of figures are not news. */
function newsBehind({ reader }: OpenJournal, key: string, page: StrategyPage | null): WhyFacts["news"] {
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
