/** Checks that the configuration schema cannot make: whether address, prompts and models fit together. */
import { err, ok, type Result } from "../../core/result.ts";
import type { PromptLibrary } from "../prompts/prompts.ts";
import type { ModelSettings } from "../contract/settings.ts";

/** The first error, with the setting's name, the value found and the rule. */
export function checkSettings(settings: ModelSettings, prompts: PromptLibrary): Result<void, string> {
  const problem = [...rules(settings, prompts)].find(([holds]) => !holds);
  return problem ? err(problem[1]) : ok(undefined);
}

function* rules(settings: ModelSettings, prompts: PromptLibrary): Generator<readonly [boolean, string]> {
  const { aiUrl, names: models, reserveForHappenings: share, dayLimitUsd, floorUsd, targetUsd } = settings;
  const names = models.map((model) => model.name);
  yield [isServiceUrl(aiUrl), `AI_BASE_URL is ${shown(aiUrl)}; expected http(s)://host[/path] without user or query`];
  yield [new Set(names).size === names.length, `model.names has one twice: ${names.join(", ")}`];
  yield [
    targetUsd === undefined || targetUsd.lte(dayLimitUsd),
    `model.targetUsd is above model.dayLimitUsd (${dayLimitUsd.toFixed()}); make it the smaller one`,
  ];
  yield [
    targetUsd === undefined || floorUsd === undefined || floorUsd.lte(targetUsd),
    `model.floorUsd is above model.targetUsd (${targetUsd?.toFixed() ?? ""}): the band could not be met; make it the smaller one`,
  ];
  yield [share < 1, `reserveForHappenings is ${share}; it must be below 1`];
  yield [
    prompts.heads.some((head) => head.name === "repair"),
    "the prompt `repair` is missing from the prompts folder",
  ];
  for (const { name, speech, reasoningEffort } of models)
    yield [
      speech === "chat" || reasoningEffort === undefined,
      `model ${name}: the messages dialect has no reasoningEffort; remove it`,
    ];
}

/** Text before an @ may be a password. */
const shown = (url: string): string => JSON.stringify(url.replace(/\/\/[^/]*@/, "//***@"));

function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === "";
}
