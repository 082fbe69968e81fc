/** The file that says how the competition scores; the program's own, or one that a backtest names. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { err, ok, type Result } from "../core/result.ts";
import { fraction } from "../core/setting-fields.ts";
import type { Scoring } from "../domain/scoring.ts";
import { PACKAGE_ROOT } from "../ops/paths.ts";

export const SCORING_FILE = path.join(PACKAGE_ROOT, "config/scoring/track-a.yaml");

const weights = () =>
  z
    .strictObject({
      sharpe: fraction("Weight of the Sharpe ratio's percentile."),
      pnl: fraction("Weight of the PnL's percentile."),
      roi: fraction("Weight of the ROI's percentile."),
      drawdown: fraction("Weight of the drawdown's tier."),
    })
    .refine(({ sharpe, pnl, roi, drawdown }) => Math.abs(sharpe + pnl + roi + drawdown - 1) < 1e-9, "must add up to 1")
    .describe("They add up to 1.");

/**
 * The scoring file, checked; config/scoring/track-a.yaml says how sure each figure is. Made when a file is read: most commands
 * find it read ahead.
 */
const scoringSchema = () =>
  z.strictObject({
    weights: weights(),
    drawdownTiers: z
      .array(z.tuple([fraction("Largest fall of hourly equity."), z.number().min(0).max(100).describe("Its score.")]))
      .min(1)
      .refine((tiers) => tiers.every(([upTo], at) => at === 0 || upTo > (tiers[at - 1]?.[0] ?? 0)), "must rise")
      .describe("Score of the largest fall, as [up to this fraction, score], rising; above the last one 0."),
    eliminationUsdt: z.number().min(0).describe("Equity below this eliminates, USDT."),
    uptime: z.strictObject({
      disqualifiedBelow: fraction("Uptime below this disqualifies."),
      penalisedBelow: fraction("Uptime below this reduces the composite."),
      largestPenalty: fraction("By how much at most."),
    }),
  });

/** Its name in `config/`. */
export const SCORING_SCHEMA_FILE = "scoring.schema.json";

/** For editors; that weights add up and tiers rise is checked by the program alone. */
export const scoringFileSchema = (): z.core.JSONSchema.JSONSchema => ({
  title: "How the competition scores",
  ...z.toJSONSchema(scoringSchema(), { io: "input", target: "draft-7" }),
});

/** The program's own file as the build read it. It counts for exactly this text; an edited file is read again. */
interface ReadAhead {
  readonly text: string;
  readonly scoring: Scoring;
}

/** For the build: reading YAML takes longer than the rest of `ballast status`. */
export const READ_AHEAD_FILE = path.join(PACKAGE_ROOT, "dist/scoring.json");

export function readAhead(): ReadAhead {
  return { text: readFileSync(SCORING_FILE, "utf8"), scoring: ownScoring() };
}

function fromReadAhead(): Scoring | null {
  // Sources may read the file otherwise than the build that is there did.
  if (import.meta.url.endsWith(".ts")) return null;
  try {
    const { text, scoring } = JSON.parse(readFileSync(READ_AHEAD_FILE, "utf8")) as ReadAhead;
    return text === readFileSync(SCORING_FILE, "utf8") ? scoring : null;
  } catch {
    return null;
  }
}

/** The error names file, setting and rule. */
export function loadScoring(file: string): Result<Scoring, string> {
  let values: unknown;
  try {
    values = parse(readFileSync(file, "utf8"));
  } catch (cause) {
    return err(`${file} cannot be read as a scoring file: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const read = scoringSchema().safeParse(values);
  if (read.success) return ok(read.data);
  return err(
    read.error.issues.map(({ path, message }) => `${file}: ${path.join(".") || "(file)"}: ${message}`).join("\n"),
  );
}

let known: Scoring | null = null;

/** The program's own file, read once. It comes with the program, so that without it the installation is broken. */
export function ownScoring(): Scoring {
  return (known ??= fromReadAhead() ?? readOwn());
}

function readOwn(): Scoring {
  const read = loadScoring(SCORING_FILE);
  if (!read.ok) throw new Error(`${read.error}. Install the program again: its own file is missing or changed`);
  return read.value;
}
