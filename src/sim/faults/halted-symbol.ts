/** A symbol stops trading. Faults V8. */
import { z } from "zod";
import { fault } from "./fault.ts";
import { namedSymbol } from "./named-symbol.ts";

/** Orders answer 401011. Its end leaves the symbol as the market has it; one that is not carried is passed over. */
export const haltedSymbol = fault({
  name: "halted-symbol",
  group: "venue",
  description: "A symbol takes no orders while it lasts.",
  params: z.object({ symbol: z.string().describe("symbol, or a base such as BTC") }).strict(),
  start: (world, { symbol }) => ({ hooks: {}, stop: world.exchange.haltSymbol(namedSymbol(world, symbol)) }),
});
