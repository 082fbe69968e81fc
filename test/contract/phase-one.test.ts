import { PHASE_ONE } from "./decks.ts";
import { prove } from "./harness.ts";

prove(PHASE_ONE);
