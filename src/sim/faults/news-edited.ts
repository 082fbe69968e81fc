/** The same story told again, with changes. Faults N2. */
import { z } from "zod";
import { fault, spanMs } from "./fault.ts";

/** On the stream only: the store keeps the first version. Copies that are on their way still come after its end. */
export const newsEdited = fault({
  name: "news-edited",
  group: "news",
  description: "Each pushed item comes again after a while under the same id with an altered title and text.",
  params: z.object({ afterMs: spanMs(10_000), prefix: z.string().default("CORRECTED: ") }).strict(),
  start: (world, { afterMs, prefix }) => ({
    hooks: {
      newsMessage: (message) => {
        const { title, content } = message.data;
        const data = {
          ...message.data,
          title: `${prefix}${String(title ?? "")}`,
          content: `${prefix}${String(content ?? "")}`,
        };
        world.env.clock.after(afterMs, () => world.releaseNews({ ...message, data }));
        return [message];
      },
    },
  }),
});
