/**
 * Append-only files in a folder of bounded size: lines are appended whole, a torn last line of an earlier run is cut
 * off, and beyond the quota the oldest month is removed. Only the recorder's own files are touched.
 */
import { appendFile, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { monthIn } from "./layout.ts";

const TAIL_BYTES = 64 * 1024;

/** The last whole line of a file, and its length after a torn end is cut off. Null if there is no such file. */
async function mendTail(file: string): Promise<{ readonly lastLine: string; readonly size: number } | null> {
  const handle = await open(file, "r+").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return null;
    throw cause;
  });
  if (!handle) return null;
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const tail = Buffer.alloc(size - from);
    await handle.read(tail, 0, tail.length, from);
    const end = tail.lastIndexOf(10) + 1;
    if (from + end < size) await handle.truncate(from + end);
    const lines = tail.subarray(0, end).toString("utf8").trimEnd().split("\n");
    return { lastLine: lines.at(-1) ?? "", size: from + end };
  } finally {
    await handle.close();
  }
}

/** A file as this run first found it; kept until its month is over. */
export interface OpenFile {
  /** The last line that was there before; empty for a new file. */
  readonly lastLine: string;
}

/** A folder of append-only files. Make calls one after the other. */
export class GrowingFolder {
  readonly dir: string;
  readonly #quotaBytes: number;
  readonly #open = new Map<string, OpenFile>();
  bytes = 0;

  constructor(dir: string, quotaBytes: number) {
    this.dir = dir;
    this.#quotaBytes = quotaBytes;
  }

  /** Creates the folder and measures its contents. */
  async prepare(): Promise<void> {
    await mkdir(this.dir, { recursive: true });
    this.bytes = (await this.#files()).reduce((sum, file) => sum + file.bytes, 0);
  }

  /** Opens a file for appending; a new one begins with `header`. */
  async opened(file: string, header: string | null): Promise<OpenFile> {
    const known = this.#open.get(file);
    if (known) return known;
    const full = path.join(this.dir, file);
    await mkdir(path.dirname(full), { recursive: true });
    const found = await mendTail(full);
    const made = { lastLine: found?.lastLine ?? "" };
    if (!found || found.size === 0) await this.#append(full, header === null ? "" : `${header}\n`);
    this.#open.set(file, made);
    return made;
  }

  append(file: string, text: string): Promise<void> {
    return this.#append(path.join(this.dir, file), text);
  }

  /**
   * Removes the oldest months until the folder fits, never the present one. If `fits` is false, nothing more may be
   * written.
   */
  async prune(presentMonth: string): Promise<{ readonly fits: boolean; readonly removed: readonly string[] }> {
    const removed: string[] = [];
    while (this.bytes > this.#quotaBytes) {
      const files = (await this.#files()).filter(({ month }) => month < presentMonth);
      const oldest = files.map(({ month }) => month).sort()[0];
      if (oldest === undefined) return { fits: false, removed };
      for (const file of files.filter(({ month }) => month === oldest)) {
        await rm(path.join(this.dir, file.name), { force: true });
        this.#open.delete(file.name);
        this.bytes -= file.bytes;
      }
      removed.push(oldest);
    }
    return { fits: true, removed };
  }

  get fileCount(): number {
    return this.#open.size;
  }

  /** Forgets files of past months. */
  forget(presentMonth: string): void {
    for (const name of this.#open.keys()) if ((monthIn(name) ?? presentMonth) < presentMonth) this.#open.delete(name);
  }

  async #append(full: string, text: string): Promise<void> {
    if (text === "") return;
    await appendFile(full, text);
    this.bytes += Buffer.byteLength(text);
  }

  async #files(): Promise<{ name: string; month: string; bytes: number }[]> {
    const entries = await readdir(this.dir, { recursive: true, withFileTypes: true });
    const files: { name: string; month: string; bytes: number }[] = [];
    for (const entry of entries) {
      const full = path.join(entry.parentPath, entry.name);
      const name = path.relative(this.dir, full);
      const month = entry.isFile() ? monthIn(name) : null;
      if (month !== null) files.push({ name, month, bytes: (await stat(full)).size });
    }
    return files;
  }
}
