import { phaseChange } from "./cards/phase-change.ts";
import { prove } from "./harness.ts";
import { FEW_SYMBOLS } from "./symbols.ts";

prove([phaseChange], { phase: 1, symbols: FEW_SYMBOLS });
