import { CLIENT } from "./decks.ts";
import { prove } from "./harness.ts";

prove(CLIENT);
