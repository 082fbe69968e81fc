/** The pairs to watch and the pairs that may be traded, as the configuration names them. */
import type { Config } from "../config/config.ts";
import { nearestWord } from "../core/nearest.ts";
import { PHASE_ONE_BASES } from "../domain/competition.ts";
import { homeExchange, parseSymbol, perpSymbol } from "../domain/symbol.ts";

/** Every pair in the file, in either phase. All of them are watched, so that Phase II does not begin blind. */
export function watchedOf(config: Config, exchange: string): readonly string[] {
  const { universe } = config;
  const names = universe === "phase" ? PHASE_ONE_BASES : universe;
  const symbols = [...new Set(names.map((name) => (name.includes("_") ? name : perpSymbol(exchange, name))))];
  return entersPhaseTwo(config) ? symbols : symbols.filter(isOfPhaseOne(config, exchange));
}

const entersPhaseTwo = ({ phase, competition }: Pick<Config, "phase" | "competition">): boolean =>
  phase === 2 || competition.phaseTwo !== undefined;

/** What may be traded in the current phase: in Phase I only the fifty pairs of the first exchange. Spec: 3 §8. */
export const universeOf = (config: Config, exchange: string): readonly string[] =>
  config.phase === 2 ? watchedOf(config, exchange) : watchedOf(config, exchange).filter(isOfPhaseOne(config, exchange));

const isOfPhaseOne =
  ({ standsFor = {} }: Config, exchange: string) =>
  (symbol: string): boolean => {
    const parts = parseSymbol(symbol);
    if (!parts.ok || parts.value.exchange !== exchange) return false;
    const { base } = parts.value;
    return PHASE_ONE_BASES.includes(standsFor[base] ?? base);
  };

/** What is wrong with the list, for an error; null when nothing is. */
export function universeProblem(config: Config, exchanges: readonly string[]): string | null {
  const first = homeExchange(exchanges);
  const named = config.universe === "phase" ? [] : config.universe;
  for (const name of named) {
    const symbol = name.includes("_") ? name : perpSymbol(first, name);
    const parts = parseSymbol(symbol);
    if (!parts.ok || !exchanges.includes(parts.value.exchange))
      return `universe: ${name} is not on any of the exchanges ${exchanges.join(", ")} (SVC_EXCHANGES)`;
    if (!isOfPhaseOne(config, first)(symbol) && !entersPhaseTwo(config))
      return `universe: ${name} is not one of the fifty pairs of Phase I${meant(parts.value.base)}; for Phase II set phase: 2, or set competition.phaseTwo to its start`;
  }
  return universeOf(config, first).length > 0
    ? null
    : `universe: none of its instruments may be traded in Phase ${config.phase}`;
}

const meant = (base: string): string => {
  const near = nearestWord(base, PHASE_ONE_BASES);
  return near !== null && near !== base ? ` (did you mean ${near}?)` : "";
};

const baseOf = (name: string): string => {
  const parts = parseSymbol(name);
  return parts.ok ? parts.value.base : name;
};

/** Names whose coin may be misspelt, where Phase II may come: in Phase I alone they are an error. Only the venue knows what else it lists. */
export const unknownBases = ({ universe, ...config }: Config): readonly string[] =>
  (universe === "phase" || !entersPhaseTwo(config) ? [] : universe)
    .filter((name) => !PHASE_ONE_BASES.includes(baseOf(name)))
    .map(
      (name) =>
        `${name} is not one of the fifty pairs of Phase I${meant(baseOf(name))}; the venue must list it in Phase II`,
    );
