/** Identifiers of the venue: ascending numbers of 16 or 17 digits as text. Spec: 1 §2.3; records §0.2. */
import type { CounterName, World } from "./state.ts";

const PREFIX = "219";

/** The next number of a counter, from 1. */
export const nextNumber = (world: World, counter: CounterName): number => ++world.counters[counter];

/** Order and algo-order ids share one ascending row of 16 digits. */
export const nextId = (world: World): string => PREFIX + String(nextNumber(world, "id")).padStart(13, "0");

/** Positions and statement lines have 17 digits. */
export const longId = (world: World): string => PREFIX + String(nextNumber(world, "long")).padStart(14, "0");
