/** `ballast why`: from an order, a protective order or a fill back to the decision, the frame and the news behind it. */
import { type OpenJournal, complain, print, withJournal } from "./open-journal.ts";
import { pagesOf, seenBy, type StrategyPage } from "../report/pages.ts";
import { symbolFacts } from "../report/seen.ts";
import { EXIT } from "../ops/exit-codes.ts";
import type { WhyOptions } from "../faces/cli/explain-commands.ts";
import { whyText, type WhyFacts } from "../report/why-text.ts";
import { fieldsOf, textIn } from "../journal/fields.ts";
import { type WriteStory, writeStories } from "../report/order-story.ts";
import type { JournalRow } from "../journal/rows.ts";

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

interface Found {
  readonly story: WriteStory;
  /** The fill that was named, when a transaction id was. */
  readonly fill: JournalRow | null;
}

const ID_NAMES = ["transactionId", "orderId", "clientOrderId", "algoOrderId"] as const;

/** The write behind an id. A fill leads to its order, a standing stop to the write that placed it. */
function findWrite({ reader, file }: OpenJournal, id: string): Found | string {
  const kinds = ["fill", "order", "intent", "protection", "wire-out"] as const;
  const about = reader
    .rows({ kinds })
    .filter((row) =>
      ID_NAMES.some((name) => textIn(row.body, name) === id || textIn(fieldsOf(row.body)["params"], name) === id),
    );
  if (about.length === 0)
    return `nothing in ${file} has the id ${id}; \`ballast reasons\` lists every order with its ids`;
  const fill = about.find((row) => row.kind === "fill" && textIn(row.body, "transactionId") === id) ?? null;
  const named = (name: string): ReadonlySet<string> =>
    new Set([id, ...about.map((row) => textIn(row.body, name)).filter((found) => found !== null)]);
  const [ids, orders] = [named("clientOrderId"), named("orderId")];
  const stories = writeStories(reader, { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER });
  const story =
    stories.find((one) => ids.has(one.clientOrderId ?? "")) ??
    stories.find((one) => orders.has(one.orderId ?? "")) ??
    protecting(about, stories);
  return story
    ? { story, fill }
    : `${id} is known, but no write of this agent led to it: it was placed by somebody else`;
}

/** A standing stop is told by its leg and the venue's id; the write before it placed it. */
function protecting(about: readonly JournalRow[], stories: readonly WriteStory[]): WriteStory | undefined {
  const standing = about.find((row) => row.kind === "protection");
  const leg = textIn(standing?.body, "leg");
  if (!standing || leg === null) return undefined;
  return stories.findLast(
    (story) =>
      story.action === "algo.place" && story.seq < standing.seq && `${story.symbol ?? ""}|${story.leg ?? ""}` === leg,
  );
}

function factsOf(journal: OpenJournal, id: string, { story, fill }: Found): WhyFacts {
  const { reader, dataDir } = journal;
  const opening = story.decisionId === null ? undefined : decisionRow(journal, story.decisionId);
  const page = story.decisionId === null ? null : seenBy(pagesOf(reader, dataDir, story.decisionId));
  const view = page?.snapshot.symbols.find(({ symbol }) => symbol === story.symbol);
  return {
    id,
    fill: fill ? fieldsOf(fill.body) : null,
    write: story,
    cost: costOf(reader, story),
    decision: opening ? { atMs: opening.atMs, seq: opening.seq } : null,
    frame: view && page ? { atMs: page.snapshot.atMs, ...symbolFacts(view) } : null,
    news: story.evidence.flatMap((key) => newsBehind(journal, key, page)),
  };
}

/** The row that measured the order. A close of the venue's own making is told by the decision that asked for it. */
function costOf(reader: OpenJournal["reader"], story: WriteStory): WhyFacts["cost"] {
  const costs = reader.rows({ kinds: ["cost"] }).filter((row) => row.atMs >= story.atMs);
  const named = (name: "orderId" | "clientOrderId"): JournalRow | undefined =>
    story[name] === null ? undefined : costs.find((row) => textIn(row.body, name) === story[name]);
  const found = named("clientOrderId") ?? named("orderId");
  return found ? fieldsOf(found.body) : null;
}

const decisionRow = ({ reader }: OpenJournal, decisionId: string): JournalRow | undefined =>
  reader.rows({ kinds: ["decision"], decisionId, limit: 1 })[0];

/** A cited item as the journal first saw it and as the strategy was shown it. Names of figures are not news. */
function newsBehind({ reader }: OpenJournal, key: string, page: StrategyPage | null): WhyFacts["news"] {
  const row = reader.rows({ kinds: ["news"] }).find((candidate) => textIn(candidate.body, "key") === key);
  const shown = page?.snapshot.news.find((item) => item.key === key);
  if (!row && !shown) return [];
  return [
    {
      key,
      title: shown?.title ?? textIn(row?.body, "title") ?? "",
      text: shown?.text ?? "",
      sourceUrl: shown?.sourceUrl ?? null,
      firstSeenMs: shown?.firstSeenMs ?? row?.atMs ?? null,
      seq: row?.seq ?? null,
    },
  ];
}
