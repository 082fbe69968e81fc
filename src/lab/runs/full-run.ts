/**
 * One strategy over a stretch of market, in full: the daemon's agent against the whole simulated service on virtual
 * time, with journal, previews, frames and signatures.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Config } from "../../config/config.ts";
import { sumDecimals } from "../../core/decimal.ts";
import { silentLog } from "../../core/log.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { MINUTE_MS } from "../../core/time.ts";
import { type AgentRun, type Harness, createHarness } from "../../harness/harness.ts";
import { makeFolder } from "../../core/make-folder.ts";
import { journalPath } from "../../ops/run-file.ts";
import type { JournalReader } from "../../journal/reader.ts";
import { readModelSettle } from "../../rows/model-settle.ts";
import type { JournalRow, RowKind } from "../../rows/row.ts";
import { readQuestion } from "../../rows/question.ts";
import { closedTrades } from "../../report/account/trades.ts";
import type { Exchange } from "../../sim/exchange/contract/api.ts";
import { accountOf } from "../figures/exchange-account.ts";
import { embeddedOptions } from "../../daemon/venue-access.ts";
import { DEFAULT_EXCHANGES } from "../../domain/symbol.ts";
import type { HostedOptions, MarketDisguise } from "../../sim/options.ts";
import type { EquityPoint } from "../../domain/competition-figures.ts";
import type { TradedRun } from "../figures/run-figures.ts";
import type { LabModels } from "../models/lab-models.ts";

const SAMPLE_MS = MINUTE_MS;
const STOP_STEP_MS = 100;
const STOP_PATIENCE_MS = 20_000;

export interface FullRunOptions {
  /** Its `strategy.use` is the strategy that runs. */
  readonly config: Config;
  readonly fromMs: number;
  readonly forMs: number;
  readonly seed: number;
  /** Step of the market and of the agent, ms. */
  readonly stepMs: number;
  /** A folder that keeps the run's journal and pages; without one they are removed. */
  readonly keep?: string;
  /** Answers its questions; by default the practice model of the service. */
  readonly models?: LabModels;
  /** Shows the market in disguise; `config` and `fromMs` are then the disguised ones. */
  readonly disguise?: MarketDisguise;
  /** Called after every minute with the completed share and the equity. */
  readonly onMinute?: (done: number, equityUsdt: number) => void;
  /** Receives the journal's rows of these kinds once the run has ended. */
  readonly rows?: { readonly kinds: readonly RowKind[]; readonly hear: (row: JournalRow) => void };
}

/** The error says what is wrong with the configuration, or why the run failed to start. */
export async function runFull(options: FullRunOptions): Promise<Result<TradedRun, string>> {
  const { config, fromMs: startMs, seed, stepMs, keep, models, disguise } = options;
  const strategy = config.strategy.use;
  const folder = keep ?? mkdtempSync(path.join(tmpdir(), "ballast-backtest-"));
  try {
    const dataDir = path.join(folder, strategy);
    const made = makeFolder(dataDir);
    if (!made.ok) return err(`--keep: ${made.error}`);
    // Otherwise an existing run would be continued, with its positions and lessons.
    if (existsSync(journalPath(dataDir))) return err(`--keep: ${dataDir} already holds a run; name another folder`);
    const stage = createHarness({
      ...{ config, seed, startMs, dataDir, log: silentLog, stepMs, keepPages: keep !== undefined, history: true },
      ...(models ? { models } : {}),
      ...(disguise ? { venue: venueOf(config, disguise) } : {}),
    });
    // Each step of the market comes before the agent's tick of the same instant.
    await stage.clock.advance(Math.min(100, stepMs / 2));
    const started = await stage.start();
    if (!started.ok) return err(started.error);
    const agentRun = started.value;
    const points = await sample(stage, agentRun, options);
    const result = resultOf(stage.venue.exchange, agentRun, { strategy, points, models });
    if (options.rows) agentRun.journal.rows({ kinds: options.rows.kinds }).forEach(options.rows.hear);
    await endRun(stage, agentRun);
    return ok(result);
  } catch (cause) {
    return err(`${strategy}: ${cause instanceof Error ? cause.message : String(cause)}`);
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** The instrument list of Phase I has only true names, so the venue accepts what the agent's own list allows. */
function venueOf(config: Config, disguise: MarketDisguise): Partial<HostedOptions> {
  const { settings = {} } = embeddedOptions(config, DEFAULT_EXCHANGES);
  return { disguise, settings: { ...settings, enforceUniverse: false } };
}

async function sample(
  { clock, venue }: Harness,
  agentRun: AgentRun,
  { forMs, models, onMinute }: FullRunOptions,
): Promise<readonly EquityPoint[]> {
  const points: EquityPoint[] = [];
  const beganMs = clock.nowMs();
  const take = (): number => {
    const [row] = venue.exchange.scoreboard(Math.floor(clock.nowMs()));
    const equityUsdt = Number(row?.equityUsdt ?? 0);
    points.push({ atMs: clock.nowMs(), equityUsdt });
    return equityUsdt;
  };
  take();
  const goesOn = (): boolean => agentRun.fatal() === null && (models?.stopped() ?? null) === null;
  while (clock.nowMs() - beganMs < forMs && goesOn()) {
    await clock.advance(Math.min(SAMPLE_MS, forMs - (clock.nowMs() - beganMs)));
    const equityUsdt = take();
    onMinute?.((clock.nowMs() - beganMs) / forMs, equityUsdt);
  }
  return points;
}

interface Ended {
  readonly strategy: string;
  readonly points: readonly EquityPoint[];
  readonly models: LabModels | undefined;
}

function resultOf(exchange: Exchange, { journal, fatal }: AgentRun, { strategy, points, models }: Ended): TradedRun {
  const cause = fatal();
  const stopped = models?.stopped() ?? null;
  const trades = closedTrades(journal, {});
  return {
    strategy,
    points,
    ...accountOf(exchange, points.at(-1)?.atMs ?? 0),
    trades,
    closedPositions: trades.length,
    decisions: new Set(journal.rows({ kinds: ["decision"] }).map(({ decisionId }) => decisionId)).size,
    models: answeredBy(journal),
    modelUsd: sumDecimals(journal.rows({ kinds: ["model-settle"] }).map((row) => readModelSettle(row).costUsd)),
    ...(models ? { questions: models.summary() } : {}),
    ended: cause === null ? stopped : `stopped: ${cause instanceof Error ? cause.message : String(cause)}`,
  };
}

function answeredBy(journal: Pick<JournalReader, "rows">): readonly string[] {
  const names = journal.rows({ kinds: ["question"] }).flatMap((row) => {
    const question = readQuestion(row);
    return "outcome" in question && question.outcome.model !== undefined ? [question.outcome.model] : [];
  });
  return [...new Set(names)].sort();
}

/** Closing takes virtual time (effects drain, streams close), so the clock must be advanced meanwhile. */
async function endRun({ clock, close }: Harness, agentRun: AgentRun): Promise<void> {
  let ended = false;
  const ending = agentRun.stop("the backtest is over").then(() => (ended = true));
  for (let waitedMs = 0; !ended && waitedMs < STOP_PATIENCE_MS; waitedMs += STOP_STEP_MS) {
    await clock.advance(STOP_STEP_MS);
  }
  if (!ended) agentRun.kill();
  await Promise.race([ending, Promise.resolve()]);
  await close();
}
