/** Every metric of `/metrics`: its name, its unit and its source. docs/METRICS.md is generated from this table. */
import type { Metric, Sample } from "../faces/status/prometheus.ts";
import type { NotifyCounts } from "../notify/notifier.ts";
import type { StatusReport } from "./status-report.ts";

/** The inputs of all metrics, at one instant. */
export interface MetricFacts {
  readonly status: StatusReport;
  /** Null if no target is configured. */
  readonly notifications: NotifyCounts | null;
  readonly memory: { readonly rss: number; readonly heapUsed: number };
  readonly cpuSeconds: number;
  /** Epoch seconds. */
  readonly startedAt: number;
}

/** Adds the statistics of the process. */
export function metricFacts(status: StatusReport, notifications: NotifyCounts | null = null): MetricFacts {
  const { user, system } = process.cpuUsage();
  return {
    status,
    notifications,
    memory: process.memoryUsage(),
    cpuSeconds: (user + system) / 1_000_000,
    startedAt: performance.timeOrigin / 1_000,
  };
}

type One = number | string | boolean | null | undefined;

const value = (found: One): Sample => ({
  value: found === null || found === undefined ? null : Number(found),
});

const named = (label: string, found: readonly (readonly [string, One])[]): readonly Sample[] =>
  found.map(([name, one]) => ({ ...value(one), labels: { [label]: name } }));

/** One sample per name: 1 for the present one, else 0. */
const states = (label: string, all: readonly string[], present: string): readonly Sample[] =>
  named(
    label,
    all.map((name) => [name, name === present]),
  );

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

const FLOOR_STATES = ["NORMAL", "WARN", "HOLD", "FLATTEN", "HALT"];
const HEALTH_STATES = ["healthy", "degraded", "dead"];
const SEVERITIES = ["alarm", "degraded", "notice"] as const;

type Facts = MetricFacts;
type From = (facts: Facts) => One;

const gauge = (name: string, help: string, from: From): Metric<Facts> => ({
  name,
  kind: "gauge",
  help,
  labels: [],
  samples: (facts) => [value(from(facts))],
});

const counter = (name: string, help: string, from: From): Metric<Facts> => ({
  ...gauge(name, help, from),
  kind: "counter",
});

const labelled = (
  kind: Metric<Facts>["kind"],
  name: string,
  help: string,
  label: string,
  from: (facts: Facts) => readonly (readonly [string, One])[],
): Metric<Facts> => ({ name, kind, help, labels: [label], samples: (facts) => named(label, from(facts)) });

const account: readonly Metric<Facts>[] = [
  gauge("ballast_equity_usdt", "Equity, open positions at their marks.", ({ status }) => status.equityUsdt),
  gauge("ballast_floor_usdt", "The equity floor.", ({ status }) => status.floorUsdt),
  gauge("ballast_floor_distance_usdt", "Equity less the floor.", ({ status }) => status.floorDistanceUsdt),
  gauge(
    "ballast_day_start_equity_usdt",
    "Equity at the start of the UTC day.",
    ({ status }) => status.dayStartEquityUsdt,
  ),
  gauge(
    "ballast_realized_today_usdt",
    "Result realised in the UTC day, before fees.",
    ({ status }) => status.realizedTodayUsdt,
  ),
  gauge("ballast_fees_today_usdt", "Fees paid in the UTC day.", ({ status }) => status.feesTodayUsdt),
  gauge(
    "ballast_equity_agreed",
    "1 while the readings of equity agree, else 0: nothing is opened.",
    ({ status }) => status.equityAgreed,
  ),
  gauge("ballast_account_age_seconds", "Time since the account was last read.", ({ status }) =>
    seconds(status.accountAgeMs),
  ),
  {
    name: "ballast_floor_state",
    kind: "gauge",
    help: "1 for the current state of the floor ladder, 0 for the others.",
    labels: ["state"],
    samples: ({ status }) => states("state", FLOOR_STATES, status.floorState),
  },
];

const held: readonly Metric<Facts>[] = [
  gauge("ballast_positions", "Open positions.", ({ status }) => status.positions.length),
  gauge("ballast_positions_max", "Maximum number of positions.", ({ status }) => status.maxPositions),
  gauge("ballast_open_orders", "Open orders.", ({ status }) => status.orders.length),
  {
    name: "ballast_position_unrealized_usdt",
    kind: "gauge",
    help: "Unrealised result of an open position.",
    labels: ["symbol", "side"],
    samples: ({ status }) =>
      status.positions.map(({ symbol, side, unrealizedUsdt }) => ({
        ...value(unrealizedUsdt),
        labels: { symbol, side },
      })),
  },
  gauge(
    "ballast_unprotected_seconds",
    "Longest time that an open position has had no stop; 0 if all have one.",
    ({ status }) => seconds(status.unprotected.nowMs ?? 0),
  ),
  gauge(
    "ballast_unprotected_overdue",
    "Ended spans without a stop that were longer than the deadline, of the last 200.",
    ({ status }) => status.unprotected.overdue,
  ),
  gauge(
    "ballast_session_used_notional_usdt",
    "Used notional of the automation session.",
    ({ status }) => status.session?.usedNotional,
  ),
  gauge(
    "ballast_session_max_notional_usdt",
    "Maximum notional of the automation session.",
    ({ status }) => status.session?.maxTotalNotional,
  ),
  gauge("ballast_session_active", "1 while an automation session is active.", ({ status }) =>
    Boolean(status.session?.active),
  ),
];

const life: readonly Metric<Facts>[] = [
  {
    name: "ballast_info",
    kind: "gauge",
    help: "Always 1; the labels name the strategy, its fallback and the run.",
    labels: ["strategy", "fallback", "boot"],
    samples: ({ status: { strategy, fallback, boot: runId } }) => [
      { labels: { strategy, fallback, boot: runId }, value: 1 },
    ],
  },
  {
    name: "ballast_health_state",
    kind: "gauge",
    help: "1 for the current state of health, 0 for the others.",
    labels: ["state"],
    samples: ({ status }) => states("state", HEALTH_STATES, status.health.state),
  },
  labelled("gauge", "ballast_causes", "Current causes that limit the agent, by severity.", "severity", ({ status }) =>
    SEVERITIES.map((severity) => [
      severity,
      status.health.causes.filter((cause) => cause.severity === severity).length,
    ]),
  ),
  labelled("gauge", "ballast_stream_up", "1 while a stream is connected and fresh.", "stream", ({ status }) =>
    Object.entries(status.streams),
  ),
  gauge("ballast_uptime_ratio", "Uptime since the first heartbeat, 0 to 1.", ({ status }) => status.uptime.ratio),
  gauge(
    "ballast_uptime_window_ratio",
    "Uptime over the part of the competition that has passed, 0 to 1.",
    ({ status }) => status.uptime.window.ratio,
  ),
  gauge("ballast_uptime_left_before_95_seconds", "Allowed outage before uptime falls below 95 %.", ({ status }) =>
    seconds(status.uptime.window.leftBefore95Ms),
  ),
  gauge("ballast_uptime_left_before_90_seconds", "Allowed outage before uptime falls below 90 %.", ({ status }) =>
    seconds(status.uptime.window.leftBefore90Ms),
  ),
  gauge("ballast_last_decision_timestamp_seconds", "When the last decision was made, epoch time.", ({ status }) =>
    seconds(status.lastDecision?.atMs ?? null),
  ),
  counter(
    "ballast_decisions_failed_total",
    "Decisions of this run that the chosen strategy failed to make.",
    ({ status }) => status.failedDecisions,
  ),
  labelled("counter", "ballast_limit_evaluated_total", "Openings that a limit reviewed.", "limit", ({ status }) =>
    status.limits.map(({ limit, evaluated }) => [limit, evaluated]),
  ),
  labelled("counter", "ballast_limit_fired_total", "Openings that a limit refused or shrank.", "limit", ({ status }) =>
    status.limits.map(({ limit, fired }) => [limit, fired]),
  ),
];

const model: readonly Metric<Facts>[] = [
  gauge(
    "ballast_model_spent_today_usd",
    "Spent on the model in the budget day, reservations included.",
    ({ status }) => status.model.spentTodayUsd,
  ),
  gauge("ballast_model_last_day_usd", "The same in the last 24 hours.", ({ status }) => status.model.last24hUsd),
  gauge("ballast_model_limit_usd", "Maximum spend in a budget day.", ({ status }) => status.model.limitUsd),
  gauge("ballast_model_left_usd", "Maximum cost of the next question.", ({ status }) => status.model.leftUsd),
  labelled("counter", "ballast_model_questions_total", "Questions of this run by outcome.", "outcome", ({ status }) =>
    Object.entries(status.model.questions),
  ),
];

const processHealth: readonly Metric<Facts>[] = [
  labelled("gauge", "ballast_collection_size", "Entries of a bounded collection.", "collection", ({ status }) =>
    status.collections.map(({ name, size }) => [name, size]),
  ),
  labelled("gauge", "ballast_collection_cap", "Maximum entries of the collection.", "collection", ({ status }) =>
    status.collections.map(({ name, cap }) => [name, cap]),
  ),
  gauge("ballast_process_resident_memory_bytes", "Memory of the process.", ({ memory }) => memory.rss),
  gauge("ballast_process_heap_used_bytes", "Memory of its heap that is in use.", ({ memory }) => memory.heapUsed),
  counter("ballast_process_cpu_seconds_total", "Processor time of the process.", ({ cpuSeconds }) => cpuSeconds),
  gauge("ballast_process_start_time_seconds", "When the process started, epoch time.", ({ startedAt }) => startedAt),
];

const notifications: readonly Metric<Facts>[] = [
  labelled("counter", "ballast_notifications_sent_total", "Messages that a target accepted.", "target", (facts) =>
    ofTargets(facts, "sent"),
  ),
  labelled("counter", "ballast_notifications_failed_total", "Messages given up after retries.", "target", (facts) =>
    ofTargets(facts, "failed"),
  ),
  labelled("counter", "ballast_notifications_dropped_total", "Events dropped from a full queue.", "target", (facts) =>
    ofTargets(facts, "dropped"),
  ),
  counter(
    "ballast_notifications_strangers_total",
    "Telegram messages from chats that are not on the list.",
    ({ notifications: found }) => found?.unlisted,
  ),
];

const ofTargets = (
  { notifications: found }: Facts,
  count: "sent" | "failed" | "dropped",
): readonly (readonly [string, One])[] => (found?.targets ?? []).map((target) => [target.name, target[count]]);

export const METRICS: readonly Metric<Facts>[] = [
  ...account,
  ...held,
  ...life,
  ...model,
  ...processHealth,
  ...notifications,
];
