import { aiGateway } from "./cards/ai-gateway.ts";
import { feedRest } from "./cards/feed-rest.ts";
import { feedStream } from "./cards/feed-stream.ts";
import { prove } from "./harness.ts";
import { FEW_SYMBOLS } from "./symbols.ts";

prove([feedRest, feedStream, aiGateway], { phase: 2, symbols: FEW_SYMBOLS });
