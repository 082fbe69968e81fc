import { REST } from "./decks.ts";
import { prove } from "./harness.ts";

prove(REST);
