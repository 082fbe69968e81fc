/** The list of limits. A limit takes effect only if it is on this list. Cheap and informative ones come first. */
import { crowding } from "./limits/crowding.ts";
import { cushion } from "./limits/cushion.ts";
import { drawdown } from "./limits/drawdown.ts";
import { exchangeAccount } from "./limits/exchange-account.ts";
import { floorLadder } from "./limits/floor-ladder.ts";
import { freshness } from "./limits/freshness.ts";
import { hold } from "./limits/hold.ts";
import { openingLeverage } from "./limits/opening-leverage.ts";
import { orderShape } from "./limits/order-shape.ts";
import { pace } from "./limits/pace.ts";
import { perOrderNotional } from "./limits/per-order-notional.ts";
import { protection } from "./limits/protection.ts";
import { session } from "./limits/session.ts";
import { totalNotional } from "./limits/total-notional.ts";
import { universe } from "./limits/universe.ts";
import type { RiskSettings } from "./settings.ts";
import type { Limit } from "./verdict.ts";

/** In order of evaluation, for these settings. A review asks every limit, also after a denial. */
export const allLimits = (settings: RiskSettings): readonly Limit[] => [
  universe(),
  session(),
  hold(),
  floorLadder(settings),
  freshness(settings),
  drawdown(settings),
  pace(settings),
  protection(settings),
  perOrderNotional(settings),
  totalNotional(settings),
  crowding(settings),
  openingLeverage(settings),
  cushion(settings),
  exchangeAccount(settings),
  orderShape(settings),
];
