/** Several answers to one question, counted: which share of the samples wants what of each symbol. */
import { median as middle } from "simple-statistics";
import type { Stance } from "./stances.ts";

/** The first stance of one sample on the symbol, with what it counts. */
export interface Vote {
  readonly stance: Stance;
  /** 0 to 1: what its evidence is worth. Leaving a position needs no evidence. */
  readonly weight: number;
}

/** What the samples want of one symbol. Shares sum to less than 1 where samples failed, were silent or cited badly. */
export interface VoteTally {
  readonly symbol: string;
  /** Shares of all samples that were asked, failed ones included, 0 to 1. */
  readonly share: Readonly<Record<Stance["stance"], number>>;
  readonly votes: readonly Vote[];
}

/** One answered sample. */
export type Ballot = readonly Stance[];

/**
 * Symbols by the strength of the strongest target, then in the order in which they were named. `asked` counts failed samples too: a sample that did not
 * come agrees with nobody. The first word of a sample on a symbol counts.
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

/** The middle value; of an even number the mean of the two in the middle. Null of none. */
export function median(values: readonly number[]): number | null {
  return values.length === 0 ? null : middle([...values]);
}
