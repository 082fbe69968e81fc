/** Whether the model answers: one short question, paid out of the day's budget, and the gateway's list of models. */
import { z } from "zod";
import { toWire } from "../core/decimal.ts";
import type { Result } from "../core/result.ts";
import type { ModelList } from "../llm/gateway/model-list.ts";
import type { ModelFailure, ModelOutcome } from "../core/model-outcome.ts";
import type { ModelGateway } from "../llm/contract/port.ts";
import { namesNext } from "../llm/calls/trouble.ts";
import { fail, pass, type CheckVerdict, warn, within } from "./check.ts";

const Ready = z.strictObject({ ready: z.boolean(), echo: z.string() });
const OUTPUT_TOKENS = 400;

export interface ModelCheckOptions {
  readonly gateway: ModelGateway;
  readonly list: ModelList;
  /** Written to the ledger's rows. */
  readonly decisionId: string;
  /** Where the gateway is, for people. */
  readonly address: string;
}

/** One model that answers is enough. A slow or busy one is a warning, because that may pass by itself. */
export async function modelAnswers({ gateway, list, decisionId, address }: ModelCheckOptions): Promise<CheckVerdict> {
  const question = gateway.ask({
    decisionId,
    purpose: "check",
    prompt: "ready",
    variables: {},
    replySchema: Ready,
    replySchemaName: "ready",
    maxOutputTokens: OUTPUT_TOKENS,
    fingerprint: decisionId,
  });
  const [outcome, names] = await Promise.all([
    within<ModelOutcome | null>(question, () => null),
    within<Result<readonly string[], string> | null>(list.look(), () => null),
  ]);
  if (outcome === null) {
    return names?.ok
      ? warn("the model has not answered a tiny question in 8 s", "take a faster model, or raise model.timeout")
      : fail(`the gateway at ${address} cannot be reached (no answer in time)`, "check AI_BASE_URL and the network");
  }
  if (outcome.kind === "answered")
    return pass(`${outcome.model} answers, for ${toWire(outcome.costUsd)} USD in ${Math.round(outcome.latencyMs)} ms`);
  return troubled(gateway, outcome, names?.ok ? names.value : null);
}

function troubled(gateway: ModelGateway, outcome: ModelFailure, names: readonly string[] | null): CheckVerdict {
  const { models } = gateway.budget();
  const [first] = models.flatMap(({ lastError }) => (lastError ? [lastError] : []));
  if (!first) return warn(outcome.reason, "see `ballast budget`");
  const next = first.kind === "model" ? namesNext(names) : first.next;
  const stays = models.every(({ lastError }) => lastError && (lastError.lasting || lastError.kind === "unreachable"));
  return stays ? fail(first.sentence, next) : warn(first.sentence, next);
}
