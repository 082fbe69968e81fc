/** Exports runs as files: equity by the minute and closed trades as CSV, the figures as JSON. */
import { accessSync, constants, writeFileSync } from "node:fs";
import path from "node:path";
import { stringify } from "csv-stringify/sync";
import { err, ok, type Result } from "../../core/result.ts";
import { isoTime } from "../../core/time.ts";
import { makeFolder } from "../../core/make-folder.ts";
import { tradeFacts } from "../../report/account/trades.ts";
import { tradesCsv } from "../../report/account/trades-text.ts";
import type { ClosedTradeRow } from "../../rows/trade.ts";
import type { TradedRun } from "../figures/run-figures.ts";
import { resultRows } from "../figures/table.ts";

const equityCsv = ({ points }: TradedRun): string =>
  stringify(
    points.map(({ atMs, equityUsdt }) => [isoTime(atMs), equityUsdt]),
    { header: true, columns: ["at", "equityUsdt"] },
  );

/** A run does not keep its decisions, so a trade that the strategy itself opened names all models that answered the run. */
const modelOf =
  ({ strategy, models }: TradedRun) =>
  (trade: ClosedTradeRow): string | null =>
    trade.strategy === strategy && models.length > 0 ? models.join(", ") : null;

/** Makes the folder that `writeRunFiles` fills, or says why it takes no files. */
export function makeRunFolder(dir: string): Result<void, string> {
  const made = makeFolder(dir);
  if (!made.ok) return err(`--out: ${made.error}`);
  try {
    accessSync(dir, constants.W_OK);
    return made;
  } catch {
    return err(`--out ${dir}: the folder takes no files from this user; name another, or make it writable`);
  }
}

/**
 * Writes `STRATEGY.equity.csv` and `STRATEGY.trades.csv` for each run, and `result.json` for all. `about` has the
 * parameters that repeat the run. Existing files of these names are overwritten. The error is for people.
 */
export function writeRunFiles(dir: string, runs: readonly TradedRun[], about: object): Result<void, string> {
  const made = makeRunFolder(dir);
  if (!made.ok) return made;
  try {
    for (const run of runs) {
      writeFileSync(path.join(dir, `${run.strategy}.equity.csv`), equityCsv(run));
      writeFileSync(
        path.join(dir, `${run.strategy}.trades.csv`),
        tradesCsv(run.trades.map((trade) => tradeFacts(trade, modelOf(run)))),
      );
    }
    const rows = resultRows(runs);
    writeFileSync(path.join(dir, "result.json"), `${JSON.stringify({ ...about, rows }, null, 2)}\n`);
    return ok(undefined);
  } catch (cause) {
    return err(`--out ${dir}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
