/** Every card once more without a port between: callers in the service's own process meet what clients on a port meet. */
import { describe } from "vitest";
import { ALL_DECKS } from "./decks.ts";
import { prove } from "./harness.ts";

for (const deck of ALL_DECKS) describe(deck.name, () => prove(deck, { inProcess: true }));
