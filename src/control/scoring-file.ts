/** The file that says how the competition scores; the program's own, or one that a backtest names. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { err, ok, type Result } from "../core/result.ts";
import type { Scoring } from "../domain/scoring.ts";
import { PACKAGE_ROOT } from "../ops/paths.ts";

export const SCORING_FILE = path.join(PACKAGE_ROOT, "config/scoring/track-a.yaml");

const fraction = z.number().min(0).max(1);
const weights = z
  .strictObject({ sharpe: fraction, pnl: fraction, roi: fraction, drawdown: fraction })
  .refine(({ sharpe, pnl, roi, drawdown }) => Math.abs(sharpe + pnl + roi + drawdown - 1) < 1e-9, "must add up to 1");

/** The scoring file, checked; config/scoring/track-a.yaml says how sure each figure is. */
const ScoringSchema = z.strictObject({
  weights,
  drawdownTiers: z
    .array(z.tuple([fraction, z.number().min(0).max(100)]))
    .min(1)
    .refine((tiers) => tiers.every(([upTo], at) => at === 0 || upTo > (tiers[at - 1]?.[0] ?? 0)), "must rise"),
  eliminationUsdt: z.number().min(0),
  uptime: z.strictObject({ disqualifiedBelow: fraction, penalisedBelow: fraction, largestPenalty: fraction }),
});

/** The error names file, setting and rule. */
export function loadScoring(file: string): Result<Scoring, string> {
  let values: unknown;
  try {
    values = parse(readFileSync(file, "utf8"));
  } catch (cause) {
    return err(`${file} cannot be read as a scoring file: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const read = ScoringSchema.safeParse(values);
  if (read.success) return ok(read.data);
  return err(
    read.error.issues.map(({ path, message }) => `${file}: ${path.join(".") || "(file)"}: ${message}`).join("\n"),
  );
}

let known: Scoring | null = null;

/** The program's own file, read once. It comes with the program, so that without it the installation is broken. */
export function ownScoring(): Scoring {
  if (known) return known;
  const read = loadScoring(SCORING_FILE);
  if (!read.ok) throw new Error(`${read.error}. Install the program again: its own file is missing or changed`);
  known = read.value;
  return known;
}
