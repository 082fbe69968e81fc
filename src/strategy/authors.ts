/**
 * The one door for strategies that are written outside of this tree: `import { ... } from "ballast/strategy"`. Its types
 * are those of an installed package and of a checkout; at run time the loader leads the name to the program's own
 * modules, wherever the file lies. What stands here is kept when the rooms behind it are rearranged. docs/OWN-STRATEGY.md.
 */
export { z } from "zod";
export {
  defineStrategy,
  type ModelQuestion,
  type Replies,
  type Reply,
  type Strategy,
  type StrategyAnswer,
  type TargetPosition,
} from "./strategy.ts";
export {
  type AccountView,
  type HeldPosition,
  type Snapshot,
  symbolView,
  type SymbolView,
} from "../context/snapshot.ts";
export { type Headroom, type LimitRoom } from "../domain/headroom.ts";
export { type PromptTables, promptTables, type Row } from "../context/prompt-tables.ts";
export { hashOf } from "../core/hash.ts";
export { isoTime } from "../core/time.ts";
export { heldMinutes, heldPositions, takenSymbols } from "./openings.ts";
export * as indicators from "./indicators.ts";
