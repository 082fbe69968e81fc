import { MARGIN_END } from "./decks.ts";
import { prove } from "./harness.ts";

prove(MARGIN_END);
