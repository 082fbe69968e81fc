/** `ballast why`: traces an order, a protective order or a fill back to the decision, the market data and the news. */
import { type OpenJournal, withJournal } from "../control/past-journal.ts";
import { complain, print } from "../ops/complaint.ts";
import { pagesOf, seenBy } from "../report/decisions/pages.ts";
import { EXIT } from "../ops/exit-codes.ts";
import type { WhyOptions } from "../faces/cli/explain-commands.ts";
import { type FoundWrite, whyFacts } from "../report/decisions/why.ts";
import { type WhyFacts, whyText } from "../report/decisions/why-text.ts";
import { type WriteStory, writeStories } from "../report/orders/story.ts";
import type { JournalRow } from "../rows/row.ts";
import { readFill } from "../rows/fill.ts";
import { ID_NAMES, type IdName, namesIn } from "../rows/names.ts";
import { readProtection } from "../rows/protection.ts";
import { readWireOut, textParam } from "../rows/wire-out.ts";

/** Exit code 1 for an id that is in no row, or that no write of the agent led to. */
export function whyProgram(id: string, options: WhyOptions): Promise<number> {
  return withJournal(options, (journal) => {
    const found = findWrite(journal, id);
    if (typeof found === "string") return complain(found);
    const facts = factsOf(journal, id, found);
    print(options.json ? JSON.stringify(facts) : whyText(facts));
    return EXIT.ok;
  });
}

/** The same as text, for a chat; an unreadable row becomes an error text. */
export function whyAnswer(journal: OpenJournal, id: string): string {
  try {
    const found = findWrite(journal, id);
    return typeof found === "string" ? found : whyText(factsOf(journal, id, found));
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

type Found = Omit<FoundWrite, "id">;

function factsOf({ reader, dataDir }: OpenJournal, id: string, found: Found): WhyFacts {
  const { decisionId } = found.story;
  const page = decisionId === null ? null : seenBy(pagesOf(reader, dataDir, decisionId));
  return whyFacts(reader, { id, ...found }, page);
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
    : `${id} is known, but no write of this agent led to it: it is an external order`;
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
