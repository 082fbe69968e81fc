/** Every surface, so that the cards can be counted and their ids be held apart. */
import { ALL_DECKS } from "./decks.ts";
import type { Surface } from "./harness.ts";

/** In the order of the documents, as docs/CONFORMANCE.md counts them. */
export const ALL_SURFACES: readonly Surface[] = ALL_DECKS.flatMap(({ surfaces }) => surfaces);
