/** `ballast explain`: one decision from its trigger to its results, and on demand a rerun. */
import { outcomeSoFar } from "../report/decisions/outcome-so-far.ts";
import { askedIn, pagesOf, type ReadPage, seenBy } from "../report/decisions/pages.ts";
import { rerun } from "../report/decisions/rerun.ts";
import { seenFacts } from "../report/decisions/seen.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { type OpenJournal, withJournal } from "../control/past-journal.ts";
import { complain, print } from "../ops/complaint.ts";
import { explainText, type ExplainFacts } from "../report/decisions/explain-text.ts";
import type { ExplainOptions } from "../faces/cli/explain-commands.ts";
import { PAGE_GONE } from "../journal/page-store.ts";
import { type DecisionStory, decisionOfOrder, decisionStory } from "../report/decisions/story.ts";

/** `wanted` is a decision, an order, or `last`. Exit code 1 if a rerun differs. */
export function explainProgram(wanted: string, options: ExplainOptions): Promise<number> {
  return withJournal(options, async (journal) => {
    const found = findStory(journal, wanted);
    if (typeof found === "string") return complain(found);
    const pages = pagesOf(journal.reader, journal.dataDir, found.decisionId);
    if (options.rerun && pages.every(({ page }) => !page.ok && page.error.endsWith(PAGE_GONE)))
      return complain(`the inputs of ${found.decisionId} were not kept, so it cannot be repeated`);
    const steps = options.rerun ? await rerun(pages) : null;
    const facts: ExplainFacts = {
      decisionId: found.decisionId,
      clientOrderIds: found.clientOrderIds,
      rows: found.rows,
      seen: seenOf(pages),
      asked: askedIn(pages).map((page) => ({
        ...page.asked,
        kind: page.kind,
        cached: page.cached,
        replyText: page.replyText,
      })),
      lost: pages.flatMap(({ page }) => (page.ok ? [] : [page.error])),
      outcome: outcomeSoFar(journal.reader, found.rows),
      rerun: steps,
    };
    print(options.json ? JSON.stringify(facts) : explainText(facts, { full: options.full }));
    return steps?.some((step) => !step.same) ? EXIT.failed : EXIT.ok;
  });
}

const seenOf = (pages: readonly ReadPage[]): ExplainFacts["seen"] => {
  const page = seenBy(pages);
  return page && seenFacts(page.snapshot);
};

/** The story of a decision, of the newest one, or of the one behind an order; otherwise an error text. */
function findStory({ reader, file }: OpenJournal, wanted: string): DecisionStory | string {
  const newest = reader.rows({ kinds: ["decision"], limit: 1, newest: true })[0]?.decisionId ?? null;
  const decisionId = wanted === "last" ? newest : wanted;
  if (decisionId === null) return "the journal contains no decision yet";
  const named = decisionStory(reader, decisionId);
  if (named.rows.length > 0) return named;
  const behind = decisionOfOrder(reader, decisionId);
  const story = behind === null ? named : decisionStory(reader, behind);
  return story.rows.length > 0
    ? story
    : `no decision or order ${wanted} in ${file}; the newest decision is ${newest ?? "none"}`;
}
