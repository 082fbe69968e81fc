/** A log event as one readable line for a terminal, or one JSON object for a pipe. Knows no sinks. */
import pc from "picocolors";
import type { LogEvent } from "../core/log-events.ts";
import type { LogFields, LogLevel } from "../core/log.ts";
import { isoTime } from "../core/time.ts";

/** `atMs` is epoch ms of the run's clock; `fields` may carry the decision's id as `decision`. */
export interface LogLine {
  readonly atMs: number;
  readonly level: LogLevel;
  readonly evt: LogEvent;
  readonly msg: string;
  readonly fields: LogFields;
}

/** Control characters would let a headline draw on the terminal or forge a line. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** Every control character, line separator and direction mark becomes a blank. */
export const oneLine = (text: string): string => text.replace(CONTROL, " ");

type Paint = (text: string) => string;
const plain: Paint = (text) => text;

/** `12:00:01 decision.made       LONG EXCHANGE_A_PERP_BTC_USDT at 100%  [d-1a]` */
export function readableLine(line: LogLine, colour: boolean): string {
  const paint: Record<LogLevel, Paint> = colour
    ? { debug: pc.dim, info: plain, warn: pc.yellow, error: pc.red }
    : { debug: plain, info: plain, warn: plain, error: plain };
  const time = isoTime(line.atMs).slice(11, 19);
  const decision = typeof line.fields["decision"] === "string" ? `  [${line.fields["decision"]}]` : "";
  const dim = colour ? pc.dim : plain;
  const name = (colour ? pc.cyan : plain)(line.evt.padEnd(20));
  return `${dim(time)} ${name} ${paint[line.level](oneLine(line.msg))}${dim(decision)}`;
}
