/** `ballast run`: reads options, environment and configuration, opens the journal, and starts the daemon. */
import path from "node:path";
import { createLogger } from "../ops/logger.ts";
import { lineRing } from "../ops/line-ring.ts";
import { createDeck } from "../deck/deck.ts";
import { atStart } from "../control/agent-settings.ts";
import { universeProblem } from "../control/universe.ts";
import { beginRun, keptFor, noting } from "../daemon/begin.ts";
import { startsOf } from "../ops/start-backoff.ts";
import { daemon } from "../daemon/daemon.ts";
import { type Environment, readEnvironment, statusProblem } from "../control/environment.ts";
import { pinned } from "../control/account-pin.ts";
import { beginEra, endEra, finishMoving } from "../control/eras.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { openLogFile } from "../ops/log-file.ts";
import { makeFolder } from "../core/make-folder.ts";
import { makePrivate } from "../ops/private-folder.ts";
import { newestRowMs, practiceClock } from "../daemon/practice-clock.ts";
import { hasPracticeState } from "../daemon/practice-state.ts";
import { journalPath } from "../ops/run-file.ts";
import { type ReloadSignal, reloadSignal } from "../ops/reload-signal.ts";
import { loadSources, type PlannedSource, sourceKeys } from "../control/sources.ts";
import { planNotifications } from "../control/notifications.ts";
import { loadStrategies, strategyFaults } from "../control/strategies.ts";
import { missedSwitch, naming, strategyInForce } from "../control/switching.ts";
import { idleCredentials, venueKind } from "../daemon/venue-access.ts";
import { loadConfig, oddities } from "../control/watch-config.ts";
import type { Strategies } from "../agent/contract/events.ts";
import type { Config, VenueKind } from "../config/config.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { whyAnswer } from "./why.ts";
import { seededEntropy } from "../core/entropy.ts";
import { type Env, timedIds } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { redactor, type Secret } from "../core/secret.ts";
import { JournalError } from "../journal/error.ts";
import type { JournalDisk } from "../journal/committer.ts";
import { type Journal, type JournalOptions, openJournal } from "../journal/journal.ts";
import { openPageStore, pagesDir } from "../journal/page-store.ts";
import { switchRow, type UseRow } from "../rows/switch.ts";
import { counted } from "../core/words.ts";
import type { RunOptions } from "../faces/cli/run-commands.ts";

/** A few thousand rows: enough for a halt and for every exit that may follow it. */
const RESERVE_BYTES = 4 * 1_048_576;
/** Log lines that the page shows. */
const LINES_SHOWN = 500;

const LIVE_ON_PRACTICE =
  "--live is for the real service, and venue.kind is embedded. Omit it to practise, or give a file with venue.kind: service.";

const FRESH_ON_SERVICE =
  "--fresh begins a new practice account, and venue.kind is service. Omit it, or give another folder with --data-dir.";

const complain = (code: number, lines: readonly string[]): number => {
  for (const line of lines) process.stderr.write(`ballast: ${line}\n`);
  return code;
};

interface StartInput {
  readonly environment: Environment;
  /** As the file has it. */
  readonly file: Config;
  /** As it is at the start, with the command line's strategy. */
  readonly config: Config;
  readonly kind: VenueKind;
  readonly strategies: Strategies;
  readonly sources: readonly PlannedSource[];
  readonly clock: Clock;
}

/** The combination of command line, environment and file; the exit code, after printing the error, if it is unusable. */
async function readStartInput(options: RunOptions): Promise<StartInput | number> {
  const { dataDir } = options;
  const given = dataDir === undefined ? {} : { BALLAST_DATA_DIR: dataDir, BALLAST_DATA_DIR_FILE: undefined };
  const read = readEnvironment({ ...process.env, ...given });
  if (!read.ok) return complain(EXIT.config, read.error);
  const environment = read.value;
  const loaded = loadConfig(options.config);
  if (!loaded.ok) return complain(EXIT.config, loaded.error);
  const file = loaded.value;
  const problem = universeProblem(file, environment.exchanges) ?? statusProblem(file.status, environment);
  if (problem) return complain(EXIT.config, [`${options.config} ${problem}`]);
  const config = withStrategy(atStart(file, systemClock().nowMs()), options.strategy);
  const kind = venueKind(config, environment);
  if (!kind.ok) return complain(EXIT.config, [kind.error]);
  if (options.fresh && kind.value !== "embedded") return complain(EXIT.usage, [FRESH_ON_SERVICE]);
  if (options.live && kind.value === "embedded") return complain(EXIT.usage, [LIVE_ON_PRACTICE]);
  const strategies = await loadStrategies(config);
  if (!strategies.ok) return complain(EXIT.config, [strategies.error]);
  const sources = await loadSources(config);
  if (!sources.ok) return complain(EXIT.config, [sources.error]);
  const speed = kind.value === "embedded" ? config.venue.embedded.speed : 1;
  // A practice clock that was left ahead of the machine's must not go back under its venue, orders and journal.
  const lastMs = speed === 1 || options.fresh ? 0 : newestRowMs(environment.dataDir);
  const clock = await practiceClock(options.practiceClock, speed, lastMs);
  if (!clock.ok) return complain(EXIT.usage, [clock.error]);
  return {
    environment,
    file,
    config,
    kind: kind.value,
    strategies: strategies.value,
    sources: sources.value,
    clock: clock.value,
  };
}

/** `disk` is for tests that end the process where it writes. */
export async function runProgram(
  options: RunOptions,
  { reloads = reloadSignal(), disk }: { readonly reloads?: ReloadSignal; readonly disk?: JournalDisk } = {},
): Promise<number> {
  const input = await readStartInput(options);
  if (typeof input === "number") return input;
  const { environment, file, config, kind, sources, clock } = input;
  const entropy = seededEntropy(`${process.pid}:${clock.nowMs()}`);
  const env: Env = { clock, entropy, ids: timedIds(clock.nowMs, entropy) };
  const { service, aiKey, statusToken } = environment;
  const given = [service?.accessKey, service?.secretKey, aiKey, statusToken, ...sourceKeys(sources)];
  const { secrets: ofTargets } = planNotifications(config.notifications, process.env);
  const redact = redactor([...given, ...ofTargets].filter((secret): secret is Secret => !!secret));
  const log = await createLogger({ clock: env.clock, format: options.logFormat, level: options.logLevel, redact });
  const runId = env.ids.next("b").slice(2);
  const books = { env, runId, redact, ...(disk ? { disk } : {}) };
  finishMoving(environment.dataDir);
  const journal = booksOfAccount(environment.dataDir, books, { kind, isFresh: options.fresh });
  if (typeof journal === "number") return journal;
  const keptIn = beginEra(environment.dataDir, journal, systemClock().nowMs());
  const logFile = openLogFile(environment.dataDir, (reason) =>
    log.event("warn", "log.lost", `the log file cannot be written (${reason}); trading continues without it`),
  );
  const lines = lineRing(LINES_SHOWN);
  log.copyTo((line) => {
    logFile.write(line);
    lines.push(line);
  });
  const inForce = await strategiesInForce(input, journal, { log, flag: options.strategy });
  await announceStart(input, options, { log, keptIn, strategy: inForce.strategies.chosen.strategy.name });
  log.event(
    "info",
    "journal.opened",
    `data folder ${path.resolve(environment.dataDir)}, ${counted(journal.opened.rows, "row")}`,
    { dataDir: path.resolve(environment.dataDir) },
  );
  try {
    const starts = startsOf(environment.dataDir, systemClock().nowMs());
    const begun = await beginRun(starts, log);
    if (!begun) return EXIT.ok;
    if (inForce.missed) journal.append(switchRow(inForce.missed));
    const limiter = keptFor(kind, env, environment.dataDir, log);
    const code = await daemon({
      ...(limiter ? { limiter } : {}),
      reloads,
      file: options.config,
      live: options.live === true,
      strategyFlag: options.strategy,
      filePhase: file.phase,
      fileUse: file.strategy.use,
      environment,
      config: inForce.config,
      strategies: inForce.strategies,
      sources,
      kind,
      env,
      log,
      redact,
      runId,
      journal,
      pages: openPageStore(pagesDir(environment.dataDir), { redact }),
      why: (id) =>
        whyAnswer({ reader: journal, dataDir: environment.dataDir, file: journalPath(environment.dataDir) }, id),
      page: createDeck({ log: lines, venue: kind === "embedded" ? "practice" : "the real service" }),
    });
    if (code === EXIT.ok) noting(log, "the end", () => starts.clean());
    return code;
  } finally {
    journal.close();
    log.flush();
    logFile.close();
  }
}

/** Logs which strategy starts on which account, and what is odd about the files and the environment. */
async function announceStart(
  { config, environment, kind }: StartInput,
  options: RunOptions,
  { log, keptIn, strategy }: { readonly log: Log; readonly keptIn: string | null; readonly strategy: string },
): Promise<void> {
  log.event("info", "agent.starting", `strategy ${strategy}, phase ${config.phase}; stop with Ctrl-C`, {
    strategy,
    phase: config.phase,
    config: path.resolve(options.config),
    pid: process.pid,
  });
  if (options.fresh || keptIn !== null) {
    const text = keptIn === null ? "there was none before" : `the previous account is kept: --data-dir ${keptIn}`;
    const why = options.fresh ? "" : ": the state of the previous one is gone";
    log.event("info", "era.begun", `a new practice account begins${why}; ${text}`, { keptIn });
  }
  for (const fault of await strategyFaults()) log.event("warn", "strategy.refused", fault);
  for (const odd of oddities(options.config)) log.event("warn", "config.odd", odd);
  const idle = idleCredentials(kind, environment);
  if (idle !== null) log.event("info", "venue.practice", idle);
}

/**
 * The journal of the account that will be traded, or an exit code. A practice account whose state is gone cannot go on: a new
 * one would use its order ids again, and the journal would take the new orders for the old ones.
 */
function booksOfAccount(
  dataDir: string,
  books: Parameters<typeof openBooks>[1],
  { kind, isFresh }: { readonly kind: VenueKind; readonly isFresh: boolean | undefined },
): Journal | number {
  const journal = openBooks(dataDir, books);
  if (typeof journal === "number") return journal;
  const isGone = kind === "embedded" && pinned(journal)?.venue === kind && !hasPracticeState(dataDir);
  if (!isFresh && !isGone) return journal;
  const ended = endEra(dataDir, journal);
  return ended.ok ? openBooks(dataDir, books) : complain(EXIT.usage, [ended.error]);
}

interface InForce {
  readonly config: Config;
  readonly strategies: Strategies;
  /** The row of a switch that no agent has recorded. */
  readonly missed: UseRow | null;
}

/** The command line's strategy, otherwise the newest choice of operator, schedule and file. */
async function strategiesInForce(
  { config: file, strategies: ofFile }: StartInput,
  journal: Journal,
  { log, flag }: { log: Log; flag: string | undefined },
): Promise<InForce> {
  const asInFile = { config: file, strategies: ofFile, missed: null };
  if (flag !== undefined) return asInFile;
  const standing = strategyInForce(journal, file, systemClock().nowMs());
  const missed = missedSwitch(journal, file, standing);
  if (standing.use === file.strategy.use) return { ...asInFile, missed };
  const config = naming(file, standing.use);
  const strategies = await loadStrategies(config);
  if (!strategies.ok) {
    log.event("warn", "strategy.refused", `${standing.by}: ${strategies.error}; the file's strategy decides`);
    return asInFile;
  }
  return { config, strategies: strategies.value, missed };
}

const withStrategy = <C extends { strategy: { use: string } }>(config: C, name: string | undefined): C =>
  name === undefined ? config : { ...config, strategy: { ...config.strategy, use: name } };

function openBooks(
  dataDir: string,
  parts: Pick<JournalOptions, "env" | "runId" | "redact" | "disk">,
): Journal | number {
  const made = makeFolder(dataDir);
  if (!made.ok) return complain(EXIT.journal, [`--data-dir: ${made.error}`]);
  const owned = makePrivate(dataDir);
  if (!owned.ok) return complain(EXIT.journal, [owned.error]);
  try {
    return openJournal({ path: journalPath(dataDir), pid: process.pid, reserveBytes: RESERVE_BYTES, ...parts });
  } catch (cause) {
    const inUse = cause instanceof JournalError && cause.kind === "in-use";
    return complain(inUse ? EXIT.alreadyRunning : EXIT.journal, [
      cause instanceof Error ? cause.message : String(cause),
    ]);
  }
}
