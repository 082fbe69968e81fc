import { marginEnd } from "./cards/trouble.ts";
import { prove } from "./harness.ts";
import { FEW_SYMBOLS } from "./symbols.ts";

prove([marginEnd], { phase: 2, symbols: FEW_SYMBOLS, settings: { eliminationBelowUsdt: null } });
