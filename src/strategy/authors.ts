/**
 * The package entry for strategies outside this tree: `import { ... } from "ballast/strategy"`. Its types work for an
 * installed package and for a checkout; at run time the loader resolves the name to the program's own modules,
 * wherever the file is. These exports stay stable when the files behind them move. docs/OWN-STRATEGY.md.
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
export { defineSource, type SourceReader } from "./source.ts";
export type { Fact, FactPoint, Facts, FactValue } from "../context/facts.ts";
export {
  type AccountView,
  type HeldPosition,
  type Snapshot,
  symbolView,
  type SymbolView,
} from "../context/snapshot.ts";
export { type Headroom, type LimitRoom } from "../domain/competition.ts";
export type { Row } from "../context/prompt-cells.ts";
export { type PromptTables, promptTables } from "../context/prompt-tables.ts";
export { hashOf } from "../core/hash.ts";
export { isoTime } from "../core/time.ts";
export { heldMinutes, heldPositions, takenSymbols } from "./openings.ts";
export * as indicators from "./indicators.ts";
