/** `ballast strategy new` and `ballast strategy check`: writes and tests a strategy of the owner's own. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { Config } from "../config/config.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type CheckFacts, checkText } from "../faces/cli/author-text.ts";
import type { CheckOptions, NewOptions } from "../faces/cli/deciding-commands.ts";
import { loadPrompts } from "../llm/prompts/prompts.ts";
import { listStrategies, loadStrategy, type StrategyFile, strategyFiles } from "../strategy/registry.ts";
import { promptFacts } from "../author/prompt-check.ts";
import { costWarnings, promptWarnings } from "../author/prompt-warnings.ts";
import { filesOf, writeStrategy } from "../author/scaffold.ts";
import { trialWarnings } from "../author/trial-warnings.ts";
import { tryOut } from "../author/trial.ts";
import { typeProblems } from "../author/type-check.ts";
import { complain, print } from "../ops/complaint.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { OWN_DIR, OWN_PROMPTS_DIR, OWN_STRATEGIES_DIR, PACKAGE_ROOT, PROMPTS_DIR } from "../ops/paths.ts";
import { loadSources, type PlannedSource } from "../control/sources.ts";
import { loadConfig } from "../control/watch-config.ts";
import { type SourceFinding, sourceFindings } from "../daemon/source-check.ts";

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
/** The fallback of a trial changes nothing, so that every effect is the candidate's. */
const FALLBACK = "hold";

/** Exit code 2 for an invalid name, 1 if files already exist. */
export function strategyNewProgram(name: string, { llm, json }: NewOptions): Promise<number> {
  return Promise.resolve(made(name, llm, json));
}

function made(name: string, llm: boolean, json: boolean): number {
  if (!NAME.test(name))
    return complain(
      `${JSON.stringify(name)} is not a valid name: lower-case letters, digits and dashes, a letter first`,
      EXIT.usage,
    );
  if (listStrategies().includes(name))
    return complain(`${name} is the name of a shipped strategy; choose another name`, EXIT.usage);
  const written = writeStrategy(name, { ownDir: OWN_DIR, asksModel: llm });
  if (!written.ok) return complain(written.error, EXIT.failed);
  const files = written.value.map(here);
  if (json) print(`${JSON.stringify({ name, files })}\n`);
  else print(`${files.map((file) => `wrote ${file}`).join("\n")}\n\n${nextSteps(name)}`);
  return EXIT.ok;
}

const here = (file: string): string => {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith("..") ? file : relative;
};

function nextSteps(name: string): string {
  const { strategy, config } = filesOf(name, OWN_DIR);
  return [
    "Next:",
    `  1. change ${here(strategy)} into your idea`,
    `  2. ballast strategy check ${name}`,
    `  3. ballast run --config ${here(config)} --data-dir data/${name}`,
    "docs/OWN-STRATEGY.md describes every step.\n",
  ].join("\n");
}

/** Exit code 3 if a check fails; a strategy that does nothing is reported and is no error. */
export async function strategyCheckProgram(name: string, options: CheckOptions): Promise<number> {
  const found = configFor(name, options.config);
  if (!found.ok) return complain(found.error, EXIT.config);
  const { config, file } = found.value;
  const facts = await checked(name, config, options.snapshots);
  if (options.json)
    print(`${JSON.stringify({ ok: facts.problems.length === 0, config: file, ...withoutCode(facts) })}\n`);
  else print(checkText(name, file, facts, options.prompt));
  return facts.problems.length === 0 ? EXIT.ok : EXIT.config;
}

/** Drops the question, whose reply schema is code. */
const withoutCode = (facts: CheckFacts): object => ({
  ...facts,
  trial: facts.trial && { ...facts.trial, question: undefined },
});

/** The given file; otherwise the strategy's own in the owner's folder; otherwise the shipped one for practice. */
function configFor(name: string, given: string | undefined): Result<{ config: Config; file: string }, string> {
  const own = filesOf(name, OWN_DIR).config;
  const file = given ?? (existsSync(own) ? own : path.join(PACKAGE_ROOT, "config", "agent.yaml"));
  const loaded = loadConfig(file);
  return loaded.ok ? ok({ config: loaded.value, file: here(file) }) : err(loaded.error.join("\n"));
}

const lines = (found: readonly SourceFinding[], wanted: SourceFinding["severity"]): readonly string[] =>
  found.flatMap(({ severity, path: setting, message }) => (severity === wanted ? [`${setting}: ${message}`] : []));

/** The sources on which the trial itself may report. */
const faultless = (planned: readonly PlannedSource[], found: readonly SourceFinding[]): readonly PlannedSource[] =>
  planned.filter(
    ({ name }) => !found.some(({ severity, path: at }) => severity === "error" && at.startsWith(`sources.${name}.`)),
  );

/** Shipped prompts have tests of their own. */
function ownPromptWarnings(name: string): readonly string[] {
  const file = path.join(OWN_PROMPTS_DIR, `${name}.md`);
  return existsSync(file) ? promptWarnings(here(file)) : [];
}

/** Problems of the types, or why they were not checked. */
function typesOf(file: StrategyFile | undefined): { types: readonly string[] | null; unchecked: string | null } {
  if (!file) return { types: null, unchecked: "there is no strategy of this name" };
  if (file.isShipped) return { types: null, unchecked: "a shipped strategy has no file of your own" };
  if (!file.path.endsWith(".ts")) return { types: null, unchecked: "the file is not TypeScript" };
  const types = typeProblems(file.path);
  return { types, unchecked: types === null ? "no compiler is installed here" : null };
}

async function checked(name: string, config: Config, snapshots: number): Promise<CheckFacts> {
  const file = strategyFiles(OWN_STRATEGIES_DIR).find((each) => each.name === name);
  const sources = await loadSources(config);
  const planned = sources.ok ? sources.value : [];
  const found = sourceFindings(planned, name);
  const sourceErrors = lines(found, "error");
  const nothing = { prompt: null, trial: null, warnings: lines(found, "warning") };
  const { types, unchecked } = typesOf(file);
  const typed = { ...nothing, types: types && types.length === 0, typesUnchecked: unchecked };
  const loaded = await loadStrategy(name, config.strategy.settings[name], OWN_STRATEGIES_DIR);
  if (!loaded.ok) return { ...typed, problems: [loaded.error, ...(types ?? []), ...sourceErrors] };
  const prompts = loadPrompts(PROMPTS_DIR, OWN_PROMPTS_DIR);
  const promptFaults = prompts.ok
    ? prompts.value.faults.filter((fault) => fault.includes(`${name}.md`))
    : [prompts.error];
  const fallback = await loadStrategy(FALLBACK, undefined);
  if (!fallback.ok) return { ...typed, problems: [fallback.error] };
  const tried = await tryOut(loaded.value, { config, fallback: fallback.value, snapshots });
  if (!tried.ok) return { ...typed, problems: [...(types ?? []), `strategy ${name} cannot be tried: ${tried.error}`] };
  const trial = tried.value;
  const prompt = trial.question === null ? null : promptFacts(trial.question, config);
  return {
    ...typed,
    trial,
    prompt: prompt?.ok === true ? prompt.value : null,
    warnings: [
      ...typed.warnings,
      ...trialWarnings(trial, faultless(planned, found)),
      ...(prompt?.ok === true ? [...ownPromptWarnings(prompt.value.prompt), ...costWarnings(prompt.value)] : []),
    ],
    problems: [
      ...(types ?? []),
      ...sourceErrors,
      ...promptFaults,
      ...(prompt && !prompt.ok && !promptFaults.includes(prompt.error) ? [prompt.error] : []),
      ...trial.faults.map(
        ({ call, reason, line, count }) => `${line ?? call}: ${reason} (${count} of ${trial.snapshots} snapshots)`,
      ),
      ...(trial.snapshots === 0 ? ["the practice market produced no snapshot; is the universe empty?"] : []),
    ],
  };
}
