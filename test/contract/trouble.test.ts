import { TROUBLE } from "./decks.ts";
import { prove } from "./harness.ts";

prove(TROUBLE);
