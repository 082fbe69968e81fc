/**
 * Eras of practice: `--fresh` puts everything that the data folder knows into `eras/N` and begins with an empty one, so that
 * every command speaks of the new account without having to be told. An old era is read with `--data-dir DATA/eras/N`.
 */
import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import path from "node:path";
import { DAY_MS } from "../core/time.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Journal } from "../journal/journal.ts";
import { spendLedger, type SpendRow } from "../journal/spend-ledger.ts";
import { pinned } from "./account-pin.ts";

const ERAS = "eras";

/** What the era before leaves to the next one. */
export interface EraEnd {
  /** Where it lies now; null where there was none. */
  readonly keptIn: string | null;
  /** Model money of the last day: it is real, whatever becomes of the practice account. */
  readonly spend: readonly SpendRow[];
}

/** Ends the era in the folder. `journal` is open, which proves that no agent runs there, and is closed here. */
export function endEra(dataDir: string, journal: Journal, nowMs: number): Result<EraEnd, string> {
  const pin = pinned(journal);
  const spend = spendLedger(journal).rowsSince(nowMs - DAY_MS, 0);
  const empty = journal.opened.rows === 0;
  journal.close();
  if (pin?.venue === "service")
    return err(
      `--fresh begins a new practice account, and ${dataDir} belongs to an account at ${pin.host}. Give practice a folder of its own with --data-dir`,
    );
  if (empty) return ok({ keptIn: null, spend });
  const eras = path.join(dataDir, ERAS);
  const last = existsSync(eras) ? Math.max(0, ...readdirSync(eras).map((name) => Number(name) || 0)) : 0;
  const keptIn = path.join(eras, String(last + 1));
  mkdirSync(keptIn, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(dataDir))
    if (name !== ERAS) renameSync(path.join(dataDir, name), path.join(keptIn, name));
  return ok({ keptIn, spend });
}
