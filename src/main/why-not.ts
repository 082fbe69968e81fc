/** `ballast why-not`: why the decisions of a span opened nothing, in one sentence; or why there were none. */
import { type Group, REPORTED_BY, whyNot } from "../report/decisions/why-not.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { failedRun } from "../ops/log-file.ts";
import { openingsText } from "../daemon/heartbeat.ts";
import type { StatusReport } from "../daemon/status-report.ts";
import { type OpenJournal, withJournal } from "../control/past-journal.ts";
import { print } from "../ops/complaint.ts";
import { askAgent } from "../control/running-agent.ts";
import { configOfLastRun } from "../report/models/config.ts";
import { systemClock } from "../core/clock.ts";
import { exactSpan, formatSpan, HOUR_MS, isoTime } from "../core/time.ts";
import type { WhyNotOptions } from "../faces/cli/explain-commands.ts";
import { type WhyNotFacts, whyNotSentence, whyNotText } from "../report/decisions/why-not-text.ts";
import { readBoot } from "../rows/boot.ts";
import { readStop } from "../rows/stop.ts";

/** Rows read at a time: a week of decisions with their inputs does not fit into memory. */
const PAGE_ROWS = 1_000;

export function whyNotProgram(options: WhyNotOptions): Promise<number> {
  return withJournal(options, async (journal) => {
    const answer = await askAgent<StatusReport>(journal.dataDir, "/status");
    const live = answer.ok ? answer.body : null;
    const facts = factsOf(journal, { live, silence: answer.silence }, options.for);
    if (options.json) print(JSON.stringify({ running: live !== null, sentence: whyNotSentence(facts), ...facts }));
    else print(whyNotText(facts));
    return EXIT.ok;
  });
}

interface Asked {
  readonly live: StatusReport | null;
  /** Of an agent that runs and does not answer. */
  readonly silence: string | null;
}

function factsOf(journal: OpenJournal, { live, silence }: Asked, spanMs: number): WhyNotFacts {
  const newestMs = journal.reader.rows({ limit: 1, newest: true })[0]?.atMs ?? 0;
  // An agent on a faster practice clock is ahead of this machine.
  const toMs = live?.atMs ?? Math.max(systemClock().nowMs(), newestMs);
  const fromMs = toMs - spanMs;
  const groups = groupsSince(journal, fromMs);
  const sum = (of: readonly Group[]): number => of.reduce((total, { count }) => total + count, 0);
  const decisions = sum(groups);
  return {
    fromMs,
    toMs,
    decisions,
    opened: sum(groups.filter(({ outcome }) => outcome === "opened")),
    groups,
    none: decisions === 0 ? (live ? noneYet(journal, live) : noneThen(journal, silence, toMs)) : null,
    now: live ? nowOf(live) : (silence ?? lastRun(journal)),
  };
}

function groupsSince({ reader }: OpenJournal, fromMs: number): readonly Group[] {
  const found = whyNot();
  let sinceSeq = 0;
  for (;;) {
    const rows = reader.rows({ kinds: REPORTED_BY, sinceMs: fromMs, sinceSeq, limit: PAGE_ROWS });
    for (const row of rows) found.take(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return found.groups();
    sinceSeq = last.seq;
  }
}

function nowOf(live: StatusReport): string {
  return `the agent is ${live.stage} in mode ${live.floorState}, ${openingsText(live, live.health.causes)}`;
}

/** Why an agent that runs has not decided within the span. */
function noneYet({ reader }: OpenJournal, live: StatusReport): string {
  if (live.stage !== "ready") return `the agent is ${live.stage} (${openingsText(live, live.health.causes)})`;
  const cadence = configOfLastRun(reader)?.cadence;
  const ready = reader.rows({ kinds: ["boot"], limit: 20, newest: true }).findLast((row) => "ready" in readBoot(row));
  const sinceMs = ready ? live.atMs - ready.atMs : Infinity;
  if (cadence && sinceMs < cadence.firstAfter)
    return `the agent has been ready for ${formatSpan(sinceMs)} and first decides ${exactSpan(cadence.firstAfter)} after its start`;
  const newest = live.lastDecision;
  const last = newest ? `the last one, ${newest.decisionId}, was at ${isoTime(newest.atMs)}` : "none was made so far";
  return `${last}; the clock asks for one every ${cadence ? exactSpan(cadence.every) : "?"}`;
}

function noneThen({ reader, ...journal }: OpenJournal, silence: string | null, nowMs: number): string {
  const newest = reader.rows({ kinds: ["decision"], limit: 1, newest: true })[0];
  const ended = silence ?? lastRun({ reader, ...journal });
  if (newest === undefined) return `${ended}, and no run of this data folder has made one`;
  const hours = Math.ceil((nowMs - newest.atMs) / HOUR_MS) + 1;
  return `${ended}; to see its decisions: ballast why-not --for ${hours}h`;
}

function lastRun({ reader, dataDir }: OpenJournal): string {
  const failed = failedRun(dataDir);
  if (failed) return `no agent is running, the last run failed at ${failed.at} (${failed.why})`;
  const last = reader.rows({ limit: 1, newest: true })[0];
  if (last === undefined) return "no agent is running";
  const reason = last.kind === "stop" ? readStop(last).reason : "it was killed or it crashed";
  return `no agent is running, the last run ended at ${isoTime(last.atMs)} (${reason})`;
}
