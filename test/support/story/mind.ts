/** What decides in a story: what the strategy wants, what a model answers, which strategy takes over, what a session allows. */
import type { Handover, SwitchedBy } from "../../../src/agent/contract/handover.ts";
import type { TargetPosition } from "../../../src/strategy/strategy.ts";
import { BTC, ETH, holding, session, settingsOf, target, targeting } from "../agent-world.ts";
import { modelAnswer, modelFailure } from "../model-outcomes.ts";
import { after, sideOf, type Story, symbolOf, type Words } from "./words.ts";

function targetOf(part: string): TargetPosition {
  const words = part.trim().split(" ");
  const [symbol = "", side = "", size = ""] = words;
  const distance = (word: string): number | undefined =>
    words.includes(word) ? Number(after(words, word)) : undefined;
  return target({
    ...{ symbol: symbolOf(symbol), leg: sideOf(side), size: side === "flat" ? 0 : Number(size) },
    ...{ stopDistance: distance("stop") ?? 0.02, targetDistance: distance("target") ?? null },
    urgency: words.includes("resting") ? "rest" : "take",
  });
}

/** `wants BTC LONG 0.5 [resting] [stop 0.01] [target 0.05], ETH SHORT 0.3 | nothing`, and `BTC flat` */
export function want({ world }: Story, rest: string): void {
  if (!world.takesTargets) throw new Error("the strategies of this world are the test's own");
  const wanted = rest === "nothing" ? [] : rest.split(",").map(targetOf);
  world.targets.splice(0, world.targets.length, ...wanted);
}

/** `model answers [costing 0.02] | fails HTTP 529`, and `[part 1] [for NAME]`, NAME being that of a shadow. */
export function modelReplies({ world }: Story, line: string): void {
  const [verb = "", ...words] = line.split(" ");
  const { decisionId } = world.last("ask-model");
  const [shadow, part] = [after(words, "for"), after(words, "part")];
  const reason = line.replace(/^fails /, "").replace(/ part \d+$/, "");
  const outcome = verb === "answers" ? modelAnswer({}, after(words, "costing") ?? "0.01") : modelFailure(reason);
  world.feed({ kind: "model", decisionId, part: Number(part ?? 0), outcome, ...(shadow ? { shadow } : {}) });
}

/** `switch to NAME [adopt | close | wind-down] [by file] [as q-2]`: the strategy that takes over wants what the story says. */
export function switchTo({ world }: Story, words: Words): void {
  const name = after(words, "to") ?? "";
  const handover = words.find((word): word is Handover => /^(adopt|close|wind-down)$/.test(word)) ?? null;
  const by = (after(words, "by") ?? "operator") as SwitchedBy;
  const request = after(words, "as") ?? null;
  const strategies = { chosen: targeting(name, world.targets), fallback: holding() };
  const settings = world.given.settings ?? settingsOf();
  world.feed({ kind: "settings", settings, strategies, change: { handover, by, request } });
}

/** `session none because it is over | stopped | active | for order.place order.cancel` */
export function readSession({ world }: Story, words: Words): void {
  const given = { ...session(world.nowMs), symbols: [BTC, ETH] };
  const [how = "", ...actions] = words;
  if (how === "none") return void world.feed({ kind: "session", session: null, reason: actions.slice(1).join(" ") });
  const shown = how === "for" ? { ...given, allowedActions: actions } : { ...given, active: how !== "stopped" };
  world.feed({ kind: "session", session: shown, reason: "" });
}
