/** Whether the settings let a question be asked at all. An unknown price refuses to start (architecture §6). */
import { err, ok, type Result } from "../core/result.ts";
import type { ModelPrice, ModelSettings } from "./port.ts";
import { checkPrice } from "./pricing.ts";
import type { PromptLibrary } from "./prompts.ts";

/** The first thing wrong, with the setting's name, the value found and the rule. */
export function checkSettings(settings: ModelSettings, prompts: PromptLibrary): Result<void, string> {
  const problem = [...rules(settings, prompts)].find(([holds]) => !holds);
  if (problem) return err(problem[1]);
  for (const price of settings.models) {
    const checked = checkPrice(price);
    if (!checked.ok) return checked;
    const wrong = modelProblem(price);
    if (wrong !== null) return err(wrong);
  }
  return ok(undefined);
}

function* rules(settings: ModelSettings, prompts: PromptLibrary): Generator<readonly [boolean, string]> {
  const { aiUrl, models, dayLimitUsd, dayBoundaryUtcHour, cacheSeconds, timeoutMs, maxConcurrent } = settings;
  const names = models.map((model) => model.name);
  const share = settings.reserveForHappenings;
  yield [isServiceUrl(aiUrl), `AI_BASE_URL is ${shown(aiUrl)}; expected http(s)://host[/path] without user or query`];
  yield [names.length > 0, "models is empty; at least one model is needed"];
  yield [new Set(names).size === names.length, `models names one twice: ${names.join(", ")}`];
  yield [dayLimitUsd.isFinite() && dayLimitUsd.gt(0), `dayLimitUsd is ${String(dayLimitUsd)}; it must be above zero`];
  yield [
    dayBoundaryUtcHour === "gateway" || isHour(dayBoundaryUtcHour),
    `dayBoundaryUtcHour is ${dayBoundaryUtcHour}; it must be a whole hour, 0 to 23, or "gateway"`,
  ];
  yield [cacheSeconds >= 0 && cacheSeconds <= 300, `cacheSeconds is ${cacheSeconds}; it must be 0 to 300`];
  yield [timeoutMs > 0 && timeoutMs <= 600_000, `timeoutMs is ${timeoutMs}; it must be above 0 and at most 600000`];
  yield [
    Number.isInteger(maxConcurrent) && maxConcurrent >= 1,
    `maxConcurrent is ${maxConcurrent}; it must be 1 or more`,
  ];
  yield [share >= 0 && share < 1, `reserveForHappenings is ${share}; it must be at least 0 and below 1`];
  const floorUsd = settings.floorUsd ?? null;
  yield [!floorUsd || floorUsd.lt(dayLimitUsd), `floorUsd is ${String(floorUsd)}; it must be below dayLimitUsd`];
  yield [
    prompts.heads.some((head) => head.name === "repair"),
    "the prompt `repair` is missing from the prompts folder",
  ];
}

/** What stands before an @ may be a password. */
const shown = (url: string): string => JSON.stringify(url.replace(/\/\/[^/]*@/, "//***@"));

const isHour = (hour: number): boolean => Number.isInteger(hour) && hour >= 0 && hour <= 23;

/** What of a model's own settings cannot work, whatever its price. */
function modelProblem({ name, speech, temperature, reasoningEffort }: ModelPrice): string | null {
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2)) {
    return `model ${name}: temperature is ${temperature}; it must be 0 to 2`;
  }
  const mute = speech === "messages" && reasoningEffort !== undefined;
  return mute ? `model ${name}: reasoningEffort cannot be said in the messages dialect; leave it out` : null;
}

function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === "";
}
