import { PHASE_CHANGE } from "./decks.ts";
import { prove } from "./harness.ts";

prove(PHASE_CHANGE);
