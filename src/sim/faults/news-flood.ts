/** Many items a second: more than anyone can read or pay to have read. Faults N4. */
import { z } from "zod";
import { fault } from "./fault.ts";

/** `perMinute` items about four coins, drawn from the seed. They stay in the store after its end. */
export const newsFlood = fault({
  name: "news-flood",
  group: "news",
  description: "Invented items come at a given pace, on the stream and in the queries.",
  params: z.object({ perMinute: z.number().int().min(1).max(60_000).default(600) }).strict(),
  start: (world, { perMinute }, entropy) => {
    const { clock } = world.env;
    let owed = 0;
    let serial = 0;
    const stop = clock.every(1_000, () => {
      for (owed += perMinute / 60; owed >= 1; owed--) {
        const base = ["BTC", "ETH", "SOL", "XRP"][entropy.int("fault:news", 0, 4)] ?? "BTC";
        serial++;
        world.injectNews({
          title: `${base} flash ${serial}: desks report unusual flows`,
          content: `<p>Item ${serial} of an endless day. ${"Nothing is confirmed. ".repeat(12)}</p>`,
          category: 1,
          currencies: [base],
        });
      }
    });
    return { hooks: {}, stop };
  },
});
