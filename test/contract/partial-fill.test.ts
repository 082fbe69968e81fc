import { PARTIAL_FILL } from "./decks.ts";
import { prove } from "./harness.ts";

prove(PARTIAL_FILL);
