/**
 * Which strategy decides. A saved file, the operator's command and the schedule may each choose one. The newest choice
 * counts, is a row in the journal, and survives a restart as long as the file still names the strategy it named then.
 */
import type { AgentEvent } from "../agent/contract/events.ts";
import type { Handover, SwitchedBy } from "../agent/contract/handover.ts";
import { asWritten, type Config, FIXED_AT_START } from "../config/config.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Log } from "../core/log.ts";
import type { JournalReader } from "../journal/reader.ts";
import { agentSettings, phaseTwoDue } from "./agent-settings.ts";
import { universeOf } from "./universe.ts";
import type { ConsentKeeper } from "./consent.ts";
import { type Due, lastDue } from "./schedules.ts";
import { loadStrategies } from "./strategies.ts";
import { configRow, readConfig } from "../rows/config.ts";
import type { RowValue } from "../rows/row.ts";
import { readSwitch, switchRow, type UseRow } from "../rows/switch.ts";
import { failedWireDrills } from "../desk/wire-drills.ts";
import { describeDrill, runDrills } from "../risk/drills.ts";
import { riskSettings } from "../risk/settings.ts";

type ScheduleEntry = Config["strategy"]["schedule"][number];

export interface SwitchingParts {
  readonly log: Log;
  /** As the agent runs it, with the strategy that decides now. */
  readonly config: Config;
  /** What the file says, which may name another strategy. */
  readonly fileUse: string;
  readonly strategyFlag: string | undefined;
  readonly exchange: string;
  readonly consent: Pick<ConsentKeeper, "change">;
  /** Whether a model can be asked at all: its prices are known and there is a key. */
  readonly modelCheck: () => Result<void, string>;
  readonly nowMs: () => number;
  readonly append: (row: RowValue<"switch" | "config">) => unknown;
  readonly dispatch: (event: AgentEvent) => void;
}

/** `request` names the operator's command that waits for an answer; null when none waits. */
export interface SwitchRequest {
  readonly use: string;
  /** Null: what the file says. */
  readonly handover: Handover | null;
  readonly by: SwitchedBy;
  readonly request: string | null;
}

/** An error says why a change was refused; the previous settings then stay in force. */
export interface Switching {
  /** A saved file: limits change, and the strategy where the file names another one than before. */
  accept(config: Config): Promise<Result<void, string>>;
  /** Begins Phase II if it is due by `venueMs`, the earliest time the venue's clock may show. Never throws. */
  beginPhase(venueMs: number): Promise<void>;
  /** A switch by the operator or the schedule. */
  use(word: SwitchRequest): Promise<Result<void, string>>;
  /** The configuration that runs. */
  current(): Config;
}

const PHASE_RETRY_MS = 60_000;

/** A copy in which `use` decides. */
export const naming = (config: Config, use: string): Config => ({ ...config, strategy: { ...config.strategy, use } });

/** One change at a time, in the order in which they came. */
function queue(): <T>(work: () => Promise<T>) => Promise<T> {
  let turn: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = turn.then(work, work);
    turn = next.catch(() => undefined);
    return next;
  };
}

/** One change at a time; each is checked whole before the agent hears of it. */
export function createSwitching(parts: SwitchingParts): Switching {
  let running = parts.config;
  let fileUse = parts.fileUse;
  let phaseTryMs = -Infinity;
  const oneAtATime = queue();

  // What the file names counts as heard once its rows stand: a file that the disk refused may be saved again.
  const apply = async (config: Config, word: SwitchRequest, named = fileUse): Promise<Result<void, string>> => {
    const strategies = await runnableStrategies(config, parts.modelCheck);
    if (!strategies.ok) return strategies;
    const switches = config.strategy.use !== running.strategy.use;
    // A switch that still waits in the agent goes by the word that asked for it, not by what the file says of others.
    const handover = word.handover ?? (switches ? (config.strategy.handover ?? null) : null);
    if (switches && handover === null) return err(handoverMissing(running.strategy.use, config.strategy.use));
    const settings = agentSettings(config, parts.exchange);
    const [{ use: from }, { use, by }, { windDownMs }] = [running.strategy, word, settings];
    // A start that finds the switch unmade finishes it.
    if ((by !== "file" && by !== "phase") || switches)
      parts.append(switchRow({ command: "use", from, use, handover, by, over: named, windDownMs }));
    // The journal has the whole configuration from here on: limits are judged by the row in force.
    if (JSON.stringify(config) !== JSON.stringify(running))
      parts.append(configRow({ by: word.by, config: asWritten(config) }));
    running = config;
    fileUse = named;
    parts.dispatch({
      kind: "settings",
      atMs: parts.nowMs(),
      settings,
      strategies: strategies.value,
      change: { handover, by: word.by, request: word.request },
    });
    return ok(undefined);
  };

  return {
    accept: (saved) =>
      oneAtATime(async () => {
        const read = asItRuns(saved, running, parts.nowMs());
        if (!read.ok) return read;
        const config = read.value;
        const { use: named } = config.strategy;
        const use = named !== fileUse && parts.strategyFlag === undefined ? named : running.strategy.use;
        const word = { use, handover: null, by: "file", request: null } as const;
        const applied = await apply(naming(config, use), word, named);
        if (applied.ok) await parts.consent.change(config.session, universeOf(config, parts.exchange));
        return applied;
      }),
    beginPhase: async (venueMs) => {
      if (!phaseTwoDue(running, venueMs) || venueMs < phaseTryMs) return;
      phaseTryMs = venueMs + PHASE_RETRY_MS;
      const refused = (why: string): void => parts.log.event("error", "strategy.refused", `Phase II: ${why}`);
      await oneAtATime(async () => {
        if (!phaseTwoDue(running, venueMs)) return;
        const config: Config = { ...running, phase: 2 };
        const applied = await apply(config, { use: config.strategy.use, handover: null, by: "phase", request: null });
        if (applied.ok) await parts.consent.change(config.session, universeOf(config, parts.exchange));
        else refused(applied.error);
        // A journal that takes no row just now is no reason to end: nobody waits for this answer. Faults D1, D8.
      }).catch((cause: unknown) => refused(String(cause)));
    },
    use: (word) =>
      oneAtATime(async () => {
        const applied = await apply(naming(running, word.use), word);
        if (!applied.ok)
          parts.log.event("error", "strategy.refused", `${word.by}: ${applied.error}`, { use: word.use });
        return applied;
      }),
    current: () => running,
  };
}

/** The strategies of a configuration; an error if one does not load, or needs a model that cannot be asked. */
async function runnableStrategies(config: Config, modelCheck: SwitchingParts["modelCheck"]) {
  const strategies = await loadStrategies(config);
  if (!strategies.ok) return strategies;
  const check = strategies.value.chosen.strategy.needsModel ? modelCheck() : ok(undefined);
  return check.ok ? strategies : check;
}

/** What a saved file makes of the configuration in force; the error says why it cannot. */
function asItRuns(saved: Config, running: Config, nowMs: number): Result<Config, string> {
  // Phase II stays begun, even if the file still names Phase I.
  const { phaseTwo } = saved.competition;
  const begun = running.phase === 2 && saved.phase === 1 && phaseTwo === running.competition.phaseTwo;
  const config: Config = begun && phaseTwo !== undefined ? { ...saved, phase: 2 } : saved;
  const fixed = FIXED_AT_START.filter((part) => JSON.stringify(config[part]) !== JSON.stringify(running[part]));
  if (fixed.length > 0) return err(`${fixed.join(", ")} can only change with a restart`);
  const failed = failedDrills(config, nowMs);
  return failed.length > 0 ? err(`a drill fails under these settings: ${failed.join("; ")}`) : ok(config);
}

const handoverMissing = (from: string, to: string): string =>
  `strategy: ${from} to ${to} needs a handover (adopt, wind-down or close) that says what happens to open positions: write strategy.handover, or give --handover with the command`;

/** Who is to decide; `missed` is the handover of a switch by schedule or file that no agent has heard of. */
export interface StrategyInForce {
  readonly use: string;
  readonly by: SwitchedBy;
  readonly missed: Handover | null;
}

/** The newest choice of strategy when an agent starts; the file's own when there was none since. */
export function strategyInForce(journal: JournalReader, config: Config, nowMs: number): StrategyInForce {
  const { use, schedule } = config.strategy;
  const word = newestWord(journal, use);
  const due: Due<ScheduleEntry> | null = lastDue(schedule, nowMs);
  if (due && due.atMs > (word?.atMs ?? -Infinity))
    return { use: due.entry.use, by: "schedule", missed: due.entry.handover };
  return word ? { ...word, missed: null } : { use, by: "file", missed: config.strategy.handover ?? null };
}

/**
 * The row of a switch that fell due, or was written into the file, while no agent ran: its handover is then finished like that of a switch that
 * was heard and not made. Null where nothing was missed, or who takes over decided before as well.
 */
export function missedSwitch(
  journal: JournalReader,
  file: Config,
  { use, by, missed }: StrategyInForce,
): UseRow | null {
  const [last] = journal.rows({ kinds: ["config"], limit: 1, newest: true }).map(readConfig);
  const from = last && "config" in last ? last.config.strategy?.use : undefined;
  if (missed === null || from === undefined || from === use) return null;
  const { use: over, windDown: windDownMs } = file.strategy;
  return { command: "use", from, use, handover: missed, by, over, windDownMs };
}

function newestWord(journal: JournalReader, fileUse: string): { use: string; by: SwitchedBy; atMs: number } | null {
  const rows = journal.rows({ kinds: ["switch"], limit: 200, newest: true });
  const words = rows.flatMap((row) => {
    const word = readSwitch(row);
    return "command" in word ? [{ ...word, atMs: row.atMs }] : [];
  });
  const last = words.at(-1);
  if (last?.over !== fileUse) return null;
  return { use: last.use, by: last.by === "schedule" ? "schedule" : "operator", atMs: last.atMs };
}

/** Runs a configuration's drills, of the review in both position modes and of the wire, and says what failed. */
export function failedDrills(config: Config, nowMs: number): readonly string[] {
  const { phase, session } = config;
  const caps = { perOrderUsdt: session.maxNotionalPerOrder, totalUsdt: session.maxTotalNotional };
  const settings = riskSettings(config.risk);
  const results = [true, false].flatMap((hedgeMode) => runDrills(settings, { phase, hedgeMode, nowMs, caps }));
  const failed = results.filter((result) => !result.passed).map(describeDrill);
  return [...new Set([...failed, ...failedWireDrills({ ...settings, phase })])];
}
