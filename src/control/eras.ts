/**
 * Eras of practice: `--fresh`, or a start that finds no practice account beside its journal, puts everything that the data
 * folder knows into `eras/N` and begins with an empty one, so that every command shows only the new account. An old era is
 * read with `--data-dir DATA/eras/N`. A note says how far the change has come, so that a start after a crash finishes it.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { err, ok, type Result } from "../core/result.ts";
import { DAY_MS } from "../core/time.ts";
import type { Journal } from "../journal/journal.ts";
import { readJournal } from "../journal/reader.ts";
import { pinned } from "./account-pin.ts";
import { journalPath } from "../ops/run-file.ts";
import { readSmall, writeSmall } from "../ops/small-file.ts";
import { modelReserveRow, readModelReserve } from "../rows/model-reserve.ts";
import { modelSettleRow, readModelSettle } from "../rows/model-settle.ts";
import type { JournalRow, RowValue } from "../rows/row.ts";

const ERAS = "eras";
/** Belongs to the folder and not to the account: crash loops are counted over eras too. */
const STAYS: ReadonlySet<string> = new Set([ERAS, "boot.json"]);
const SPEND = ["model-reserve", "model-settle"] as const;
/** The model budget looks back this far. */
const SPEND_BACK_MS = 3 * DAY_MS;

/** A change under way: files move to `era`, then its spending is carried into the new journal. */
interface Change {
  readonly era: number;
  readonly stage: "moving" | "moved";
}

const noteFile = (dataDir: string): string => path.join(dataDir, ERAS, "change.json");
const eraDir = (dataDir: string, era: number): string => path.join(dataDir, ERAS, String(era));

function changeIn(dataDir: string): Change | null {
  const found = readSmall(noteFile(dataDir)) as Partial<Change> | null;
  const { era, stage } = found ?? {};
  return typeof era === "number" && (stage === "moving" || stage === "moved") ? { era, stage } : null;
}

/** Moves the files still to be moved. Call it before opening the journal; it does nothing when no era is ending. */
export function finishMoving(dataDir: string): void {
  const change = changeIn(dataDir);
  if (change?.stage !== "moving") return;
  const to = eraDir(dataDir, change.era);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(dataDir)) {
    if (!STAYS.has(name)) renameSync(path.join(dataDir, name), path.join(to, name));
  }
  writeSmall(noteFile(dataDir), { ...change, stage: "moved" }, { synced: true });
}

/** Ends the era in the folder. `journal` is open, which proves that no agent runs there, and is closed here. */
export function endEra(dataDir: string, journal: Journal): Result<void, string> {
  const pin = pinned(journal);
  const empty = journal.opened.rows === 0;
  journal.close();
  if (pin && pin.venue !== "embedded")
    return err(
      `--fresh begins a new practice account, and ${dataDir} belongs to an account at ${pin.host}. Give the practice account its own folder with --data-dir`,
    );
  if (empty) return ok(undefined);
  const eras = path.join(dataDir, ERAS);
  mkdirSync(eras, { recursive: true, mode: 0o700 });
  const last = Math.max(0, ...readdirSync(eras).map((name) => Number(name) || 0));
  writeSmall(noteFile(dataDir), { era: last + 1, stage: "moving" }, { synced: true });
  finishMoving(dataDir);
  return ok(undefined);
}

/**
 * Carries the model spending of the previous era into the new journal: that money is real, the practice account is not.
 * Returns the folder of that era; null when none has just ended.
 */
export function beginEra(dataDir: string, journal: Journal, nowMs: number): string | null {
  const change = changeIn(dataDir);
  if (change?.stage !== "moved") return null;
  const keptIn = eraDir(dataDir, change.era);
  const before = journalPath(keptIn);
  const carried = journal.rows({ kinds: SPEND, limit: 1 }).length > 0;
  if (!carried && existsSync(before)) {
    const reader = readJournal(before);
    try {
      const rows = reader.rows({ kinds: SPEND, sinceMs: nowMs - SPEND_BACK_MS });
      if (rows.length > 0) journal.appendMany(rows.map(again));
    } finally {
      reader.close();
    }
  }
  rmSync(noteFile(dataDir), { force: true });
  return keptIn;
}

/** A model spending row, to be written again unchanged. */
const again = (row: JournalRow): RowValue =>
  row.kind === "model-reserve" ? modelReserveRow(readModelReserve(row)) : modelSettleRow(readModelSettle(row));
