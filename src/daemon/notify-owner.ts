/** Connects the running agent to the notifier: present causes, and what the owner's chats may ask and command. */
import { randomInt } from "node:crypto";
import { causeText } from "../causes/cause-watch.ts";
import { writeCommand } from "../control/command-file.ts";
import { planNotifications } from "../control/notifications.ts";
import { systemClock } from "../core/clock.ts";
import { createNotifier, type NotifyCounts, type OngoingCondition } from "../notify/notifier.ts";
import { type ChatCommands, listen } from "../notify/telegram.ts";
import type { DaemonSetup } from "./daemon-setup.ts";
import type { StatusReport } from "./status-report.ts";
import { counted } from "../core/words.ts";

export interface OwnerNotifications {
  counts(): NotifyCounts;
  /** Sends the summary of the day. */
  sumUpDay(): Promise<void>;
  stop(): Promise<void>;
}

const UPTIME_SHORT_MS = 30 * 60_000;
const SPEND_NEAR = 0.9;

/** Causes, uptime and spend. A cause stays the same when only the figures in its sentence change. */
export function standingOf({ health, uptime, model }: StatusReport): readonly OngoingCondition[] {
  const found: OngoingCondition[] = health.causes.flatMap((cause): readonly OngoingCondition[] =>
    cause.severity === "notice"
      ? []
      : [
          {
            key: `${cause.part} ${cause.severity} ${cause.sentence.replace(/\d+/g, "#")}`,
            event: "cause",
            level: cause.severity === "alarm" ? "alarm" : "warning",
            text: causeText(cause),
          },
        ],
  );
  const minutes = Math.round(uptime.window.leftBefore95Ms / 60_000);
  if (uptime.window.leftBefore95Ms < UPTIME_SHORT_MS)
    found.push({
      key: "uptime",
      event: "uptime",
      level: "warning",
      text: `${minutes} min of outage are left before 95 %`,
    });
  const [spent, limit] = [Number(model.spentTodayUsd), Number(model.limitUsd)];
  if (limit > 0 && spent / limit > SPEND_NEAR)
    found.push({
      key: "spend",
      event: "spend",
      level: "warning",
      text: `${spent.toFixed(2)} of ${limit} USD are spent today`,
    });
  return found;
}

const CONFIRM_MS = 60_000;

const usdt = (text: string | null): string => (text === null ? "not known" : `${Number(text).toFixed(2)} USDT`);

const heldText = ({ positions }: StatusReport): string =>
  positions.length === 0
    ? "Nothing is held."
    : positions
        .map(
          ({ symbol, side, qty, avgPrice, unrealizedUsdt, stopPrice }) =>
            `${side} ${qty} ${symbol} at ${avgPrice}, unrealised ${usdt(unrealizedUsdt)}, stop ${stopPrice ?? "none"}`,
        )
        .join("\n");

/** Commands go through the same file as `ballast halt`; the agent writes the journal row when it acts on one. */
export function answersOf(
  { dataDir, nowMs, why }: { dataDir: string; nowMs: () => number; why?: (id: string) => string },
  status: () => StatusReport,
): ChatCommands {
  let asked: { readonly code: string; readonly untilMs: number } | null = null;
  return {
    status: () => {
      const { equityUsdt, floorDistanceUsdt, floorState, strategy, health, positions, uptime } = status();
      return [
        `${health.state}, mode ${floorState}, strategy ${strategy}`,
        `equity ${usdt(equityUsdt)}${floorDistanceUsdt === null ? "" : `, ${usdt(floorDistanceUsdt)} above the floor`}`,
        `${counted(positions.length, "position")}, uptime ${(uptime.window.ratio * 100).toFixed(2)} %`,
        ...health.causes.map(causeText),
      ].join("\n");
    },
    positions: () => heldText(status()),
    ...(why ? { why: (id: string) => (/^[\w-]{1,80}$/.test(id) ? why(id) : "Say which order: /why ID") } : {}),
    halt: () => {
      writeCommand(dataDir, "halt");
      return "Halt was requested.";
    },
    resume: () => {
      writeCommand(dataDir, "resume");
      return "Resume was requested.";
    },
    flatten: (given) => {
      const confirmed = asked !== null && given === asked.code && nowMs() < asked.untilMs;
      if (!confirmed) {
        asked = { code: String(randomInt(1_000, 10_000)), untilMs: nowMs() + CONFIRM_MS };
        return `${heldText(status())}\nTo close all of it and stay halted, send within a minute: /flatten ${asked.code}`;
      }
      asked = null;
      writeCommand(dataDir, "flatten");
      return "Flatten was requested.";
    },
  };
}

/** Null if no target is configured or usable. An unusable target is named in the log. */
export function notifyOwner(setup: DaemonSetup, status: () => StatusReport): OwnerNotifications | null {
  const { log, config, journal, environment, env, why } = setup;
  const settings = config.notifications;
  if (settings.targets.length === 0) return null;
  const { targets, commands, problems } = planNotifications(settings, process.env);
  for (const problem of problems) log.event("warn", "notify.failed", problem);
  if (targets.length === 0) return null;
  const clock = systemClock();
  const notifier = createNotifier({
    settings,
    targets,
    rows: (filter) => journal.rows(filter),
    afterSeq: journal.opened.rows,
    standing: () => standingOf(status()),
    clock,
    log,
  });
  const answers = answersOf({ dataDir: environment.dataDir, nowMs: clock.nowMs, ...(why ? { why } : {}) }, status);
  const listener = commands && listen(commands, answers, { clock, log });
  return {
    counts: () => ({ targets: notifier.counts(), unlisted: listener?.unlisted() ?? 0 }),
    sumUpDay: () => {
      const { equityUsdt, dayStartEquityUsdt, realizedTodayUsdt, feesTodayUsdt, positions, model } = status();
      const text = `equity ${usdt(equityUsdt)} from ${usdt(dayStartEquityUsdt)}, realised ${usdt(realizedTodayUsdt)}, fees ${usdt(feesTodayUsdt)}, ${counted(positions.length, "position")}, model ${model.spentTodayUsd} USD`;
      notifier.notify({ event: "day", level: "notice", atMs: env.clock.nowMs(), text });
      return Promise.resolve();
    },
    stop: async () => {
      listener?.stop();
      await notifier.stop();
    },
  };
}
