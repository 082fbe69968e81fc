/** The pages of a decision, read back: what each call of a strategy was given, and what each model was asked. */
import { fieldsOf, numberIn, textIn } from "../journal/fields.ts";
import { type PageRow, pagesDir, readPage } from "../journal/page-store.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow } from "../journal/rows.ts";
import type { Snapshot } from "../context/snapshot.ts";
import type { AskedText } from "../llm/port.ts";
import type { Replies } from "../strategy/strategy.ts";
import { err, ok, type Result } from "../core/result.ts";

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
  /** The reply was given to an earlier, equal question: its echo word is that one's. */
  readonly cached: boolean;
  readonly asked: AskedText;
  readonly replyText: string | null;
}

/** One `snapshot` row; `call` is empty where the row does not say. */
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
  const call = textIn(row.body, "call") ?? "";
  return { seq: row.seq, atMs: row.atMs, call, page: read(row, dataDir) };
}

function read(row: JournalRow, dataDir: string): Result<StrategyPage | AskPage, string> {
  const named = pageRow(row);
  if (!named) return err(`row ${row.seq} names no page`);
  const page = readPage(pagesDir(dataDir), named);
  if (!page.ok) return page;
  const known = typeof fieldsOf(page.value)["call"] === "string";
  return known ? ok(page.value as StrategyPage | AskPage) : err(`the page of row ${row.seq} is of an unknown form`);
}

function pageRow({ body }: JournalRow): PageRow | null {
  const [page, sha256, chars] = [textIn(body, "page"), textIn(body, "sha256"), numberIn(body, "chars")];
  return page === null || sha256 === null ? null : { page, sha256, chars: chars ?? 0 };
}

/** Tells a question to a model from a call of a strategy. */
export const isAsk = (page: StrategyPage | AskPage): page is AskPage => page.call === "ask";

/** The first readable page of strategy calls: what the decision was made from. */
export function seenBy(pages: readonly ReadPage[]): StrategyPage | null {
  for (const { page } of pages) if (page.ok && !isAsk(page.value)) return page.value;
  return null;
}

/** Those that can be read, oldest first. */
export const askedIn = (pages: readonly ReadPage[]): readonly AskPage[] =>
  pages.flatMap(({ page }) => (page.ok && isAsk(page.value) ? [page.value] : []));
