/** Items with times that cannot be trusted. Faults N3. */
import { z } from "zod";
import { fault } from "./fault.ts";

/** On the stream only. `shiftMs` below zero is the past; `missing` gives null instead. */
export const newsLate = fault({
  name: "news-late",
  group: "news",
  description: "Pushed items claim to have been published hours ago, or in the future.",
  params: z
    .object({
      shiftMs: z
        .number()
        .min(-30 * 86_400_000)
        .max(30 * 86_400_000)
        .default(-6 * 3_600_000)
        .describe("added to publishTime"),
      missing: z.boolean().default(false).describe("no publishTime at all"),
    })
    .strict(),
  start: (_world, { shiftMs, missing }) => ({
    hooks: {
      newsMessage: (message) => {
        const { publishTime } = message.data;
        const shifted = typeof publishTime === "number" ? publishTime + shiftMs : publishTime;
        return [{ ...message, data: { ...message.data, publishTime: missing ? null : shifted } }];
      },
    },
  }),
});
