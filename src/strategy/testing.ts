/** For tests of strategies from outside: `import { ... } from "ballast/testing"`. The guard, and snapshots made by hand. */
export { askStrategy, interpretReplies, type StrategyFault } from "./guarded.ts";
export { accountOf, BTC, ETH, headroomOf, heldOf, newsOf, snapshotOf, viewOf } from "./made-snapshot.ts";
