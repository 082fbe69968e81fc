/** The candles of one file, with everything that is wrong with them: nothing stops at the first fault. */
import { exactSpan, isoTime } from "../core/time.ts";

export const CANDLE_HEADER = "open_time_ms,open,high,low,close,volume";

/** What is wrong, and where. A `fault` makes playback refuse or mislead; a `warning` is for a person to judge. */
export interface DataIssue {
  readonly severity: "fault" | "warning";
  readonly place: string;
  readonly text: string;
}

/** Good rows only, in the order of the file. */
export interface CandleRows {
  readonly times: readonly number[];
  readonly closes: readonly number[];
  readonly missing: number;
  readonly findings: readonly DataIssue[];
}

/** A close this many times the one before within one candle is hardly a trade. */
const LEAP = 1.6;
const IDLE_SHARE = 0.5;
const FAULTS_OF_A_KIND = 5;
const FIGURE = /^\d{1,30}(\.\d{1,30})?$/;

/** `place` names the file in findings. */
export function readCandleRows(lines: readonly string[], place: string, intervalMs: number): CandleRows {
  const findings: DataIssue[] = [];
  const counts = new Map<string, number>();
  const fault = (line: number, kind: string, text: string): void => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count <= FAULTS_OF_A_KIND) findings.push({ severity: "fault", place: `${place}:${line}`, text });
  };
  const warn = (text: string): void => void findings.push({ severity: "warning", place, text });
  const [times, closes]: [number[], number[]] = [[], []];
  if (lines[0] !== CANDLE_HEADER) fault(1, "header", `the first line must be ${CANDLE_HEADER}`);
  let [missing, idle, longest, longestFrom] = [0, 0, 0, 0];
  for (let at = 1; at < lines.length; at++) {
    const cells = (lines[at] ?? "").split(",");
    const line = at + 1;
    if (cells.length !== 6 || !cells.every((cell) => FIGURE.test(cell))) {
      fault(line, "figures", `expected six plain figures, found ${JSON.stringify(lines[at])}`);
      continue;
    }
    const [openMs = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = cells.map(Number);
    if (openMs < 1e12 || openMs >= 1e14) fault(line, "epoch", `${cells[0] ?? ""} is not a time in epoch milliseconds`);
    else if (openMs % intervalMs !== 0)
      fault(line, "grid", `${isoTime(openMs)} is not the start of a candle of ${exactSpan(intervalMs)}`);
    if (low <= 0) fault(line, "prices", "prices must be above zero");
    if (low > Math.min(open, close) || high < Math.max(open, close))
      fault(line, "bar", "impossible: open and close must lie between low and high");
    const before = times.at(-1);
    if (before !== undefined && openMs === before) {
      fault(line, "twice", `${isoTime(openMs)} is there twice`);
      continue;
    }
    if (before !== undefined && openMs < before) {
      fault(line, "order", `${isoTime(openMs)} comes after ${isoTime(before)}: times must rise from row to row`);
      continue;
    }
    const gap = before === undefined ? 0 : Math.round((openMs - before) / intervalMs) - 1;
    missing += gap;
    if (gap > longest) [longest, longestFrom] = [gap, (before ?? 0) + intervalMs];
    const last = closes.at(-1);
    const leap = last === undefined || close <= 0 ? 1 : Math.max(close / last, last / close);
    if (leap > LEAP && gap === 0)
      warn(
        `at ${isoTime(openMs)} the price goes from ${last ?? ""} to ${close} within a candle: a crash, a split or a wrong figure`,
      );
    if (volume === 0) idle += 1;
    times.push(openMs);
    closes.push(close);
  }
  for (const [kind, count] of counts)
    if (count > FAULTS_OF_A_KIND)
      findings.push({
        severity: "fault",
        place,
        text: `${count - FAULTS_OF_A_KIND} more rows have the same fault as the last one named (${kind})`,
      });
  if (missing > 0)
    warn(
      `${missing} candles are missing, most in a row from ${isoTime(longestFrom)} (${exactSpan(longest * intervalMs)}): a backtest halts the symbol there`,
    );
  if (idle > IDLE_SHARE * times.length && times.length > 0)
    warn(`${Math.round((100 * idle) / times.length)} % of the candles have no volume: nothing would trade there`);
  return { times, closes, missing, findings };
}
