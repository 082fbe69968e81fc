/** The settings of a disguised run: the original ones, with disguised coin names and shifted instants. */
import type { Config } from "../../config/config.ts";
import { PHASE_ONE_BASES } from "../../domain/competition.ts";
import { parseSymbol } from "../../domain/symbol.ts";
import { type Disguise, shownBase, shownSymbol, trueBases } from "./disguise.ts";

/** Every base that a run under this configuration may show. */
export function basesOf({ universe }: Config): readonly string[] {
  const named = universe === "phase" ? [] : universe;
  const bases = named.map((name) => {
    const parts = parseSymbol(name);
    return parts.ok ? parts.value.base : name;
  });
  return [...new Set([...PHASE_ONE_BASES, ...bases])];
}

/** `embedded.from` is the time of the data and is not shifted. */
export function shownConfig(disguise: Disguise, config: Config): Config {
  const { universe, strategy, competition } = config;
  const { start, phaseTwo } = competition;
  const { shiftMs } = disguise;
  return {
    ...config,
    universe: (universe === "phase" ? PHASE_ONE_BASES : universe).map((name) => shownSymbol(disguise, name)),
    strategy: { ...strategy, settings: shownSettings(disguise, strategy.settings) },
    competition: {
      ...competition,
      ...(start === undefined ? {} : { start: start + shiftMs }),
      ...(phaseTwo === undefined ? {} : { phaseTwo: phaseTwo + shiftMs }),
    },
    standsFor: Object.fromEntries(trueBases(disguise)),
  };
}

type Settings = Config["strategy"]["settings"];

/** Replaces coins and symbols by their disguised names, in values and in keys. */
const shownSettings = (disguise: Disguise, settings: Settings): Settings =>
  Object.fromEntries(
    Object.entries(settings).map(([strategy, each]) => [
      strategy,
      Object.fromEntries(Object.entries(each).map(([name, value]) => [name, shownValue(disguise, value)])),
    ]),
  );

function shownValue(disguise: Disguise, value: unknown): unknown {
  if (typeof value === "string") return shownName(disguise, value);
  if (Array.isArray(value)) return value.map((each: unknown) => shownValue(disguise, each));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [shownName(disguise, name), shownValue(disguise, each)]),
  );
}

const shownName = (disguise: Disguise, text: string): string =>
  parseSymbol(text).ok ? shownSymbol(disguise, text) : shownBase(disguise, text);
