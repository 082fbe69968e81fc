/**
 * How post-only entries did against crossing at their decision: what fills saved, what the price did after fills and after
 * misses, and the sum of both. Each observation counts once, however large its order; figures are basis points of the
 * middle at the decision.
 */
import { mean, sampleStandardDeviation } from "simple-statistics";
import type { Decimal } from "../../core/decimal.ts";
import { toWire, ZERO } from "../../core/decimal.ts";
import { formatSpan } from "../../core/time.ts";
import { counted } from "../../core/words.ts";
import { ENTRY_ENDS, type EntryEnd, type MarkoutBegin, type MarkoutRow } from "../../rows/markout.ts";

/** `error` is one standard error; null with fewer than two values. */
export interface Estimate {
  readonly bps: number;
  readonly error: number | null;
  readonly count: number;
}

export interface EntryHorizon {
  readonly afterMs: number;
  /** Move of the price from the end of the entry; negative after a fill is adverse selection. */
  readonly sinceFilled: Estimate | null;
  /** Move since the decision: what those who were not filled have missed. */
  readonly sinceMissed: Estimate | null;
  /** Saving against crossing over all entries; a miss saves the cost of crossing and loses the move. */
  readonly net: Estimate | null;
}

export interface EntryReport {
  readonly counts: Readonly<Record<EntryEnd, number>>;
  readonly valueUsdt: Readonly<Record<EntryEnd, string>>;
  /** Cost of crossing at the decision less what was paid, slippage and fee. */
  readonly saved: { readonly filled: Estimate | null; readonly crossed: Estimate | null };
  readonly horizons: readonly EntryHorizon[];
  /** Their price was not followed to the last horizon: too young, or the agent restarted. */
  readonly unfinished: number;
}

export function estimate(values: readonly number[]): Estimate | null {
  if (values.length === 0) return null;
  const error = values.length < 2 ? null : sampleStandardDeviation([...values]) / Math.sqrt(values.length);
  return { bps: mean([...values]), error, count: values.length };
}

interface Entry extends MarkoutBegin {
  /** By horizon; empty while it is followed. */
  readonly moves: ReadonlyMap<number, number>;
}

/** Null without a single observation. */
export function entryReport(rows: readonly MarkoutRow[]): EntryReport | null {
  const ends = new Map(rows.flatMap((row) => (row.event === "end" ? [[row.id, row.moves] as const] : [])));
  const entries = rows.flatMap((row): Entry[] => {
    if (row.event !== "begin") return [];
    const known = (ends.get(row.id) ?? []).flatMap(({ afterMs, movedBps }) =>
      movedBps === null ? [] : [[afterMs, movedBps] as const],
    );
    return [{ ...row, moves: new Map(known) }];
  });
  if (entries.length === 0) return null;
  const of = (ended: EntryEnd): readonly Entry[] => entries.filter((entry) => entry.ended === ended);
  const byEnd = <T>(figure: (some: readonly Entry[]) => T): Record<EntryEnd, T> =>
    Object.fromEntries(ENTRY_ENDS.map((ended) => [ended, figure(of(ended))])) as Record<EntryEnd, T>;
  const afters = [...new Set([...ends.values()].flat().map(({ afterMs }) => afterMs))].sort((a, b) => a - b);
  return {
    counts: byEnd((some) => some.length),
    valueUsdt: byEnd((some) =>
      toWire(some.reduce((sum: Decimal, { valueUsdt }) => sum.add(valueUsdt), ZERO).toDecimalPlaces(2)),
    ),
    saved: { filled: estimate(of("filled").flatMap(savedBps)), crossed: estimate(of("crossed").flatMap(savedBps)) },
    horizons: afters.map((afterMs) => horizonOf(entries, afterMs)),
    unfinished: entries.filter(({ id }) => !ends.has(id)).length,
  };
}

const savedBps = ({ crossBps, paidBps }: Entry): readonly number[] => (paidBps === null ? [] : [crossBps - paidBps]);

function horizonOf(entries: readonly Entry[], afterMs: number): EntryHorizon {
  const seen = entries.flatMap((entry) => {
    const moved = entry.moves.get(afterMs);
    return moved === undefined ? [] : [{ ...entry, moved }];
  });
  const missed = seen.filter(({ ended }) => ended === "missed");
  return {
    afterMs,
    sinceFilled: estimate(
      seen.filter(({ ended }) => ended === "filled").map(({ moved, movedBps }) => moved - movedBps),
    ),
    sinceMissed: estimate(missed.map(({ moved }) => moved)),
    net: estimate(
      seen.flatMap((entry) => (entry.ended === "missed" ? [entry.crossBps - entry.moved] : savedBps(entry))),
    ),
  };
}

const figure = (found: Estimate | null): string =>
  found === null ? "none" : `${found.bps.toFixed(2)}${found.error === null ? "" : ` (± ${found.error.toFixed(2)})`}`;

/** One sentence each, at most 100 columns. */
export function entrySentences({ counts, saved, horizons, unfinished }: EntryReport): readonly string[] {
  const times = horizons.map(({ afterMs }) => formatSpan(afterMs)).join(", ");
  const over = (pick: (one: EntryHorizon) => Estimate | null): string =>
    horizons.map((one) => figure(pick(one))).join(", ");
  const late = unfinished > 0 ? ` ${counted(unfinished, "was", "were")} not followed to the end.` : "";
  return [
    `Post-only entries: ${counts.filled} filled as maker, ${counts.crossed} crossed late, ${counts.missed} missed.${late}`,
    `Saved against crossing at the decision, bp (± standard error): fills ${figure(saved.filled)}, late ${figure(saved.crossed)}.`,
    ...(horizons.length === 0
      ? []
      : [
          `Price in favour of the entry ${times} later, bp: since fills ${over(({ sinceFilled }) => sinceFilled)};`,
          `after misses, since the decision ${over(({ sinceMissed }) => sinceMissed)}.`,
          `Net saving of all entries against crossing, bp: ${over(({ net }) => net)}.`,
        ]),
  ];
}
