import { trouble } from "./cards/trouble.ts";
import { prove } from "./harness.ts";
import { FEW_SYMBOLS } from "./symbols.ts";

prove([trouble], {
  phase: 2,
  // These faults strike everybody.
  atOnce: 1,
  symbols: FEW_SYMBOLS,
  // Half a minute before a funding.
  startMs: Date.UTC(2026, 0, 5, 15, 59, 30),
});
