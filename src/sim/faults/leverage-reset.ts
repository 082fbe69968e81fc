/** Leverage goes back to a high default when a position closes, or at once. Faults V7. */
import { z } from "zod";
import { fault } from "./fault.ts";

/** What was reset stays so after its end. `now` resets every symbol of every account once. */
export const leverageReset = fault({
  name: "leverage-reset",
  group: "venue",
  description: "A symbol's leverage jumps to a value whenever a position in it closes, and at the start if asked.",
  params: z
    .object({
      leverage: z.number().int().min(1).max(125).default(20),
      now: z.boolean().default(false).describe("every symbol of every account at once"),
    })
    .strict(),
  start: (world, { leverage, now }) => {
    const { exchange, env } = world;
    const reset = (accountId: string, sym: string): void =>
      void exchange.setLeverage(accountId, { sym, leverage }, Math.floor(env.clock.nowMs()));
    if (now) for (const id of exchange.accountIds()) for (const { rules } of exchange.symbols) reset(id, rules.symbol);
    return {
      hooks: {
        userPush: (push) => {
          const { sym, positionQty } = push.data;
          const flat = push.channel === "Positions" && Number(positionQty) === 0;
          // After the push is out: a listener that changes the account must not come before its own cause.
          if (flat && typeof sym === "string") env.clock.after(0, () => reset(push.accountId, sym));
          return [push];
        },
      },
    };
  },
});
