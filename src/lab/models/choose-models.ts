/** Chooses the models of a command's runs by its options. */
import { isAbsolute, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { type Environment, readEnvironment } from "../../control/environment.ts";
import { loadStrategies } from "../../control/strategies.ts";
import { dec } from "../../core/decimal.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { Env } from "../../core/ids.ts";
import type { LabModels } from "./lab-models.ts";
import { labBudget, liveModels } from "./live-models.ts";
import { recordedReplies } from "./recorded-replies.ts";
import { replayedModels } from "./replayed-models.ts";
import { openReplyStore } from "./reply-store.ts";
import { counted } from "../../core/words.ts";

/** The options of the command that concern models. */
export interface ModelChoice {
  readonly fidelity: "fast" | "full";
  readonly model: "practice" | "replay" | "live";
  readonly replies?: string;
  /** USD. */
  readonly budget?: string;
}

export interface ModelSurroundings {
  readonly config: Config;
  /** Environment variables. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** the machine's own clock. */
  readonly env: Env;
  readonly say: (text: string) => void;
}

/** Creates the models of one run; null for the practice model, which is part of the simulated service. */
export type ModelsOfRun = () => LabModels | null;

const STORE = "data/model-replies";

/**
 * For runs of these strategies. The error names an option that is missing or unused, or a configured gateway that no
 * run would ask.
 */
export async function modelsFor(
  names: readonly string[],
  choice: ModelChoice,
  given: ModelSurroundings,
): Promise<Result<ModelsOfRun, string>> {
  const { fidelity, model, replies, budget } = choice;
  if (fidelity === "fast") return unusedInFast(choice);
  if (model !== "live" && budget !== undefined) return err("--budget is for --model live");
  if (model === "practice" && replies !== undefined) return err("--replies is for --model replay or live");
  if (model === "replay") {
    if (replies === undefined) return err("--model replay needs --replies DIR, the data folder of a run");
    return replay(replies, given);
  }
  const read = readEnvironment(given.variables);
  if (!read.ok) return err(read.error.join("\n"));
  if (model === "live") return live(choice, read.value, given);
  const asking = await firstAsking(names, given.config);
  if (asking === null) return ok(() => null);
  if (read.value.aiUrl !== null)
    return err(
      `AI_BASE_URL is set, but the practice model answers ${asking}: add --model live --budget USD to ask the gateway, or unset AI_BASE_URL`,
    );
  given.say(`model: the practice model of the simulated service, as ${given.config.model.names[0]?.name ?? "none"}`);
  return ok(() => null);
}

function unusedInFast({ model, replies, budget }: ModelChoice): Result<ModelsOfRun, string> {
  const unused = Object.entries({ model: model === "practice" ? undefined : model, replies, budget });
  const [first] = unused.filter(([, value]) => value !== undefined);
  return first ? err(`--${first[0]}: a fast run asks no model; add --fidelity full`) : ok(() => null);
}

/**
 * The first strategy or shadow that asks a model; null if none does. Reviews and scheduled switches are not part of a
 * run.
 */
async function firstAsking(names: readonly string[], config: Config): Promise<string | null> {
  for (const use of names) {
    const loaded = await loadStrategies({ ...config, strategy: { ...config.strategy, use } });
    if (!loaded.ok) continue;
    const { chosen, shadows } = loaded.value;
    if (chosen.strategy.needsModel) return use;
    const shadow = shadows?.find(({ armed }) => armed.strategy.needsModel);
    if (shadow) return `the shadow ${shadow.name}`;
  }
  return null;
}

function replay(dir: string, { config, say }: ModelSurroundings): Result<ModelsOfRun, string> {
  const found = recordedReplies(dir);
  if (!found.ok) return err(`--replies: ${found.error}`);
  say(`model: ${counted(found.value.length, "recorded reply", "recorded replies")} of ${dir}`);
  return ok(() => replayedModels({ replies: found.value, withinMs: config.cadence.every }));
}

function live(
  choice: ModelChoice,
  { aiUrl, aiKey }: Environment,
  { config, env, say }: ModelSurroundings,
): Result<ModelsOfRun, string> {
  if (!aiUrl || !aiKey) return err("--model live asks the gateway at AI_BASE_URL: set AI_BASE_URL and AI_API_KEY");
  if (choice.budget === undefined) return err("--model live is paid: add --budget USD, the most that it may cost");
  const dir = choice.replies ?? STORE;
  const budget = labBudget(dec(choice.budget));
  const store = openReplyStore(isAbsolute(dir) ? dir : resolve(dir));
  const { names: models, timeout: timeoutMs } = config.model;
  const named = models.map(({ name }) => name).join(", ");
  say(`model: ${named} at ${new URL(aiUrl).host}, for at most ${choice.budget} USD; replies are stored in ${dir}`);
  const onStep = (model: string, what: string): void =>
    say(`${model}: ${what}, because the gateway refused the previous form`);
  return ok(() => liveModels({ env, aiUrl, apiKey: aiKey, models, timeoutMs, budget, store, onStep }));
}
