import { STREAMS } from "./decks.ts";
import { prove } from "./harness.ts";

prove(STREAMS);
