/**
 * Pages beside the journal that hold what a decision saw and what a model was asked: one compressed file for each, named in
 * a row with its hash, so that a changed page is detected. Bounded by age, count and size; the rows stay.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzip, gzipSync } from "node:zlib";
import { sha256 } from "../core/hash.ts";
import { err, ok, type Result } from "../core/result.ts";
import { DAY_MS } from "../core/time.ts";
import { decodePage, encodePage } from "./page-codec.ts";

/** The body of a `snapshot` row. */
export interface PageRow {
  readonly page: string;
  /** SHA-256 of the page's text before compression. */
  readonly sha256: string;
  readonly chars: number;
}

/** The limits of the folder. Age comes from file times; `maxBytes` counts compressed bytes. */
export interface PageBounds {
  readonly maxAgeMs: number;
  readonly maxFiles: number;
  readonly maxBytes: number;
}

/** Only writes; a page is read back by `readPage` and the row that names it. */
export interface PageStore {
  /** Encodes at once and returns the row's contents; `written` resolves when the file is on the disk, or says why not. */
  put(page: string, value: unknown): { readonly row: PageRow; readonly written: Promise<Result<void, string>> };
}

const PAGE_BOUNDS: PageBounds = { maxAgeMs: 14 * DAY_MS, maxFiles: 20_000, maxBytes: 512 * 1024 * 1024 };
/** The folder is pruned once in this many pages. */
const PRUNE_EVERY = 50;
const PAGE_MAX_BYTES = 64 * 1024 * 1024;
const ENDING = ".json.gz";

const compress = promisify(gzip);

/** Beside `journal.db` in the data folder. */
export const pagesDir = (dataDir: string): string => path.join(dataDir, "pages");

const fileOf = (dir: string, page: string): string =>
  path.join(dir, `${page.replace(/[^A-Za-z0-9._-]/g, "_")}${ENDING}`);

/** All members are optional. The default `bounds` are 14 days, 20,000 files and 512 MiB. */
export interface PageStoreOptions {
  readonly bounds?: PageBounds;
  /** Masks secrets, as in the rows: applied to every text before it is hashed and written. */
  readonly redact?: (text: string) => string;
  /** A page is on the disk when `put` returns: for virtual time, in which nothing may wait for a disk. */
  readonly atOnce?: boolean;
}

/** A store in `dir`, which is created with the first page. The bounds are enforced at every fiftieth page. */
export function openPageStore(
  dir: string,
  { bounds = PAGE_BOUNDS, redact, atOnce = false }: PageStoreOptions = {},
): PageStore {
  let count = 0;
  const keep = async (page: string, text: string): Promise<Result<void, string>> => {
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      if (count++ % PRUNE_EVERY === 0) prune(dir, bounds);
      const file = fileOf(dir, page);
      const packed = atOnce ? gzipSync(text, { level: 5 }) : await compress(text, { level: 5 });
      if (atOnce) writeFileSync(`${file}.new`, packed, { mode: 0o600 });
      else await writeFile(`${file}.new`, packed, { mode: 0o600 });
      renameSync(`${file}.new`, file);
      return ok(undefined);
    } catch (error) {
      return err(error instanceof Error ? error.message : String(error));
    }
  };
  return {
    put: (page, value) => {
      const text = encodePage(value, redact);
      return { row: { page, sha256: sha256(text), chars: text.length }, written: keep(page, text) };
    },
  };
}

/** Removes the oldest pages until all three bounds hold; ages are counted from the newest page. */
export function prune(dir: string, bounds: PageBounds): void {
  const files = readdirSync(dir)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => ({ file: path.join(dir, name), ...factsOf(path.join(dir, name)) }))
    .sort((a, b) => b.atMs - a.atMs);
  const newestMs = files[0]?.atMs ?? 0;
  let bytes = 0;
  for (const [index, { file, atMs, size }] of files.entries()) {
    bytes += size;
    if (index >= bounds.maxFiles || bytes > bounds.maxBytes || newestMs - atMs > bounds.maxAgeMs)
      rmSync(file, { force: true });
  }
}

function factsOf(file: string): { atMs: number; size: number } {
  const facts = statSync(file, { throwIfNoEntry: false });
  return { atMs: facts?.mtimeMs ?? 0, size: facts?.size ?? 0 };
}

/** The end of the error text for a page that no longer exists, as opposed to one that was changed. */
export const PAGE_GONE = "is gone: pages are kept for a while only";

/** The page that a row names. Errors say what is wrong: gone, unreadable, or not what was written. */
export function readPage(dir: string, row: Pick<PageRow, "page" | "sha256">): Result<unknown, string> {
  const file = fileOf(dir, row.page);
  try {
    const text = gunzipSync(readFileSync(file), { maxOutputLength: PAGE_MAX_BYTES });
    if (sha256(text) !== row.sha256) return err(`${file} is not the page that the journal names: its hash differs`);
    return ok(decodePage(text.toString("utf8")));
  } catch (error) {
    const gone = (error as { code?: unknown }).code === "ENOENT";
    return err(gone ? `${file} ${PAGE_GONE}` : `${file}: ${String(error)}`);
  }
}
