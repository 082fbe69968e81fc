/** Settings of the owner's own data: the origin of each source's text, the reading interval, and the greatest age of a point. */
import { z } from "zod";
import { span } from "../core/setting-fields.ts";
import { DAY_MS } from "../core/time.ts";

const SOURCES_MAX = 8;
const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const EVERY_MIN_MS = 1_000;
const EVERY_MAX_MS = 7 * DAY_MS;
const PLACES = ["url", "file", "recording"] as const;

const source = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: "an http or https address" })
      .optional()
      .describe(
        "Address whose answer the source reads. Secrets do not belong in it: journal and status show the configuration.",
      ),
    keyHeader: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, "the name of a header, such as x-api-key")
      .optional()
      .describe("Header that carries the key of BALLAST_SOURCE_KEY_NAME, with the source's name in upper case."),
    file: z
      .string()
      .min(1)
      .optional()
      .describe("File whose text the source reads. Future points wait until their time has come."),
    recording: z
      .string()
      .min(1)
      .optional()
      .describe("File or folder of recorded points, played back at the times at which they were received."),
    every: span("Interval between two readings; at least 1s, at most 7d.")
      .refine((ms) => ms >= EVERY_MIN_MS && ms <= EVERY_MAX_MS, "at least 1s, at most 7d")
      .prefault("1m"),
    staleAfter: span("Points older than this are stale: shown as such, and listed as missing.").prefault("15m"),
    settings: z.record(z.string(), z.unknown()).default({}).describe("The source's own settings, by its own schema."),
  })
  .superRefine((given, { addIssue }) => {
    const named = PLACES.filter((place) => given[place] !== undefined);
    if (named.length !== 1)
      addIssue({ code: "custom", message: `give exactly one of ${PLACES.join(", ")} as the origin of its points` });
    if (given.keyHeader !== undefined && given.url === undefined)
      addIssue({ code: "custom", path: ["keyHeader"], message: "is only for url" });
  });

/** Off by default. Changes with a restart only. */
export const sources = z
  .record(z.string(), source)
  .superRefine((named, { addIssue }) => {
    const names = Object.keys(named);
    for (const name of names)
      if (!NAME.test(name))
        addIssue({ code: "custom", path: [name], message: "a name is lower-case letters, digits and dashes" });
    if (names.length > SOURCES_MAX) addIssue({ code: "custom", message: `at most ${SOURCES_MAX} sources` });
  })
  .default({})
  .describe("Your own data for strategies and prompts, by the name of a file in own/sources/. See docs/STRATEGIES.md.");

/** One source as the file sets it; spans in milliseconds. */
export type SourceConfig = z.output<typeof source>;
