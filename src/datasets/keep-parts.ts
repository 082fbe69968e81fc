/**
 * Puts files into a data folder, all or none: they are written aside and appear by renaming. What a killed run left aside is
 * cleared by the next one.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeFolder, SHARED } from "../core/make-folder.ts";
import { err, ok, type Result } from "../core/result.ts";

/** A file, or a folder of files by name, each made when it is written. `target` is relative to the data folder. */
export interface DataPart {
  readonly target: string;
  readonly content: (() => Buffer) | ReadonlyMap<string, () => Buffer>;
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** The last part appears last: a window of candles, if any, should be it. The error says what to do. */
export function keepParts(dir: string, parts: readonly DataPart[]): Result<void, string> {
  const there = parts.find(({ target }) => existsSync(path.join(dir, target)));
  if (there)
    return err(`${path.join(dir, there.target)} exists already; move it away, or write to another folder with --out`);
  for (const folder of [dir, ...parts.map(({ target }) => path.join(dir, path.dirname(target)))]) {
    const made = makeFolder(folder, SHARED);
    if (!made.ok) return made;
  }
  const aside = path.join(dir, `.import-${process.pid}`);
  const appeared: string[] = [];
  try {
    sweepAside(dir);
    mkdirSync(aside);
    parts.forEach(({ content }, at) => writeDraft(path.join(aside, String(at)), content));
    parts.forEach(({ target }, at) => {
      renameSync(path.join(aside, String(at)), path.join(dir, target));
      appeared.push(target);
    });
    return ok(undefined);
  } catch (cause) {
    for (const target of appeared) rmSync(path.join(dir, target), { recursive: true, force: true });
    return err(`${dir}: ${messageOf(cause)}. Nothing was kept.`);
  } finally {
    clearAside(aside);
  }
}

function clearAside(aside: string): void {
  try {
    rmSync(aside, { recursive: true, force: true });
  } catch {
    // Nothing reads it, and the next import clears it; the result of this one is what counts.
  }
}

function writeDraft(draft: string, content: DataPart["content"]): void {
  if (typeof content === "function") return writeFileSync(draft, content());
  mkdirSync(draft);
  for (const [name, made] of content) writeFileSync(path.join(draft, name), made());
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
}

function sweepAside(dir: string): void {
  for (const name of readdirSync(dir)) {
    const pid = /^\.import-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid))))
      rmSync(path.join(dir, name), { recursive: true, force: true });
  }
}
