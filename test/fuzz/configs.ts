/** Mutated configuration files: each is refused with a place and a reason, or lies within bounds that are this test's own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { Config } from "../../src/config/config.ts";
import { readConfig } from "../../src/config/read.ts";
import { type Entropy, seededEntropy } from "../../src/core/entropy.ts";
import { ruleBreaches } from "../../src/config/rules.ts";
import { type Fuzzed, messageOf } from "./fuzzed.ts";
import { otherJson, otherText } from "./mutate.ts";

const FILES = ["agent.yaml", "phase1.yaml", "phase2.yaml"] as const;
const DAY_MS = 86_400_000;

const within = (name: string, found: unknown, least: number, most: number): readonly string[] =>
  Number(found) >= least && Number(found) <= most ? [] : [`${name} is ${String(found)}`];

/** What could ruin the account or lose the competition, in figures that no code of the agent gives. */
export function outside({ risk, execution, session, model }: Config): readonly string[] {
  return [
    ...within("gapMajors", risk.gapMajors, 0.05, 1),
    ...within("gapOthers", risk.gapOthers, 0.1, 1),
    ...within("flattenUsdt", risk.flattenUsdt, 810, Infinity),
    ...within("holdUsdt", risk.holdUsdt, Number(risk.flattenUsdt), Infinity),
    ...within("warnUsdt", risk.warnUsdt, Number(risk.holdUsdt), Infinity),
    ...within("bufferUsdt", risk.bufferUsdt, 0, Infinity),
    ...within("maxStopDistance", risk.maxStopDistance, 0, 0.2),
    ...within("defaultStopDistance", risk.defaultStopDistance, Number.MIN_VALUE, Number(risk.maxStopDistance)),
    ...within("dailyLossStop", risk.dailyLossStop, 0, 0.15),
    ...within("perOrderEquityShare", risk.perOrderEquityShare, 0, 1),
    ...within("leverageSafety", risk.leverageSafety, 0, 1),
    ...within("maxMarkAge", risk.maxMarkAge, 0, 10_000),
    ...within("slippage", execution.slippage, 0, 0.02),
    ...within("protectWithin", execution.protectWithin, 2_000, 60_000),
    ...within("maxNotionalPerOrder", session.maxNotionalPerOrder, 0, Number(session.maxTotalNotional)),
    ...within("expiresIn", session.expiresIn, 60_000, 30 * DAY_MS),
    ...within("dayLimitUsd", model.dayLimitUsd, 0, 10),
    ...within("cache", model.cache, 0, 300_000),
  ];
}

/** A file's text or one of its values changed; the second kind is a sound file of unsound settings. */
function otherFile(entropy: Entropy, text: string): string {
  if (entropy.chance("text", 0.4)) {
    let changed = text;
    for (let change = entropy.int("changes", 1, 4); change > 0; change--) changed = otherText(entropy, changed);
    return changed;
  }
  return stringify(otherJson(entropy, parse(text)));
}

/** Whether the file was taken, and what is wrong with it nevertheless, or with its refusal. */
export function judgeFile(text: string): { readonly accepted: boolean; readonly problems: readonly string[] } {
  try {
    const read = readConfig(text);
    if (read.ok) {
      const broken = ruleBreaches(read.value).filter(({ severity }) => severity === "error");
      return {
        accepted: true,
        problems: [...outside(read.value), ...broken.map(({ path, rule }) => `${path}: ${rule}`)],
      };
    }
    const unsaid = read.error.length === 0 || read.error.some(({ message }) => message.trim() === "");
    return { accepted: false, problems: unsaid ? ["it is refused without a reason"] : [] };
  } catch (cause) {
    return { accepted: false, problems: [`it threw ${messageOf(cause)}`] };
  }
}

export function fuzzConfigs(count: number, seed: number): Fuzzed {
  const texts = FILES.map((name) => readFileSync(join(import.meta.dirname, "../../config", name), "utf8"));
  const entropy = seededEntropy(`configs:${seed}`);
  const problems: string[] = [];
  let accepted = 0;
  for (let tried = 0; tried < count; tried++) {
    const text = otherFile(entropy, texts[tried % texts.length] ?? "");
    const outcome = judgeFile(text);
    if (outcome.accepted) accepted += 1;
    problems.push(...outcome.problems.map((what) => `${what}, in the file ${tried} of seed ${seed}`));
  }
  return { tried: count, accepted, problems };
}
