/**
 * The embedded venue's state in the data folder: a line for each change of its accounts, and the last prices. A line is
 * in the file before the change is acknowledged; where the disk refuses it, it waits. It is not synced to disk: a killed
 * process leaves the file whole, and practice money needs no more.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hashOf } from "../core/hash.ts";
import { err, ok, type Result } from "../core/result.ts";
import { joined, type Saved } from "../sim/exchange/persistence/saved.ts";
import { openLineFile } from "../sim/wire/line-file.ts";
import type { SavedVenue } from "../sim/options.ts";
import { practiceDir } from "./practice-record.ts";
import { readSmall, writeSmall } from "../ops/small-file.ts";

/** The terms of a practice account: if any of them changes, its positions are meaningless. */
export interface PracticeTerms {
  readonly seed: number;
  readonly profile: string;
  readonly exchanges: readonly string[];
  readonly data: string | null;
  readonly window: string | null;
}

/** The first line of the file. */
interface Head {
  readonly format: 1;
  readonly terms: PracticeTerms;
}

/** The following lines: the start of a run, or a save. */
type Line = { readonly run: string } | { readonly saved: Saved };

/** The venue's state, opened; call `close` after the venue has stopped. */
export interface PracticeState extends SavedVenue {
  close(): void;
}

const stateFile = (dataDir: string): string => path.join(practiceDir(dataDir), "venue-state.jsonl");
const pricesFile = (dataDir: string): string => path.join(practiceDir(dataDir), "prices.json");

interface Read {
  readonly head: Head;
  readonly lines: readonly Line[];
}

/** Null if there is no state yet. A last line cut off by the end of the process was never acknowledged. */
function readState(dataDir: string): Read | null {
  let text: string;
  try {
    text = readFileSync(stateFile(dataDir), "utf8");
  } catch {
    return null;
  }
  const whole = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  const [head, ...lines] = whole.filter((line) => line !== "").map((line, at) => parsed(line, at + 1, dataDir));
  return head === undefined ? null : { head: head as Head, lines: lines as Line[] };
}

function parsed(line: string, no: number, dataDir: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new RangeError(
      `line ${no} of ${stateFile(dataDir)} is damaged, so the practice account cannot continue. Begin a new one with --fresh`,
    );
  }
}

/** Whether an account is stored here. */
export const hasPracticeState = (dataDir: string): boolean => existsSync(stateFile(dataDir));

/** Runs of the journal that the practice record covers. */
export const coveredRuns = (dataDir: string): readonly string[] =>
  readState(dataDir)?.lines.flatMap((line) => ("run" in line ? [line.run] : [])) ?? [];

function differing(before: PracticeTerms, now: PracticeTerms): string {
  const names = (Object.keys(now) as (keyof PracticeTerms)[]).filter(
    (name) => hashOf(before[name]) !== hashOf(now[name]),
  );
  return names.map((name) => `${name} ${JSON.stringify(before[name])}, now ${JSON.stringify(now[name])}`).join("; ");
}

function readPrices(dataDir: string): ReadonlyMap<string, number> {
  const entries = Object.entries((readSmall(pricesFile(dataDir)) ?? {}) as Record<string, unknown>);
  return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] > 0));
}

/**
 * `runId` names the run that begins; `onTrouble` hears once when the disk refuses a save, which then waits for the next. The
 * error says what no longer fits, and what to do.
 */
export function openPracticeState(
  dataDir: string,
  terms: PracticeTerms,
  { runId, onTrouble }: { readonly runId: string; readonly onTrouble: (reason: string) => void },
): Result<PracticeState, string> {
  let before: Read | null;
  try {
    before = readState(dataDir);
  } catch (cause) {
    return err(cause instanceof Error ? cause.message : String(cause));
  }
  if (before && hashOf(before.head.terms) !== hashOf(terms)) {
    return err(
      `the practice account in ${practiceDir(dataDir)} was made under other settings (venue.embedded: ${differing(before.head.terms, terms)}). Restore them, or begin a new account with --fresh`,
    );
  }
  const runs = before?.lines.flatMap((line) => ("run" in line ? [line.run] : [])) ?? [];
  const accounts = joined(before?.lines.flatMap((line) => ("saved" in line ? [line.saved] : [])) ?? []);
  const kept: readonly (Head | Line)[] = [
    { format: 1, terms },
    ...[...runs, runId].map((run) => ({ run })),
    ...(accounts ? [{ saved: accounts }] : []),
  ];
  const textOf = (line: Head | Line): string => `${JSON.stringify(line)}\n`;
  // Merges thousands of saves into one, so that the file does not grow from run to run.
  writeFileSync(`${stateFile(dataDir)}.new`, kept.map(textOf).join(""), { mode: 0o600 });
  renameSync(`${stateFile(dataDir)}.new`, stateFile(dataDir));
  const file = openLineFile(stateFile(dataDir), onTrouble);
  return ok({
    runs: runs.length,
    accounts,
    prices: readPrices(dataDir),
    save: (saved) => file.write({ saved } satisfies Line),
    savePrices: (prices) => {
      file.retry();
      writeSmall(pricesFile(dataDir), Object.fromEntries(prices), { synced: false });
    },
    close: file.close,
  });
}
