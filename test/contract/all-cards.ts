/** Every surface, so that the cards can be counted and their ids be held apart. */
import { ALL_DECKS } from "./decks.ts";
import type { Surface } from "./harness.ts";

export const ALL_SURFACES: readonly Surface[] = ALL_DECKS.flatMap(({ surfaces }) => surfaces);
