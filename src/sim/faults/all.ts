/** Every fault that can be switched on, by surface. */
import { badPrice } from "./bad-price.ts";
import type { AnyFault } from "./fault.ts";
import { MARKET_FAULTS } from "./market-faults.ts";
import { MODEL_FAULTS } from "./model-faults.ts";
import { NEWS_FAULTS } from "./news-faults.ts";
import { ORDER_FAULTS } from "./order-faults.ts";
import { readLag } from "./read-lag.ts";
import { REST_FAULTS } from "./rest-faults.ts";
import { ruleChange } from "./rule-change.ts";
import { schemaDrift } from "./schema-drift.ts";
import { USER_FAULTS } from "./user-faults.ts";
import { VENUE_FAULTS } from "./venue-faults.ts";

/** The faults that the board knows by name. The order only affects listings. */
export const ALL_FAULTS: readonly AnyFault[] = [
  ...REST_FAULTS,
  readLag,
  schemaDrift,
  ...MARKET_FAULTS,
  badPrice,
  ...USER_FAULTS,
  ...NEWS_FAULTS,
  ...MODEL_FAULTS,
  ...ORDER_FAULTS,
  ...VENUE_FAULTS,
  ruleChange,
];
