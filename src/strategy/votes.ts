/** Counts several answers to one question: the share of the samples for each stance on each symbol. */
import { median as middle } from "simple-statistics";
import type { Stance } from "./stances.ts";

/** A sample's first stance on the symbol, with its weight. */
export interface Vote {
  readonly stance: Stance;
  /** 0 to 1: the weight of its evidence. Leaving a position needs no evidence. */
  readonly weight: number;
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

/**
 * Symbols by their strongest stance, then in the order in which they were named. `asked` includes failed samples: a
 * missing sample agrees with nobody. A sample's first stance on a symbol counts.
 */
export function tallyVotes(
  ballots: readonly Ballot[],
  asked: number,
  weightOf: (stance: Stance) => number,
): readonly VoteTally[] {
  const bySymbol = new Map<string, Vote[]>();
  for (const ballot of ballots) {
    const said = new Set<string>();
    for (const stance of ballot) {
      if (said.has(stance.symbol)) continue;
      said.add(stance.symbol);
      const votes = bySymbol.get(stance.symbol) ?? [];
      votes.push({ stance, weight: stance.stance === "FLAT" ? 1 : weightOf(stance) });
      bySymbol.set(stance.symbol, votes);
    }
  }
  const tallies = [...bySymbol].map(([symbol, votes]) => {
    const shareOf = (kind: Stance["stance"]): number =>
      votes.reduce((sum, vote) => sum + (vote.stance.stance === kind ? vote.weight : 0), 0) / asked;
    return { symbol, votes, share: { LONG: shareOf("LONG"), SHORT: shareOf("SHORT"), FLAT: shareOf("FLAT") } };
  });
  const strongest = ({ share }: VoteTally): number => Math.max(share.LONG, share.SHORT, share.FLAT);
  return tallies.sort((a, b) => strongest(b) - strongest(a));
}

/** The median; null for an empty list. */
export function median(values: readonly number[]): number | null {
  return values.length === 0 ? null : middle([...values]);
}
