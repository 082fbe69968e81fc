/** An order that the account's own program did not send: a person at a screen, or the organiser. Faults U5, O4. */
import { z } from "zod";
import { fault } from "./fault.ts";
import { namedSymbol } from "./named-symbol.ts";

/** Acts once, when it is begun; its end undoes nothing. A refusal by the exchange is told to nobody. */
export const externalOrder = fault({
  name: "external-order",
  group: "user",
  description: "Places an order for an account, or for every account, past its own program.",
  params: z
    .object({
      accountId: z.string().default("*").describe('portfolio id, or "*" for every account'),
      symbol: z.string().describe("symbol, or a base such as BTC"),
      side: z.enum(["BUY", "SELL"]).default("BUY"),
      positionSide: z.enum(["LONG", "SHORT", "NONE"]).default("LONG"),
      orderType: z.enum(["MARKET", "LIMIT"]).default("MARKET"),
      orderQty: z.string().default("0.001"),
      limitPrice: z.string().optional(),
    })
    .strict(),
  start: (world, { accountId, symbol: name, ...order }) => {
    const sym = namedSymbol(world, name);
    const nowMs = Math.floor(world.env.clock.nowMs());
    const accounts = accountId === "*" ? world.exchange.accountIds() : [accountId];
    for (const account of accounts) world.exchange.place(account, { sym, ...order }, nowMs);
    return { hooks: {} };
  },
});
