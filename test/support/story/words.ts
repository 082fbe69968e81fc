/** The words that lines of a story share: names of symbols, sides, stops and orders, and what follows a word. */
import type { Effect } from "../../../src/agent/contract/effects.ts";
import type { AlgoOrder } from "../../../src/domain/algo-order.ts";
import { BTC, ETH, type World } from "../agent-world.ts";

export type Words = readonly string[];

/** What the story has shown so far: a stop keeps its size from push to push. A restart replaces the world. */
export interface Story {
  world: World;
  readonly stops: Map<string, AlgoOrder>;
}

/** The newest order of the agent: of this run, or else of the run before. */
export function newestOrder(world: World): Extract<Effect, { kind: "place" }> {
  const { before } = world.given;
  return before && world.of("place").length === 0 ? newestOrder(before) : world.last("place");
}

export const SYMBOLS: Readonly<Record<string, string>> = { BTC, ETH };

export const symbolOf = (name: string): string => SYMBOLS[name] ?? name;
export const shortOf = (symbol: string): string =>
  Object.entries(SYMBOLS).find(([, full]) => full === symbol)?.[0] ?? symbol;
export const sideOf = (name: string): "LONG" | "SHORT" => (name === "SHORT" ? "SHORT" : "LONG");
export const legOf = (name: string): "LONG" | "SHORT" | "NONE" => (name === "NONE" ? "NONE" : sideOf(name));

/**
 * `S1` is a stop of the agent's with the venue's id 2190000000000101, `H1` somebody else's with 2190000000000701, and `301` the
 * order 2190000000000301.
 */
export const idOf = (name: string): string =>
  `2190000000000${/^[SH]/.test(name) ? String((name.startsWith("S") ? 100 : 700) + Number(name.slice(1))) : name}`;
export const nameOf = (id: string): string => {
  const no = Number(id.slice(-3));
  return no > 700 ? `H${no - 700}` : `S${no - 100}`;
};

/** The order 2190000000000301 is 301. */
export const orderName = (id: string): string => String(Number(id.slice(-5)));

export function after(words: Words, word: string): string | undefined {
  const at = words.indexOf(word);
  return at < 0 ? undefined : words[at + 1];
}

/** The seconds of `asked 0.5 s ago`. */
export function secondsAgo(text: string, verb = ""): number | undefined {
  const found = new RegExp(`${verb} ?([\\d.]+) s ago`).exec(text);
  return found ? Number(found[1]) : undefined;
}

/** The text after the word ` because `, and the line without it. */
export function because(line: string): readonly [line: string, reason: string] {
  const [before = "", ...reason] = line.split(" because ");
  return [before, reason.join(" because ")];
}
