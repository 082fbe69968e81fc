/** The pages of a decision, read back: what each call of a strategy was given, and what each model was asked. */
import { pagesDir, readPage } from "../../journal/page-store.ts";
import type { JournalReader } from "../../journal/reader.ts";
import type { JournalRow } from "../../rows/row.ts";
import type { Snapshot } from "../../context/snapshot.ts";
import type { QuestionText } from "../../llm/contract/port.ts";
import type { Replies } from "../../strategy/strategy.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { readSnapshot, type SnapshotRow } from "../../rows/snapshot.ts";

/** One call of a strategy, as `agent/decide/keep-page.ts` wrote it. */
export interface StrategyPage {
  readonly call: "decide" | "interpret" | "fallback";
  readonly strategy: string;
  readonly settings: unknown;
  readonly snapshot: Snapshot;
  readonly replies?: Replies;
  readonly answer: unknown;
}

/** One question to a model, as `daemon/model-port.ts` wrote it. */
export interface AskPage {
  readonly call: "ask";
  readonly purpose: string;
  readonly schemaName: string;
  readonly fingerprint: string;
  readonly kind: string;
  /** The reply was given to an earlier, equal question and carries the echo word of that question. */
  readonly cached: boolean;
  readonly asked: QuestionText;
  readonly replyText: string | null;
}

/** One `snapshot` row; `call` is empty if the row does not say. */
export interface ReadPage {
  readonly seq: number;
  readonly atMs: number;
  readonly call: string;
  /** The page, or why it cannot be read. */
  readonly page: Result<StrategyPage | AskPage, string>;
}

/** Oldest first. A page that is gone or damaged is an entry too, with its error. */
export function pagesOf(reader: JournalReader, dataDir: string, decisionId: string): readonly ReadPage[] {
  return reader.rows({ kinds: ["snapshot"], decisionId }).map((row) => pageOf(row, dataDir));
}

/** Reads the file that the row names, and refuses one whose hash differs. */
export function pageOf(row: JournalRow, dataDir: string): ReadPage {
  const named = readSnapshot(row);
  return { seq: row.seq, atMs: row.atMs, call: named.call, page: read(row.seq, named, dataDir) };
}

function read(seq: number, named: SnapshotRow, dataDir: string): Result<StrategyPage | AskPage, string> {
  const { page: name, sha256 } = named;
  if (name === undefined || sha256 === undefined) return err(`row ${seq} names no page`);
  const page = readPage(pagesDir(dataDir), { page: name, sha256 });
  if (!page.ok) return page;
  return isPage(page.value) ? ok(withFacts(page.value)) : err(`the page of row ${seq} is of an unknown form`);
}

/** Older pages, from before there were sources, have no facts. */
const withFacts = (page: StrategyPage | AskPage): StrategyPage | AskPage =>
  isAsk(page)
    ? page
    : { ...page, snapshot: { ...page.snapshot, facts: (page.snapshot as Partial<Snapshot>).facts ?? {} } };

/** The hash proves the rest: this agent wrote the page. */
const isPage = (page: unknown): page is StrategyPage | AskPage =>
  typeof page === "object" && page !== null && "call" in page && typeof page.call === "string";

/** Distinguishes the page of a question to a model from the page of a strategy call. */
export const isAsk = (page: StrategyPage | AskPage): page is AskPage => page.call === "ask";

/** The first readable page of strategy calls: what the decision was made from. */
export function seenBy(pages: readonly ReadPage[]): StrategyPage | null {
  for (const { page } of pages) if (page.ok && !isAsk(page.value)) return page.value;
  return null;
}

/** Those that can be read, oldest first. */
export const askedIn = (pages: readonly ReadPage[]): readonly AskPage[] =>
  pages.flatMap(({ page }) => (page.ok && isAsk(page.value) ? [page.value] : []));
