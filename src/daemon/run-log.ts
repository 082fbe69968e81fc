/** The log of a run as a whole: a heartbeat a minute, a line a day, and the summary at its end. */
import { toWire } from "../core/decimal.ts";
import type { Cause } from "../causes/cause.ts";
import type { DaemonSetup, Running } from "./daemon-setup.ts";
import { beatInLog, heartbeat } from "./heartbeat.ts";
import { SUMMED_KINDS, reportSummary } from "./run-summary.ts";

const HEARTBEAT_MS = 60_000;

export interface RunLog {
  /** Logs one line a day that people can collect with grep. */
  sumUpDay(): Promise<void>;
  /** Stops the heartbeats. The summary shows the causes of this instant, because the shutdown creates others. */
  stopBeating(): void;
  /** Called after the agent's end, while the journal is open. */
  sumUp(): void;
}

/** Starts with the run. */
export function startRunLog(setup: DaemonSetup, running: Running): RunLog {
  const { clock } = setup.env;
  const { agent, gateway, causes } = running;
  const startedMs = clock.nowMs();
  let causesAtEnd: readonly Cause[] = [];
  const stop = clock.every(HEARTBEAT_MS * clock.scale, () =>
    beatInLog(setup.log, heartbeat(agent.status(clock.nowMs()), gateway.budget(), causes.now())),
  );
  return {
    sumUpDay: () => Promise.resolve(reportDay(setup, running)),
    stopBeating: () => {
      stop();
      causesAtEnd = causes.now();
    },
    sumUp: () => reportRun(setup, running, { startedMs, causes: causesAtEnd }),
  };
}

function reportDay({ env, log }: DaemonSetup, { agent, gateway }: Running): void {
  const { equityUsdt, dayStartEquityUsdt, feesTodayUsdt, realizedTodayUsdt, uptime } = agent.status(env.clock.nowMs());
  const spentUsd = toWire(gateway.budget().usedUsd);
  const today = uptime.days.at(-1)?.ratio ?? uptime.ratio;
  const text = `equity ${equityUsdt ?? "?"} USDT from ${dayStartEquityUsdt ?? "?"}, realised ${realizedTodayUsdt ?? "0"}, fees ${feesTodayUsdt ?? "0"}, model ${spentUsd} USD, uptime ${(today * 100).toFixed(2)} %`;
  log.event("info", "day.summed", text, {
    equityUsdt,
    dayStartEquityUsdt,
    feesTodayUsdt,
    realizedTodayUsdt,
    spentUsd,
    uptime: today,
  });
}

/** An unreadable journal must not keep the process from ending with its true reason. */
function reportRun(
  { env, log, journal, runId, environment }: DaemonSetup,
  { agent }: Running,
  { startedMs, causes }: { readonly startedMs: number; readonly causes: readonly Cause[] },
): void {
  const nowMs = env.clock.nowMs();
  try {
    const rows = journal.rows({ kinds: SUMMED_KINDS, sinceMs: startedMs }).filter((row) => row.runId === runId);
    const ranMs = (nowMs - startedMs) / env.clock.scale;
    reportSummary(log, { rows, status: agent.status(nowMs), ranMs, causes, dataDir: environment.dataDir });
  } catch (cause) {
    log.event("warn", "agent.summed", `the run's summary failed: ${String(cause)}`);
  }
}
