/** The causes that post-mortems gave to closed trades, counted from the journal: each with its share and its interval. */
import Table from "cli-table3";
import { counted } from "../../core/words.ts";
import { shareInterval } from "../../domain/share-interval.ts";
import type { JournalReader } from "../../journal/reader.ts";
import { oneObject } from "../../llm/replies/reply.ts";
import { readQuestion } from "../../rows/question.ts";
import { PostMortemReply } from "../../strategy/further-questions.ts";

/** Shares are 0 to 1; `low` and `high` hold nine and a half times of ten. */
export interface CauseCount {
  readonly cause: string;
  readonly count: number;
  readonly share: number;
  readonly low: number;
  readonly high: number;
  /** How many of them should be opened again on the same figures. */
  readonly again: number;
}

/** Fewer say nothing about a habit. */
const COUNTED_MIN = 10;

/** The most frequent first. A reply that cannot be read is left out. */
export function postMortemCounts(reader: JournalReader): readonly CauseCount[] {
  const found = reader.rows({ kinds: ["question"] }).flatMap((row) => {
    const read = readQuestion(row);
    if (!("outcome" in read) || read.purpose !== "post-mortem" || !read.outcome.replyText) return [];
    return replyIn(read.outcome.replyText) ?? [];
  });
  return [...new Set(found.map(({ cause }) => cause))]
    .map((cause) => {
      const of = found.filter((one) => one.cause === cause);
      const { low, high } = shareInterval(of.length, found.length);
      const again = of.filter((one) => one.again).length;
      return { cause, count: of.length, share: of.length / found.length, low, high, again };
    })
    .sort((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1));
}

function replyIn(text: string) {
  const found = oneObject(text);
  const read = found.ok ? PostMortemReply.safeParse(found.value) : null;
  return read?.success ? read.data : null;
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

export function postMortemsText(counts: readonly CauseCount[]): string {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return "";
  const table = new Table({ head: ["cause", "closes", "share", "95 %", "again"], style: { head: [], border: [] } });
  for (const { cause, count, share, low, high, again } of counts)
    table.push([cause, count, percent(share), `${percent(low)} to ${percent(high)}`, again]);
  const few = all < COUNTED_MIN ? ` ${counted(all, "close is", "closes are")} too few to conclude anything.` : "";
  return `What the model said that results of closed trades came from; no rule follows from it.${few}\n${table.toString()}\n`;
}
