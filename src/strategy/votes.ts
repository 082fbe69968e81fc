/** Counts several answers to one question: the share of the samples for each stance on each symbol. */
import { median as middle } from "simple-statistics";
import type { Stance } from "./stances.ts";

/** A sample's first stance on the symbol, with its weight. */
export interface Vote {
  readonly stance: Stance;
  /** 0 to 1: the weight of its evidence. Leaving a position needs no evidence. */
  readonly weight: number;
  /** Of an answer that was asked about a few symbols only. */
  readonly partial: boolean;
}

/** An answer about some symbols: it counts on these and is no abstention on others. */
export interface PartialBallot {
  readonly ballot: readonly Stance[];
  readonly symbols: readonly string[];
}

/** The samples' stances on one symbol. Shares sum to less than 1 if samples failed, named no stance or cited badly. */
export interface VoteTally {
  readonly symbol: string;
  /** Shares of all requested samples, including failed ones, 0 to 1. */
  readonly share: Readonly<Record<Stance["stance"], number>>;
  readonly votes: readonly Vote[];
}

/** One answered sample. */
export type Ballot = readonly Stance[];

/** The answers to one question. */
export interface Polled {
  readonly ballots: readonly Ballot[];
  /** Samples requested, including failed ones. */
  readonly asked: number;
  readonly partial?: readonly PartialBallot[];
}

/**
 * Symbols by their strongest stance, then in the order in which they were named. `asked` includes failed samples: a
 * missing sample agrees with nobody. A sample's first stance on a symbol counts. A side that only one partial answer names
 * has no share: one look at a symbol by itself moves nothing alone.
 */
export function tallyVotes(
  { ballots, asked, partial = [] }: Polled,
  weightOf: (stance: Stance) => number,
): readonly VoteTally[] {
  const bySymbol = new Map<string, Vote[]>();
  const count = (ballot: Ballot, isPartial: boolean): void => {
    const said = new Set<string>();
    for (const stance of ballot) {
      if (said.has(stance.symbol)) continue;
      said.add(stance.symbol);
      const votes = bySymbol.get(stance.symbol) ?? [];
      votes.push({ stance, weight: stance.stance === "FLAT" ? 1 : weightOf(stance), partial: isPartial });
      bySymbol.set(stance.symbol, votes);
    }
  };
  for (const ballot of ballots) count(ballot, false);
  for (const { ballot, symbols } of partial)
    count(
      ballot.filter(({ symbol }) => symbols.includes(symbol)),
      true,
    );
  const tallies = [...bySymbol].map(([symbol, votes]) => {
    const of = asked + partial.filter(({ symbols }) => symbols.includes(symbol)).length;
    const shareOf = (kind: Stance["stance"]): number => {
      const named = votes.filter(({ stance }) => stance.stance === kind);
      if (named.length === 1 && named[0]?.partial) return 0;
      return named.reduce((sum, { weight }) => sum + weight, 0) / of;
    };
    return { symbol, votes, share: { LONG: shareOf("LONG"), SHORT: shareOf("SHORT"), FLAT: shareOf("FLAT") } };
  });
  const strongest = ({ share }: VoteTally): number => Math.max(share.LONG, share.SHORT, share.FLAT);
  return tallies.sort((a, b) => strongest(b) - strongest(a));
}

/** The median; null for an empty list. */
export function median(values: readonly number[]): number | null {
  return values.length === 0 ? null : middle([...values]);
}
