/** The replies of a model in a data folder: of a live agent, or of a backtest with --keep. */
import { existsSync } from "node:fs";
import type { Decimal } from "../../core/decimal.ts";
import { sha256 } from "../../core/hash.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { readJournal } from "../../journal/reader.ts";
import type { JournalReader } from "../../journal/reader.ts";
import { journalPath } from "../../ops/run-file.ts";
import { isAsk, pageOf } from "../../report/decisions/pages.ts";
import { type QuestionOutcome, readQuestion } from "../../rows/question.ts";
import { withoutWords } from "./reply-store.ts";

/** One reply. `textHash` is equal for the same question with other random words. */
export interface RecordedReply {
  readonly atMs: number;
  readonly prompt: string;
  readonly purpose: string;
  readonly textHash: string;
  readonly echo: string;
  readonly replyText: string;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly latencyMs: number;
  readonly costUsd: Decimal | null;
}

export const textHashOf = (asked: { readonly system: string; readonly user: string }, words: Words): string =>
  sha256([asked.system, asked.user].map((text) => withoutWords(text, words)).join("\n"));

interface Words {
  readonly fence: string;
  readonly echo: string;
}

/** Oldest first, without replies from the answer cache. The error says what the folder lacks. */
export function recordedReplies(dataDir: string): Result<readonly RecordedReply[], string> {
  const file = journalPath(dataDir);
  if (!existsSync(file)) return err(`${dataDir} has no journal; name the data folder of a run`);
  const reader = readJournal(file);
  try {
    const costs = outcomesOf(reader);
    const found = reader.rows({ kinds: ["snapshot"] }).flatMap((row): readonly RecordedReply[] => {
      const { call, page, atMs } = pageOf(row, dataDir);
      if (call !== "ask" || !page.ok || !isAsk(page.value)) return [];
      const { asked, purpose, fingerprint, cached, kind, replyText } = page.value;
      if (cached || kind !== "answered" || replyText === null) return [];
      const outcome = costs.get(keyOf(row.decisionId ?? "", purpose, fingerprint));
      return [
        {
          ...{ atMs, purpose, replyText, prompt: asked.prompt, echo: asked.echo },
          textHash: textHashOf(asked, asked),
          promptTokens: outcome?.promptTokens ?? 0,
          cachedTokens: outcome?.cachedTokens ?? 0,
          completionTokens: outcome?.completionTokens ?? 0,
          latencyMs: outcome?.latencyMs ?? 0,
          costUsd: outcome?.costUsd ?? null,
        },
      ];
    });
    if (found.length > 0) return ok(found);
    return err(`${dataDir} has no reply of a model whose page is kept (a backtest keeps pages with --keep)`);
  } finally {
    reader.close();
  }
}

const keyOf = (decisionId: string, purpose: string, fingerprint: string): string =>
  `${decisionId} ${purpose} ${fingerprint}`;

function outcomesOf(reader: Pick<JournalReader, "rows">): ReadonlyMap<string, QuestionOutcome> {
  const found = new Map<string, QuestionOutcome>();
  for (const row of reader.rows({ kinds: ["question"] })) {
    const question = readQuestion(row);
    if ("outcome" in question)
      found.set(keyOf(row.decisionId ?? "", question.purpose, question.fingerprint), question.outcome);
  }
  return found;
}
