/** One line a minute for a person who only glances at the log: how it stands, and what keeps it from opening. */
import type { AgentStatus } from "../agent/status.ts";
import { dec, toWire } from "../core/decimal.ts";
import type { Log, LogFields, LogLevel } from "../core/log.ts";
import type { BudgetView } from "../llm/port.ts";

type Seen = Pick<
  AgentStatus,
  | "stage"
  | "equityUsdt"
  | "floorUsdt"
  | "floorDistanceUsdt"
  | "floorState"
  | "floorReason"
  | "dayStartEquityUsdt"
  | "positions"
  | "maxPositions"
  | "holds"
  | "observing"
  | "streams"
  | "entriesBlocked"
>;

export interface Heartbeat {
  readonly level: LogLevel;
  readonly msg: string;
  readonly fields: LogFields;
}

export type Spend = Pick<BudgetView, "usedUsd" | "limitUsd">;

/** What keeps the agent from opening anything at this instant; the cause before its consequences. Null while nothing does. */
export function blockedBy(seen: Seen): string | null {
  const { stage, floorState, floorReason, holds, observing, streams, entriesBlocked, positions, maxPositions } = seen;
  const down = Object.entries(streams).flatMap(([name, up]) => (up ? [] : [name]));
  const isShut = floorState !== "NORMAL" && floorState !== "WARN";
  const causes = [
    ...(isShut ? [`${floorState}: ${floorReason}`] : []),
    ...Object.entries(holds).map(([cause, reason]) => `${cause}: ${reason}`),
    ...(down.length > 0 ? [`no ${down.join(", ")} stream`] : []),
    ...(stage === "ready" ? [] : [`the agent is ${stage}`]),
    ...(observing === null ? [] : [observing]),
    ...(entriesBlocked === null ? [] : [entriesBlocked.reason]),
    ...(positions.length >= maxPositions ? ["all positions are taken"] : []),
  ];
  return causes[0] ?? null;
}

/** `+3.20`, `-0.05`: a result always has its sign. */
export const signed = (usdt: ReturnType<typeof dec>): string => `${usdt.lt(0) ? "" : "+"}${usdt.toFixed(2)}`;

/** `cause` is what blocks openings, if anything does. */
export function heartbeat(seen: Seen, spend: Spend, cause: string | null = blockedBy(seen)): Heartbeat {
  const { equityUsdt, floorUsdt, floorDistanceUsdt, dayStartEquityUsdt, floorState, positions, maxPositions } = seen;
  const day = equityUsdt && dayStartEquityUsdt ? dec(equityUsdt).sub(dayStartEquityUsdt) : null;
  const equity =
    equityUsdt && floorDistanceUsdt
      ? `equity ${dec(equityUsdt).toFixed(2)} USDT, ${dec(floorDistanceUsdt).toFixed(2)} above the floor of ${floorUsdt}`
      : "equity not read yet";
  const parts = [
    floorState,
    equity,
    ...(day ? [`day ${signed(day)}`] : []),
    `${positions.length} of ${maxPositions} positions`,
    `model ${spend.usedUsd.toFixed(3)} of ${toWire(spend.limitUsd)} USD`,
    cause === null ? "openings free" : `openings blocked: ${cause}`,
  ];
  return {
    level: floorState === "NORMAL" ? "info" : "warn",
    msg: parts.join(", "),
    fields: {
      mode: floorState,
      equityUsdt,
      floorUsdt,
      floorDistanceUsdt,
      dayUsdt: day && toWire(day),
      positions: positions.length,
      maxPositions,
      modelSpentUsd: toWire(spend.usedUsd.toDecimalPlaces(6)),
      modelLimitUsd: toWire(spend.limitUsd),
      blockedBy: cause,
    },
  };
}

/** Writes it. */
export const beatInLog = (log: Log, { level, msg, fields }: Heartbeat): void =>
  log.event(level, "agent.heartbeat", msg, fields);
