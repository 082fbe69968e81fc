import { FEEDS_AND_MODELS } from "./decks.ts";
import { prove } from "./harness.ts";

prove(FEEDS_AND_MODELS);
