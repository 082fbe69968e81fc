/** Identifiers of the venue: ascending numbers of 16 or 17 digits as text. Spec: 1 §2.3; records §0.2. */
import type { CounterName, World } from "./state.ts";

const PREFIX = "219";
const DIGITS = 13;
const LAST = 10 ** DIGITS;
const FIRST = Number(PREFIX) * LAST;
const BLOCK = 10_000;
const BLOCK_DIGITS = 4;
const ENDINGS = Array.from({ length: BLOCK }, (_, i) => String(i).padStart(BLOCK_DIGITS, "0"));
const ZERO_CODE = 48;

/** The next number of a counter, from 1. */
export const nextNumber = (world: World, counter: CounterName): number => ++world.counters[counter];

/** The prefix of the last id: ids ascend, so the next one nearly always has the same. */
const beginning = { block: -1, text: "" };

/** The 16 digits of an order's number. Order and algo-order ids share one ascending sequence. */
export function idOf(no: number): string {
  const ending = no % BLOCK;
  const block = (no - ending) / BLOCK;
  if (block !== beginning.block) {
    beginning.block = block;
    beginning.text = PREFIX + String(block).padStart(DIGITS - BLOCK_DIGITS, "0");
  }
  return beginning.text + (ENDINGS[ending] ?? "");
}

/** The number of an id, or 0 if the text is not one of our ids. */
export function numberOf(id: string): number {
  if (id.length !== PREFIX.length + DIGITS) return 0;
  let read = 0;
  for (let i = 0; i < id.length; i++) {
    const digit = id.charCodeAt(i) - ZERO_CODE;
    if (digit < 0 || digit > 9) return 0;
    read = read * 10 + digit;
  }
  const no = read - FIRST;
  return no > 0 && no < LAST ? no : 0;
}

/** The id of a new algo order. */
export const nextId = (world: World): string => idOf(nextNumber(world, "id"));

/** Positions and statement lines have 17 digits. */
export const longId = (world: World): string => PREFIX + String(nextNumber(world, "long")).padStart(14, "0");
