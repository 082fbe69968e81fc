/** One log line a minute for people: the agent's state, and the main cause when it is degraded. */
import type { AgentStatus } from "../agent/decide/status.ts";
import { dec, toWire } from "../core/decimal.ts";
import type { Log, LogFields, LogLevel } from "../core/log.ts";
import type { BudgetView } from "../llm/contract/port.ts";
import type { Cause } from "../causes/cause.ts";
import { causeText } from "../causes/cause-watch.ts";
import { counted } from "../core/words.ts";

type Seen = Pick<
  AgentStatus,
  "equityUsdt" | "floorUsdt" | "floorDistanceUsdt" | "floorState" | "dayStartEquityUsdt" | "positions" | "maxPositions"
>;

export interface HeartbeatLine {
  readonly level: LogLevel;
  readonly msg: string;
  readonly fields: LogFields;
}

export type Spend = Pick<BudgetView, "usedUsd" | "limitUsd">;

/** The most severe cause; null if there are only notices. `causes` are in order. */
export const mainCause = (causes: readonly Cause[]): Cause | null =>
  causes.find(({ severity }) => severity !== "notice") ?? null;

/** Whether openings are allowed, and if not, why. */
export function openingsText({ positions, maxPositions }: Seen, causes: readonly Cause[]): string {
  const cause = mainCause(causes);
  if (cause) return `cause: ${causeText(cause)}`;
  return positions.length >= maxPositions ? "openings wait: the position limit is reached" : "openings free";
}

/** `+3.20`, `-0.05`: a result always shows its sign. */
export const signed = (usdt: ReturnType<typeof dec>): string => `${usdt.lt(0) ? "" : "+"}${usdt.toFixed(2)}`;

/** `causes` are in order, the most severe first. */
export function heartbeat(seen: Seen, spend: Spend, causes: readonly Cause[]): HeartbeatLine {
  const cause = mainCause(causes);
  const { equityUsdt, floorUsdt, floorDistanceUsdt, dayStartEquityUsdt, floorState, positions, maxPositions } = seen;
  const day = equityUsdt && dayStartEquityUsdt ? dec(equityUsdt).sub(dayStartEquityUsdt) : null;
  const equity =
    equityUsdt && floorDistanceUsdt
      ? `equity ${dec(equityUsdt).toFixed(2)} USDT, ${dec(floorDistanceUsdt).toFixed(2)} above the floor of ${floorUsdt}`
      : "equity not read yet";
  const parts = [
    `mode ${floorState}`,
    equity,
    ...(day ? [`day ${signed(day)}`] : []),
    `${positions.length} of ${counted(maxPositions, "position")}`,
    `model ${spend.usedUsd.toFixed(3)} of ${toWire(spend.limitUsd)} USD`,
  ];
  return {
    level: floorState === "NORMAL" && cause === null ? "info" : "warn",
    msg: `${parts.join(", ")}; ${openingsText(seen, causes)}`,
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
      cause: cause?.sentence ?? null,
      part: cause?.part ?? null,
    },
  };
}

export const beatInLog = (log: Log, { level, msg, fields }: HeartbeatLine): void =>
  log.event(level, "agent.heartbeat", msg, fields);
