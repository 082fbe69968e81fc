/** A process's figures about itself: changes once a minute in a `beat` row, everything in the `stop` row. */
import { z } from "zod";
import { flag, number, span, text, texts } from "./fields.ts";

const gauge = z
  .object({ high: number("The most it has held since the start."), cap: number("The most it may hold.") })
  .readonly();

const vitals = z
  .object({
    heapUsed: number("Bytes of heap in use."),
    heapLimit: number("Bytes of heap that the process may use."),
    rss: number("Resident bytes."),
    walBytes: number("Size of the journal's write-ahead log."),
    journalBytes: number("Size of the journal."),
    handles: number("Open handles."),
    files: number("Open file descriptors; null where not known.").nullable(),
    loopP50Ms: span("How late timers came: median."),
    loopP99Ms: span("The same, 99th percentile."),
    loopMaxMs: span("The same, at most."),
  })
  .readonly();

const visit = z
  .object({
    method: text("HTTP method."),
    host: text("The `Host` it named."),
    origin: text("The `Origin` it named."),
    loopback: flag("Whether it came from this machine."),
    token: flag("Whether it presented the token."),
    status: number("HTTP status of the answer."),
    contentType: text("Content type of the answer."),
    page: text("Hash of the text of a page; absent for every other answer.").optional(),
    count: number("How many of this kind."),
    refusalChars: number("Longest refusal, characters.").default(0),
  })
  .readonly();

/** Only what has changed since the run last wrote it; on virtual time everything but gauges and `said` is absent. */
export const telemetry = {
  gauges: z.record(z.string(), gauge).readonly().optional().meta({
    description: "Name of a bounded collection to the most it has held (`high`) and its bound (`cap`).",
    is: "object",
  }),
  vitals: vitals
    .optional()
    .meta({ description: "Memory, files and timer lateness of the process, every minute.", is: "object" }),
  said: z
    .record(z.string(), z.number())
    .readonly()
    .optional()
    .meta({ description: "How often each log event about the venue has been written since the start.", is: "object" }),
  met: texts("`host:port` of every host contacted.").optional(),
  wrote: texts("Names directly below the data folder that changed since the process began.").optional(),
  visits: z.array(visit).readonly().optional().meta({
    description: "Calls at the status endpoint by kind; beyond 50 kinds the refused ones are `many`.",
    is: "list of object",
  }),
};

/** Every member may be absent. */
export type Telemetry = { readonly [K in keyof typeof telemetry]?: z.output<(typeof telemetry)[K]> };
