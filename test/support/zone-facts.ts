/**
 * Everything that knows of days and hours, asked once about the same instants: printed as JSON by a process that runs in
 * some time zone. Fault C5.
 */
import { countBeat, noBeats, uptimeAt } from "../../src/agent/books/uptime.ts";
import { ConfigSchema } from "../../src/config/config.ts";
import { dec } from "../../src/core/decimal.ts";
import { DAY_MS, isoTime, MINUTE_MS, parseInstant, utcDay, utcDayStartMs } from "../../src/core/time.ts";
import { lineFormat } from "../../src/ops/log-lines.ts";
import { advance, dayStartMs, newBudget } from "../../src/llm/budget/budget.ts";
import { readKeyInfo } from "../../src/llm/budget/key-info.ts";
import { readRetryAfter } from "../../src/llm/dialects/refusal.ts";
import { phaseTwoDue, uptimeWindow } from "../../src/control/agent-settings.ts";
import { lastDue } from "../../src/control/schedules.ts";
import { monthOf } from "../../src/recorder/layout.ts";

/** Around midnights, and around hours that some zone has twice or not at all in 2026. */
const INSTANTS_MS = [
  "2025-12-31T23:59:59.999Z",
  "2026-01-01T00:00:00.000Z",
  "2026-03-08T06:30:00.000Z",
  "2026-03-29T00:59:59.000Z",
  "2026-03-29T01:00:00.000Z",
  "2026-04-04T15:15:00.000Z",
  "2026-10-25T00:30:00.000Z",
  "2026-11-01T05:30:00.000Z",
].map((text) => new Date(text).getTime());

const CRONS = ["59 23 * * *", "20 0 * * *", "30 2 * * 0", "0 1 29 3 *"].map((cron) => ({ cron }));

const competition = { start: "2026-03-29T03:00:00+02:00", phaseTwo: "2026-04-04T15:15:00Z" };
const config = ConfigSchema.parse({ competition });
function budgetDay(atMs: number): string {
  const budget = newBudget({ limitUsd: dec(10), boundaryMs: 0 });
  advance(budget, { wallMs: atMs, monotonicMs: null });
  return isoTime(dayStartMs(budget));
}

const iso = (atMs: number | null): string | null => (atMs === null ? null : isoTime(atMs));

function factsAt(atMs: number): object {
  const beats = [0, MINUTE_MS, DAY_MS].reduce((count, agoMs) => countBeat(count, atMs - DAY_MS + agoMs), noBeats);
  const due = lastDue(CRONS, atMs);
  return {
    day: utcDay(atMs),
    dayStart: isoTime(utcDayStartMs(atMs)),
    budgetDay: budgetDay(atMs),
    uptimeDays: uptimeAt(beats, atMs, uptimeWindow(config)).days,
    due: due && [due.entry.cron, isoTime(due.atMs)],
    month: monthOf(atMs),
    phaseTwo: phaseTwoDue(config, atMs),
    line: lineFormat({ colour: false, width: () => null })({
      time: isoTime(atMs),
      level: "info",
      evt: "uptime.beat",
      msg: "alive",
    }),
  };
}

const resetAt = (text: string): string | null => {
  const read = readKeyInfo({ spend: 0, budget_reset_at: text });
  return read.ok ? iso(read.value.resetAtMs) : null;
};

const facts = {
  competitionStart: iso(uptimeWindow(config).startMs),
  at: INSTANTS_MS.map(factsAt),
  parsed: ["2026-03-29T01:30:00", "2026-03-29 01:30:00.250000", "2026-03-29", "Sun, 29 Mar 2026 01:30:00 GMT"].map(
    (text) => iso(parseInstant(text)),
  ),
  resets: ["2026-03-30T00:00:00", "2026-03-30T00:00:00Z", "2026-03-30T02:00:00+02:00"].map(resetAt),
  retryAfterMs: readRetryAfter("Sun, 29 Mar 2026 01:30:00 GMT", Date.UTC(2026, 2, 29, 1)),
};

process.stdout.write(JSON.stringify({ facts, zone: new Date(Date.UTC(2026, 6, 1)).getTimezoneOffset() }));
