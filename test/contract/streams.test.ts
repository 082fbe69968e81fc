import { lineByLine } from "./cards/line-by-line.ts";
import { marketChannels } from "./cards/market-channels.ts";
import { marketStream } from "./cards/market-stream.ts";
import { orderQueue } from "./cards/order-queue.ts";
import { userPushes } from "./cards/user-pushes.ts";
import { userStream } from "./cards/user-stream.ts";
import { prove } from "./harness.ts";
import { FEW_SYMBOLS } from "./symbols.ts";

prove([lineByLine, orderQueue, marketStream, marketChannels, userStream, userPushes], {
  phase: 2,
  symbols: FEW_SYMBOLS,
});
