/** One account's run as its journal recorded it: decisions with their targets, equity, and costs. */
import { z } from "zod";
import { type Decimal, ZERO } from "../../core/decimal.ts";
import type { EquityPoint } from "../../domain/competition-figures.ts";
import type { JournalReader } from "../../journal/reader.ts";
import { readConfig } from "../../rows/config.ts";
import { readDecision, type SnapshotSummary } from "../../rows/decision.ts";
import { readEquity } from "../../rows/equity.ts";
import { readFill } from "../../rows/fill.ts";
import { readTrade } from "../../rows/trade.ts";
import type { TargetPosition } from "../../strategy/strategy.ts";

export interface RecordedDecision {
  readonly atMs: number;
  readonly targets: readonly TargetPosition[];
}

export interface SeenPrice {
  readonly atMs: number;
  readonly price: number;
}

/** The requested span; all lists are oldest first. */
export interface RecordedRun {
  /** Decisions with targets. */
  readonly decisions: readonly RecordedDecision[];
  /** Decisions without targets. */
  readonly empty: number;
  readonly points: readonly EquityPoint[];
  /** The equity at each decision, if it was known. */
  readonly equities: readonly EquityPoint[];
  /** Mid prices by symbol at each decision, in ascending order of time. */
  readonly seen: ReadonlyMap<string, readonly SeenPrice[]>;
  readonly fills: number;
  readonly closedTrades: number;
  readonly feesUsdt: Decimal;
  /** Positions held at the first decision, which a replay does not have. */
  readonly heldAtStart: number;
  /** The configuration in force at the first decision, as text of a configuration file; null if the journal has none. */
  readonly config: string | null;
}

export interface RecordedSpan {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/** Throws RowError for a row that this build cannot read. */
export function recordedRun(reader: Pick<JournalReader, "rows">, { fromMs, toMs }: RecordedSpan): RecordedRun {
  const decisions: RecordedDecision[] = [];
  const points: EquityPoint[] = [];
  let [fills, closedTrades, empty, feesUsdt] = [0, 0, 0, ZERO];
  const equities: EquityPoint[] = [];
  const seen = new Map<string, SeenPrice[]>();
  let heldAtStart: number | null = null;
  for (const row of reader.rows({ kinds: ["decision", "equity", "fill", "trade"], sinceMs: fromMs })) {
    if (row.atMs >= toMs) continue;
    if (row.kind === "equity") {
      points.push({ atMs: row.atMs, equityUsdt: readEquity(row).equityUsdt.toNumber() });
    } else if (row.kind === "fill") {
      fills += 1;
      feesUsdt = feesUsdt.add(readFill(row).fee);
    } else if (row.kind === "trade") {
      if (readTrade(row).event === "closed") closedTrades += 1;
    } else {
      const decision = readDecision(row);
      if ("snapshot" in decision) {
        heldAtStart ??= decision.snapshot.account?.positions.length ?? 0;
        notePrices(seen, decision.snapshot);
        const { atMs, account } = decision.snapshot;
        if (account) equities.push({ atMs: wholeMs(atMs), equityUsdt: account.equityUsdt.toNumber() });
      }
      if (!("wishes" in decision)) continue;
      if (decision.wishes.length === 0) empty += 1;
      else decisions.push({ atMs: wholeMs(row.atMs), targets: decision.wishes.map(targetOf) });
    }
  }
  const firstMs = decisions[0]?.atMs ?? fromMs;
  const config = configAt(reader, firstMs);
  return {
    decisions,
    empty,
    points,
    equities,
    seen,
    fills,
    closedTrades,
    feesUsdt,
    heldAtStart: heldAtStart ?? 0,
    config,
  };
}

/** An accelerated practice clock has fractions of a millisecond; the exchange takes whole ones. */
const wholeMs = (atMs: number): number => Math.ceil(atMs);

const Quoted = z.object({ symbol: z.string(), bid: z.number().positive(), ask: z.number().positive() });

function notePrices(seen: Map<string, SeenPrice[]>, { atMs, symbols }: SnapshotSummary): void {
  for (const each of symbols) {
    const quoted = Quoted.safeParse(each);
    if (!quoted.success) continue;
    const { symbol, bid, ask } = quoted.data;
    const prices = seen.get(symbol) ?? [];
    prices.push({ atMs: wholeMs(atMs), price: (bid + ask) / 2 });
    seen.set(symbol, prices);
  }
}

type RecordedTarget = Extract<ReturnType<typeof readDecision>, { wishes: unknown }>["wishes"][number];

const targetOf = ({ urgency, trail, ...target }: RecordedTarget): TargetPosition => ({
  ...target,
  urgency: urgency === "rest" ? "rest" : "take",
  ...(trail === undefined ? {} : { trail }),
});

function configAt(reader: Pick<JournalReader, "rows">, atMs: number): string | null {
  const found = reader.rows({ kinds: ["config"] }).flatMap((row) => {
    const read = readConfig(row);
    return "config" in read ? [{ atMs: row.atMs, text: JSON.stringify(read.config) }] : [];
  });
  return (found.findLast((row) => row.atMs <= atMs) ?? found[0])?.text ?? null;
}
