/**
 * For tests of strategies outside this tree: `import { ... } from "ballast/testing"`. The guard, and snapshots for
 * tests.
 */
export { askStrategy, interpretReplies, type StrategyFault } from "./guarded.ts";
export { accountOf, BTC, ETH, factOf, headroomOf, heldOf, newsOf, snapshotOf, viewOf } from "./made-snapshot.ts";
