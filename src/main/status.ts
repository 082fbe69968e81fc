/** `ballast status`: from the running agent's endpoint, otherwise from the journal, stating which. */
import { existsSync } from "node:fs";
import { usedToday } from "../report/budget/day.ts";
import { nothingIn } from "../control/past-journal.ts";
import { askAgent, dataDirOf, noAgent } from "../control/running-agent.ts";
import { phaseOfLastRun } from "../report/models/config.ts";
import { complain } from "../ops/complaint.ts";
import { EXIT } from "../ops/exit-codes.ts";
import type { Health } from "../daemon/health.ts";
import { failedRun } from "../ops/log-file.ts";
import { journalPath, readRunCard } from "../ops/run-file.ts";
import type { StatusReport } from "../daemon/status-report.ts";
import { systemClock } from "../core/clock.ts";
import { toWire } from "../core/decimal.ts";
import { isoTime } from "../core/time.ts";
import { DEFAULT_WINDOW, uptimeAt, type UptimeView } from "../agent/books/uptime.ts";
import type { Config } from "../config/config.ts";
import { atStart, phaseDates, uptimeWindow } from "../control/agent-settings.ts";
import { ownScoring } from "../control/scoring-file.ts";
import { type LiveScore, liveScore, phaseSpan } from "../domain/live-score.ts";
import { positionOf } from "../domain/position.ts";
import { restoreShown, type RestoredShown } from "../restore/restore-shown.ts";
import { pastStatusText } from "../report/status/past-text.ts";
import { fitColumns, statusText } from "../report/status/text.ts";
import { readJournal } from "../journal/reader.ts";
import { readEquity } from "../rows/equity.ts";
import type { StatusOptions } from "../faces/cli/operator-commands.ts";

const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

/** A health check has a limit of its own; an answer that takes longer is none. */
const HEALTHY_WITHIN_MS = 4_000;
const WATCH_EVERY_MS = 2_000;
/** Clears the screen and goes to its first line. */
const CLEAR = "\u001b[2J\u001b[H";

/** With `health` exit code 1 unless an agent answers and is not dead; with `watch` it ends with Ctrl-C. */
export async function statusProgram(options: StatusOptions): Promise<number> {
  if (!options.watch) return statusOnce(options);
  const clock = systemClock();
  for (;;) {
    // Without a terminal the reports follow each other.
    if (process.stdout.isTTY && !options.json) process.stdout.write(CLEAR);
    await statusOnce(options);
    await clock.sleep(WATCH_EVERY_MS);
  }
}

/** Exit code 1 if no agent runs. */
export async function openProgram(options: StatusOptions): Promise<number> {
  const dataDir = dataDirOf(options);
  const card = readRunCard(dataDir);
  const answer = await askAgent(dataDir, "/health");
  if (!card || answer.body === null) return complain(answer.silence ?? noAgent(options));
  const { port } = new URL(card.statusUrl);
  const tunnel = `ssh -N -L ${port}:127.0.0.1:${port} HOST`;
  if (options.json) print({ url: `${card.statusUrl}/`, tunnel });
  else
    process.stdout.write(
      `${card.statusUrl}/\nFrom another machine: ${tunnel}, then open http://127.0.0.1:${port}/ there\n`,
    );
  return EXIT.ok;
}

async function statusOnce(options: StatusOptions): Promise<number> {
  const dataDir = dataDirOf(options);
  if (options.health) {
    const health = await askAgent<Health>(dataDir, "/health", HEALTHY_WITHIN_MS);
    const { state, reason } = health.body ?? { state: "dead", reason: health.silence ?? "no agent answers" };
    if (options.json) print({ ok: health.ok, state, reason });
    else process.stdout.write(`${state}: ${reason}\n`);
    return health.ok ? EXIT.ok : EXIT.failed;
  }
  const live = await askAgent<StatusReport>(dataDir, "/status");
  if (live.ok) {
    if (options.json) print({ running: true, ...live.body });
    else process.stdout.write(fitColumns(statusText(live.body)));
    return EXIT.ok;
  }
  return fromJournal(options, live.silence);
}

/** `silence` is that of an agent which runs and does not answer; null where none runs. */
function fromJournal({ json, ...options }: StatusOptions, silence: string | null): number {
  const dataDir = dataDirOf(options);
  const file = journalPath(dataDir);
  if (!existsSync(file)) {
    return complain(silence ?? nothingIn(options));
  }
  const reader = readJournal(file);
  try {
    const last = (kind: "equity" | "beat" | "floor" | "stop" | "decision") => {
      const row = reader.latest(kind);
      return row ? { atMs: row.atMs, at: isoTime(row.atMs), decision: row.decisionId, body: row.body } : null;
    };
    // A failed start logs its reason, and no agent is left to ask.
    const failed = failedRun(dataDir);
    const nowMs = systemClock().nowMs();
    const known = restoreShown(reader, nowMs);
    const config = phaseOfLastRun(reader);
    const uptime = uptimeAt(known.uptime, nowMs, config ? uptimeWindow(config) : DEFAULT_WINDOW);
    const lastEquity = reader.latest("equity");
    // Named as in a running agent's answer wherever both know a figure.
    const report = {
      running: silence !== null,
      silence,
      failed,
      journal: file,
      rows: reader.count(),
      equityUsdt: lastEquity ? toWire(readEquity(lastEquity).equityUsdt) : null,
      equity: last("equity"),
      floorState: known.floor,
      positions: [...known.positions].map(([positionKey, { position, meta }]) => ({
        ...positionOf(positionKey),
        qty: toWire(position.qty),
        avgPrice: toWire(position.avgPrice),
        strategy: meta.strategy,
        thesis: meta.thesis,
        stopPrice: meta.stopPrice && toWire(meta.stopPrice),
        openedAtMs: meta.openedAtMs,
      })),
      undecidedIntents: known.openIntents.length,
      // An agent on a faster practice clock is ahead of this machine: use the day of its last row.
      spentTodayUsd: toWire(usedToday(reader, Math.max(nowMs, reader.rows({ limit: 1, newest: true })[0]?.atMs ?? 0))),
      uptime,
      score: scoreAt(known, { config, uptime, nowMs }),
      lastBeat: last("beat"),
      floor: last("floor"),
      stopped: last("stop"),
      lastDecision: last("decision"),
    };
    if (json) print(report);
    else {
      if (failed) process.stdout.write(`FAILED ${failed.why} (${failed.at})\n`);
      const who = silence === null ? "No agent is running" : sentence(silence);
      process.stdout.write(pastStatusText(who, report));
    }
    return EXIT.ok;
  } finally {
    reader.close();
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

interface Ended {
  readonly config: Pick<Config, "phase" | "competition"> | null;
  readonly uptime: UptimeView;
  readonly nowMs: number;
}

/** The score at the end of the last run, without the venue's published figures. */
function scoreAt(
  { hourly, uptime: { firstBeatMs } }: RestoredShown,
  { config, uptime, nowMs }: Ended,
): LiveScore | null {
  if (!config) return null;
  const { phase } = atStart(config, nowMs);
  return liveScore({
    ...{ nowMs, phase, span: phaseSpan(phase, phaseDates(config), firstBeatMs), hours: hourly.hours() },
    equityUsdt: hourly.last()?.equityUsdt ?? null,
    uptime: uptime.window,
    scoring: ownScoring(),
    ranking: null,
  });
}
