/** `beat` rows: the decision loop is alive. Uptime is counted from them. */
import { z } from "zod";
import { flag, text } from "./fields.ts";
import { rowForm } from "./form.ts";
import type { RowValue } from "./row.ts";
import { type Telemetry, telemetry } from "./telemetry.ts";
import { uptimeCount } from "./uptime-count.ts";

export const BEAT = rowForm(
  "beat",
  {
    written:
      "Every 10 s by the decision loop, by the monotonic clock; once a minute with the telemetry of the process.",
    readBy: "A start and `ballast status` (uptime), and the verifier.",
  },
  z
    .object({
      stage: text("`starting`, `ready` or `stopping`."),
      streams: z
        .object({ market: flag("Market stream up."), user: flag("User stream up."), news: flag("News stream up.") })
        .readonly()
        .meta({ description: "Which streams are up.", is: "object" }),
      floor: text("Rung of the equity floor's ladder."),
      deciding: flag("False while the chosen strategy gives no decision."),
      uptime: uptimeCount,
      ...telemetry,
    })
    .readonly(),
);

export type BeatRow = z.output<typeof BEAT.body>;
export const beatRow = BEAT.write;
/** The same beat with the telemetry of the process. */
export const beatWith = (beat: RowValue<"beat">, telemetry: Telemetry): RowValue<"beat"> => ({
  ...beat,
  body: { ...beat.body, ...telemetry },
});
export const readBeat = BEAT.read;

export const beatText = ({ stage, floor, streams }: BeatRow): string => {
  const up = Object.entries(streams).flatMap(([name, isUp]) => (isUp ? [name] : []));
  return `${stage}, ${floor}, streams up: ${up.join(", ") || "none"}`;
};
