/**
 * A log event as readable text, for terminals and for `ballast logs`. Reads the very object that a pipe gets as JSON, so
 * that both forms say the same. Knows no sinks.
 */
import pretty from "pino-pretty";
import type { LogLevel } from "../core/log.ts";
import { oneLine } from "../core/safe-text.ts";
import { wrapText } from "../core/wrap-text.ts";

/** One event as a line of JSON has it; fields of its own stand beside these. */
export interface LogRecord {
  readonly level: LogLevel;
  /** ISO, UTC. */
  readonly time: string;
  readonly evt: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** `width` is asked for at every line: a terminal may be resized. Null where lines are not broken. */
export interface LineStyle {
  readonly colour: boolean;
  width(): number | null;
}

/** Continuation lines begin below the name of the event. */
const INDENT = 10;
const NAME_WIDTH = 20;
/** A narrower terminal shows one word a line at best; its own wrapping is no worse. */
const WIDTH_MIN = 40;

const MARK: Record<LogLevel, string> = { debug: "", info: "", warn: "WARN ", error: "ERROR " };

/**
 * `2026-11-23 12:00:01Z decision.made        LONG EXCHANGE_A_PERP_BTC_USDT at 100%  [d-1a]`; the date stands on the first
 * line of each UTC day. The returned function remembers the day, so each output has one of its own.
 */
export function lineFormat(style: LineStyle): (record: LogRecord) => string {
  let day = "";
  const format = pretty.prettyFactory({
    colorize: style.colour,
    // The message holds the whole line; without this the library paints all of it.
    customColors: "message:reset",
    // What the library would print by itself, before the message or after it.
    ignore: "time,level,name,pid,hostname,caller,type,stack",
    hideObject: true,
    messageFormat: (log, _key, _label, { colors }) => {
      const record = log as unknown as LogRecord;
      const isNewDay = record.time.slice(0, 10) !== day;
      day = record.time.slice(0, 10);
      return paint(layout(record, isNewDay, style.width()), record, colors as unknown as Colours);
    },
  });
  return (record) => format(record).trimEnd();
}

type Paint = (text: string) => string;
type Colours = Readonly<Record<"dim" | "cyan" | "yellow" | "red", Paint>>;

interface Layout {
  readonly head: string;
  readonly name: string;
  readonly text: string;
  readonly decision: string;
}

function layout(record: LogRecord, isNewDay: boolean, width: number | null): Layout {
  const decision = typeof record["decision"] === "string" ? `[${oneLine(record["decision"])}]` : "";
  const head = `${isNewDay ? `${record.time.slice(0, 10)} ` : ""}${record.time.slice(11, 19)}Z`;
  const name = oneLine(record.evt).padEnd(NAME_WIDTH);
  const whole = `${MARK[record.level]}${oneLine(record.msg)}${decision === "" ? "" : ` ${decision}`}`;
  const first = head.length + name.length + 2;
  const text = width === null || width < WIDTH_MIN ? whole : wrapText(whole, { width, first, indent: INDENT });
  return { head, name, decision, text };
}

function paint({ head, name, text, decision }: Layout, { level }: LogRecord, colours: Colours): string {
  const words = text.slice(0, text.length - decision.length);
  const by: Record<LogLevel, Paint> = {
    debug: colours.dim,
    info: (plain) => plain,
    warn: colours.yellow,
    error: colours.red,
  };
  return `${colours.dim(head)} ${colours.cyan(name)} ${by[level](words)}${colours.dim(decision)}`;
}
