/** The chosen strategy, its fallback and its shadows, loaded with their settings from the configuration file. */
import path from "node:path";
import type { ShadowArmed, Strategies } from "../agent/contract/events.ts";
import type { Config } from "../config/config.ts";
import { err, ok, type Result } from "../core/result.ts";
import {
  describeStrategy,
  hiddenStrategies,
  loadStrategy,
  strategyFileProblem,
  strategyFiles,
} from "../strategy/registry.ts";
import { loadPrompts } from "../llm/prompts/prompts.ts";
import { OWN_PROMPTS_DIR, OWN_STRATEGIES_DIR, PROMPTS_DIR } from "../ops/paths.ts";
import type { ArmedStrategy } from "../strategy/strategy.ts";
import { promptNamed } from "../strategy/trader-settings.ts";
import { cronProblem } from "./schedules.ts";

/** All of the file's settings, shadows and times are checked too; the error is for people. */
export async function loadStrategies(config: Config): Promise<Result<Strategies, string>> {
  const { strategy } = config;
  const fault = await settingsFault(config);
  if (fault !== null) return err(`strategy.settings: ${fault.message}`);
  const chosen = await loadStrategy(strategy.use, strategy.settings[strategy.use], OWN_STRATEGIES_DIR);
  if (!chosen.ok) return chosen;
  const fallback = await loadStrategy(strategy.fallback, strategy.settings[strategy.fallback], OWN_STRATEGIES_DIR);
  if (!fallback.ok) return fallback;
  if (fallback.value.strategy.needsModel) {
    return err(`strategy.fallback is ${strategy.fallback}, which needs a model itself; choose a rule such as hold`);
  }
  const shadows = await loadShadows(config);
  if (!shadows.ok) return shadows;
  const problem =
    (await scheduleProblem(config)) ?? promptProblem([chosen.value, ...shadows.value.map(({ armed }) => armed)]);
  return problem === null
    ? ok({ chosen: chosen.value, fallback: fallback.value, shadows: shadows.value })
    : err(problem);
}

/**
 * What is wrong with strategy files that nobody has asked for yet, one sentence each. Each stops only itself: a switch to it
 * would be refused with the same words.
 */
export async function strategyFaults(): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { name, path: file } of strategyFiles(OWN_STRATEGIES_DIR)) {
    const problem = await strategyFileProblem(name, OWN_STRATEGIES_DIR);
    if (problem !== null) faults.push(`${problem}; correct ${file}, or remove it`);
  }
  const hidden = hiddenStrategies(OWN_STRATEGIES_DIR).map(
    ({ name, path: file, by }) => `${file} is not used: ${by} has the name ${name} already; give it another name`,
  );
  return [...faults, ...hidden];
}

/** A bare name takes the strategy's settings for trading. Two shadows of one name would share a score. */
async function loadShadows({ strategy }: Config): Promise<Result<readonly ShadowArmed[], string>> {
  const shadows: ShadowArmed[] = [];
  for (const entry of strategy.shadows) {
    const { use, as, settings } =
      typeof entry === "string" ? { use: entry, as: entry, settings: strategy.settings[entry] } : entry;
    if (shadows.some(({ name }) => name === as))
      return err(`strategy.shadows names ${as} twice; give one another \`as\``);
    const loaded = await loadStrategy(use, settings, OWN_STRATEGIES_DIR);
    if (!loaded.ok) return err(`strategy.shadows: ${loaded.error}`);
    shadows.push({ name: as, armed: loaded.value });
  }
  return ok(shadows);
}

/** A strategy whose prompt is missing would fail at every decision. */
function promptProblem(armed: readonly ArmedStrategy[]): string | null {
  const wanted = armed.flatMap(({ strategy, settings }) => {
    const prompt = promptNamed(strategy.settings, settings);
    return prompt === null ? [] : [{ strategy: strategy.name, prompt }];
  });
  if (wanted.length === 0) return null;
  const prompts = loadPrompts(PROMPTS_DIR, OWN_PROMPTS_DIR);
  if (!prompts.ok) return prompts.error;
  const known = prompts.value.heads.map(({ name }) => name);
  const missing = wanted.find(({ prompt }) => !known.includes(prompt));
  if (missing === undefined) return null;
  const { strategy, prompt } = missing;
  const fault = prompts.value.faults.find((text) => text.includes(`${prompt}.md`));
  return `settings of strategy ${strategy}: prompt is ${prompt}, and ${fault ?? `there is no ${path.join(OWN_PROMPTS_DIR, prompt)}.md (there are: ${known.join(", ")}); write the file, or leave prompt out`}`;
}

/** What is wrong with a strategy's settings; `path` is dotted, from the top of the file. */
export interface SettingsFault {
  readonly path: string;
  readonly message: string;
}

/**
 * The first fault in the settings of any strategy. They come before the uses of it, which would be blamed for them. Unused
 * settings are checked too: otherwise a misspelt name would go unnoticed until the day of the switch.
 */
export async function settingsFault({ strategy }: Config): Promise<SettingsFault | null> {
  for (const [name, settings] of Object.entries(strategy.settings)) {
    const loaded = await loadStrategy(name, settings, OWN_STRATEGIES_DIR);
    if (loaded.ok) continue;
    const path = ["strategy", "settings", name, ...(await faultyField(name, settings))].join(".");
    return { path, message: loaded.error };
  }
  return null;
}

async function faultyField(name: string, settings: unknown): Promise<readonly PropertyKey[]> {
  const described = await describeStrategy(name, OWN_STRATEGIES_DIR);
  const [issue] = (described.ok && described.value.settings.safeParse(settings).error?.issues) || [];
  if (!issue) return [];
  return issue.code === "unrecognized_keys" ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
}

/** What is wrong with the schedule, or null: what will take over at four in the morning is checked now. */
async function scheduleProblem({ strategy, learning }: Config): Promise<string | null> {
  for (const { cron, use } of strategy.schedule) {
    const wrong = cronProblem(cron);
    if (wrong !== null) return `strategy.schedule: ${wrong}`;
    const loaded = await loadStrategy(use, strategy.settings[use], OWN_STRATEGIES_DIR);
    if (!loaded.ok) return `strategy.schedule: ${loaded.error}`;
  }
  const wrong = learning.review === "off" ? null : cronProblem(learning.review);
  return wrong === null ? null : `learning.review: ${wrong}`;
}
