/** A symbol stops trading. Faults V8. */
import { z } from "zod";
import { fault } from "./fault.ts";
import { namedSymbol } from "./named-symbol.ts";

/** Orders answer 401011. Its end makes the symbol live; a symbol that is not carried is passed over. */
export const haltedSymbol = fault({
  name: "halted-symbol",
  group: "venue",
  description: "A symbol takes no orders while it lasts.",
  params: z.object({ symbol: z.string().describe("symbol, or a base such as BTC") }).strict(),
  start: (world, { symbol: name }) => {
    const symbol = namedSymbol(world, name);
    const known = world.exchange.symbols.some(({ rules }) => rules.symbol === symbol);
    if (known) world.exchange.market.setState(symbol, "halted");
    return { hooks: {}, stop: () => (known ? world.exchange.market.setState(symbol, "live") : undefined) };
  },
});
