/**
 * Turns the bytes of one WebSocket frame into a JSON value, within caps on inflated size and nesting. Parses once; a
 * refused frame returns a reason and a short sample for the log. Faults M5, R10.
 */
import { gunzipSync } from "node:zlib";
import { err, ok, type Result } from "../core/result.ts";

/** `inflatedBytes` after decompression; `depth` is the nesting of brackets. */
export interface FrameCaps {
  readonly inflatedBytes: number;
  readonly depth: number;
}
/** Defaults: 4 MiB and 32 levels. */
export const FRAME_CAPS: FrameCaps = { inflatedBytes: 4 * 1024 * 1024, depth: 32 };

/** Why a frame was refused. The socket counts refusals; too many end the connection. */
export interface FrameRefusal {
  readonly reason: string;
  /** At most 120 characters, safe to log. */
  readonly sample: string;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Whether a frame, or the one from `from` to `to`, starts with the magic bytes of gzip. */
export const isGzip = (data: Buffer, from = 0, to = data.length): boolean =>
  to - from > 2 && data[from] === 0x1f && data[from + 1] === 0x8b;

/** The text of a frame. Binary frames that start with the gzip magic bytes are inflated; all others are UTF-8. */
export function frameText(data: Buffer | string, caps: FrameCaps = FRAME_CAPS): Result<string, FrameRefusal> {
  if (typeof data === "string") return ok(data);
  try {
    return ok(utf8.decode(isGzip(data) ? gunzipSync(data, { maxOutputLength: caps.inflatedBytes }) : data));
  } catch (error) {
    return err({
      reason: error instanceof Error ? error.message : String(error),
      sample: data.subarray(0, 60).toString("hex"),
    });
  }
}

/** JSON within the nesting cap. */
export function frameJson(text: string, caps: FrameCaps = FRAME_CAPS): Result<unknown, FrameRefusal> {
  const refuse = (reason: string): Result<unknown, FrameRefusal> =>
    err({ reason, sample: JSON.stringify(text.slice(0, 100)).slice(0, 120) });
  if (nestsDeeper(text, caps.depth)) return refuse(`nested deeper than ${caps.depth}`);
  try {
    return ok(JSON.parse(text) as unknown);
  } catch (error) {
    return refuse(error instanceof Error ? error.message.slice(0, 80) : "not JSON");
  }
}

/** The answer to a ping of ours, with the service's time. */
export const isPong = (value: unknown): value is { pong: number } =>
  typeof value === "object" && value !== null && typeof (value as { pong?: unknown }).pong === "number";

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Whether brackets outside strings nest deeper than `depth`. Scans characters, so that no deep value is built first.
 */
function nestsDeeper(text: string, depth: number): boolean {
  // Few frames have so many brackets at all, and finding them is much faster than reading every character.
  if (countedTo(text, "{", depth) + countedTo(text, "[", depth) <= depth) return false;
  let level = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if ((code === 123 || code === 91) && ++level > depth) return true;
    else if (code === 125 || code === 93) level--;
  }
  return false;
}

/** How often a character occurs, counted to just above `most`. */
function countedTo(text: string, character: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count <= most; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}
