/** One item of news, word for word: for scenarios in which a report and the price tell a story together. Faults A2. */
import { z } from "zod";
import { fault } from "./fault.ts";

/** Acts once, when it is begun. `base` is the ticker it is linked to; an empty `content` repeats the title. */
export const newsItem = fault({
  name: "news-item",
  group: "news",
  description: "One given item appears on the stream and in the queries.",
  params: z
    .object({
      title: z.string().min(1).max(400),
      content: z.string().max(20_000).default(""),
      category: z.number().int().min(1).max(99).default(1),
      base: z.string().default("BTC"),
    })
    .strict(),
  start: (world, { title, content, category, base }) => {
    world.injectNews({ title, content: `<p>${content || title}</p>`, category, currencies: [base] });
    return { hooks: {} };
  },
});
