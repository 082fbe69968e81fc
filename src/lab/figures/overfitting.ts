/**
 * The probability of backtest overfitting by combinatorially symmetric cross-validation: how often the best trial of
 * one half of the time is below the median in the other. Bailey, Borwein, Lopez de Prado and Zhu 2017, "The Probability
 * of Backtest Overfitting".
 */
import { linearRegression, median } from "simple-statistics";

export interface Overfitting {
  /** Share of the splits in which the best trial of one half is in the lower half of the other. */
  readonly probability: number;
  /** Median of the logits of its relative rank; below 0, choosing by this ratio is worse than choosing at random. */
  readonly medianLogit: number;
  /** Slope of the out-of-sample ratio on the in-sample ratio over the chosen trials: near 1 without overfitting. */
  readonly slope: number;
  /** Share of the splits in which the chosen trial loses out of sample. */
  readonly lossProbability: number;
  readonly splits: number;
}

/** Sums of one trial over one block of periods. */
interface BlockSums {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

const BLOCKS_MAX = 12;
const PERIODS_A_BLOCK = 3;

/** Returns by trial, all over the same periods. Null with fewer than two trials or too few periods for four blocks. */
export function overfittingOf(trials: readonly (readonly number[])[]): Overfitting | null {
  const periods = trials[0]?.length ?? 0;
  const blocks = Math.min(BLOCKS_MAX, 2 * Math.floor(periods / PERIODS_A_BLOCK / 2));
  if (trials.length < 2 || blocks < 4) return null;
  const sums = trials.map((returns) => blockSums(returns, blocks));
  const chosen = halves(blocks).map((inside) => judge(sums, inside));
  return {
    probability: shareOf(chosen, ({ logit }) => logit <= 0),
    medianLogit: median(chosen.map(({ logit }) => logit)),
    slope: linearRegression(chosen.map(({ inside, outside }) => [inside, outside])).m,
    lossProbability: shareOf(chosen, ({ outside }) => outside < 0),
    splits: chosen.length,
  };
}

const shareOf = <T>(all: readonly T[], is: (one: T) => boolean): number => all.filter(is).length / all.length;

function blockSums(returns: readonly number[], blocks: number): readonly BlockSums[] {
  return Array.from({ length: blocks }, (_, block) => {
    const part = returns.slice(
      Math.floor((block * returns.length) / blocks),
      Math.floor(((block + 1) * returns.length) / blocks),
    );
    return {
      count: part.length,
      sum: part.reduce((all, value) => all + value, 0),
      squares: part.reduce((all, value) => all + value * value, 0),
    };
  });
}

/** Every choice of half of the blocks, as flags. */
function halves(blocks: number): readonly (readonly boolean[])[] {
  const found: boolean[][] = [];
  const choose = (flags: boolean[], left: number): void => {
    if (flags.length === blocks) {
      if (left === 0) found.push(flags);
      return;
    }
    if (left > 0) choose([...flags, true], left - 1);
    if (blocks - flags.length > left) choose([...flags, false], left);
  };
  choose([], blocks / 2);
  return found;
}

/** Sharpe ratio of a trial over the blocks of one half; 0 without variation. */
function ratio(sums: readonly BlockSums[], inside: readonly boolean[], half: boolean): number {
  let [count, sum, squares] = [0, 0, 0];
  sums.forEach((block, at) => {
    if (inside[at] !== half) return;
    count += block.count;
    sum += block.sum;
    squares += block.squares;
  });
  const centre = sum / count;
  const variance = squares / count - centre * centre;
  return variance > 1e-18 ? centre / Math.sqrt(variance) : 0;
}

function judge(sums: readonly (readonly BlockSums[])[], inside: readonly boolean[]) {
  const within = sums.map((trial) => ratio(trial, inside, true));
  const best = within.indexOf(Math.max(...within));
  const beyond = sums.map((trial) => ratio(trial, inside, false));
  const own = beyond[best] ?? 0;
  // Equal ratios share a rank, so that trials that never trade are neither best nor worst.
  const below = beyond.filter((each) => each < own).length;
  const equal = beyond.filter((each) => each === own).length;
  const rank = (below + (equal + 1) / 2) / (sums.length + 1);
  return { inside: within[best] ?? 0, outside: own, logit: Math.log(rank / (1 - rank)) };
}
