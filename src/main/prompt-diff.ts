/** `ballast prompt diff`: the byte where two prompts diverge, and what a broken prefix costs per day. */
import { askedIn, pagesOf, type AskPage } from "../report/decisions/pages.ts";
import { pricedQuestions } from "../report/models/questions.ts";
import { modelConfigAt } from "../report/models/config.ts";
import { comparePrompts, priceOfPrefix } from "../report/models/prompt-compare.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { type OpenJournal, withJournal } from "../control/past-journal.ts";
import { complain, print } from "../ops/complaint.ts";
import { DAY_MS } from "../core/time.ts";
import type { PromptDiffOptions } from "../faces/cli/explain-commands.ts";
import { promptDiffText } from "../report/models/prompt-diff-text.ts";
import { readSnapshot } from "../rows/snapshot.ts";

interface Sent {
  readonly decisionId: string;
  readonly page: AskPage;
}

/** Without ids, the last two decisions that asked with the same prompt. One id alone is exit code 2. */
export function promptDiffProgram(options: PromptDiffOptions): Promise<number> {
  return withJournal(options, async (journal) => {
    if (options.decision.length === 1) return complain("give two decisions, or none for the last two", EXIT.usage);
    const found = twoPrompts(journal, options);
    if (typeof found === "string") return complain(found);
    const compared = await comparePrompts(found[0].page.asked, found[1].page.asked);
    const { reader } = journal;
    const newestMs = reader.rows({ limit: 1, newest: true })[0]?.atMs ?? 0;
    const config = modelConfigAt(reader, newestMs);
    const rows = reader.rows({ kinds: ["question"], sinceMs: newestMs - DAY_MS });
    const questions = pricedQuestions(rows, config.models).filter(
      (question) => question.prompt === found[1].page.asked.prompt,
    );
    const price = priceOfPrefix(compared, { config, questions, newestMs });
    const facts = { first: found[0].decisionId, second: found[1].decisionId, ...compared, ...price };
    print(options.json ? JSON.stringify(facts) : promptDiffText(facts));
    return EXIT.ok;
  });
}

/** The older prompt first; an error text if there are not two. */
function twoPrompts({ reader, dataDir }: OpenJournal, options: PromptDiffOptions): readonly [Sent, Sent] | string {
  const { decision, prompt } = options;
  const fits = (page: AskPage): boolean => prompt === undefined || page.asked.prompt === prompt;
  const sentBy = (decisionId: string): Sent | null => {
    const page = askedIn(pagesOf(reader, dataDir, decisionId)).findLast(fits);
    return page ? { decisionId, page } : null;
  };
  if (decision.length > 0) {
    const [first, second] = decision.slice(0, 2).map((id) => sentBy(id) ?? id);
    if (!first || !second || typeof first === "string" || typeof second === "string") {
      const missing = [first, second].filter((found) => typeof found === "string").join(" and ");
      return `no prompt was kept for ${missing}; \`ballast explain last\` shows a decision that has one`;
    }
    return [first, second];
  }
  const asked = reader.rows({ kinds: ["snapshot"], newest: true, limit: 2_000 });
  const ids = [...new Set(asked.filter((row) => readSnapshot(row).call === "ask").map((row) => row.decisionId ?? ""))];
  // A decision may ask with several prompts; compare prompts of the same name.
  const later = new Map<string, Sent>();
  for (const id of ids.reverse()) {
    for (const page of askedIn(pagesOf(reader, dataDir, id))
      .filter(fits)
      .reverse()) {
      const second = later.get(page.asked.prompt);
      if (second && second.decisionId !== id) return [{ decisionId: id, page }, second];
      if (!second) later.set(page.asked.prompt, { decisionId: id, page });
    }
  }
  return "no prompt has been sent twice yet; wait for the second question";
}
