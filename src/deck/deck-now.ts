/** The state of this second, as the page shows it: the status report without what only a machine reads. */
import { scoreLines } from "../context/score-text.ts";
import type { PageParts } from "../daemon/daemon-setup.ts";
import type { JournalReader } from "../journal/reader.ts";
import { toWire } from "../core/decimal.ts";
import { readPosition } from "../rows/position.ts";
import { listStrategies } from "../strategy/registry.ts";
import { partsOf } from "./parts.ts";
import type { DeckNow } from "./shapes.ts";

/** Position rows looked through for the reasons of what is held; a position is older than its newest row. */
const ROWS_READ = 200;

/** `venue` is a word for a person. */
export function createDeckNow({ setup, running, status }: PageParts, venue: string): () => DeckNow {
  const { clock } = setup.env;
  const thesisOf = createTheses(setup.journal);
  // Files of strategies hardly ever change while an agent runs, and looking for them is work for the disk.
  const strategies = listStrategies();
  return () => {
    const report = status();
    const nowMs = clock.nowMs();
    const budget = running.gateway.budget();
    const { uptime, health, deciding } = report;
    return {
      atMs: report.atMs,
      boot: report.boot,
      stage: report.stage,
      observing: report.observing,
      strategy: report.strategy,
      fallback: report.fallback,
      equityUsdt: report.equityUsdt,
      floorUsdt: report.floorUsdt,
      floorDistanceUsdt: report.floorDistanceUsdt,
      floorState: report.floorState,
      floorReason: report.floorReason,
      feesTodayUsdt: report.feesTodayUsdt,
      realizedTodayUsdt: report.realizedTodayUsdt,
      dayStartEquityUsdt: report.dayStartEquityUsdt,
      maxPositions: report.maxPositions,
      orders: report.orders,
      session: report.session,
      readOnly: report.readOnly,
      streams: report.streams,
      uptime,
      score: report.score,
      entriesBlocked: report.entriesBlocked,
      deciding,
      benched: report.benched,
      accountAgeMs: report.accountAgeMs,
      phase: setup.config.phase,
      scoreLines: report.score === null ? [] : scoreLines(report.score),
      parts: partsOf(report, setup.journal.rows({ limit: 1, newest: true }).at(-1)?.atMs ?? null),
      strategies,
      positions: report.positions.map((position) => ({
        ...position,
        markPrice: running.context.quote(position.symbol, nowMs).mark,
        thesis: thesisOf(position.symbol, position.side),
      })),
      health: { state: health.state, reason: health.reason, causes: health.causes },
      model: {
        spentTodayUsd: toWire(budget.usedUsd),
        limitUsd: toWire(budget.limitUsd),
        leastUsd: budget.floorUsd && toWire(budget.floorUsd),
        forecastUsd: toWire(budget.forecastUsd),
        asks: report.asksModel,
      },
      commands: setup.environment.statusToken !== null && setup.environment.statusToken !== undefined,
      venue,
    };
  };
}

/** Why each position was opened, by its newest row; rows are read once. */
function createTheses(reader: Pick<JournalReader, "rows">): (symbol: string, side: string) => string {
  const known = new Map<string, string>();
  let seq: number | null = null;
  return (symbol, side) => {
    const rows =
      seq === null
        ? reader.rows({ kinds: ["position"], limit: ROWS_READ, newest: true })
        : reader.rows({ kinds: ["position"], sinceSeq: seq, limit: ROWS_READ });
    for (const row of rows) {
      seq = row.seq;
      const { leg, thesis } = readPosition(row);
      if (thesis !== null) known.set(leg, thesis);
    }
    seq ??= 0;
    return known.get(`${symbol}|${side}`) ?? "";
  };
}
