/** The model side of a set-up: prices, the list of models, one real tiny question, and what is spent today. */
import type { Config } from "../config/config.ts";
import { toWire } from "../core/decimal.ts";
import { isoTime } from "../core/time.ts";
import type { ModelList } from "../llm/gateway/model-list.ts";
import type { ModelGateway } from "../llm/contract/port.ts";
import { namesNext } from "../llm/calls/trouble.ts";
import { type DoctorCheck, fail, pass, type CheckVerdict, warn } from "./check.ts";
import { modelAnswers } from "./model-answers.ts";

/** USD per million tokens: the prices of models worth asking within 10 USD a day. */
const PLAUSIBLE_USD = { least: 0.01, most: 100 };

export interface ModelAt {
  readonly gateway: ModelGateway;
  readonly list: ModelList;
  readonly config: Config;
  readonly decisionId: string;
  readonly address: string;
  /** True where the question is written into the day's ledger. */
  readonly booked: boolean;
}

export const modelChecks = (at: ModelAt): readonly DoctorCheck[] => [
  { id: "price", title: "price of the model", run: () => price(at) },
  { id: "model-list", title: "list of models", run: () => listed(at) },
  { id: "model", title: "model answers", run: () => answers(at) },
  { id: "spend", title: "spend today", run: () => spend(at) },
];

function price({ gateway, config }: ModelAt): CheckVerdict {
  const checked = gateway.check();
  if (!checked.ok) return fail(checked.error, "set it under model, or AI_BASE_URL");
  const { least, most } = PLAUSIBLE_USD;
  const odd = config.model.names.find(({ inputPerMillionUsd, outputPerMillionUsd }) =>
    [inputPerMillionUsd, outputPerMillionUsd].some((usd) => Number(usd) < least || Number(usd) > most),
  );
  return odd
    ? warn(
        `${odd.name}: ${odd.inputPerMillionUsd} and ${odd.outputPerMillionUsd} USD per million tokens are unusual`,
        "compare them with the provider's price list",
      )
    : pass("given and plausible");
}

async function listed({ list, config }: ModelAt): Promise<CheckVerdict> {
  const names = await list.look();
  if (!names.ok) return warn(`the list cannot be read (${names.error})`, "nothing, where the model answers");
  const missing = config.model.names.filter(({ name }) => !names.value.includes(name)).map(({ name }) => name);
  return missing.length === 0
    ? pass("every model is on it")
    : warn(`${missing.join(", ")} not on it`, namesNext(names.value));
}

async function answers(at: ModelAt): Promise<CheckVerdict> {
  const verdict = await modelAnswers(at);
  return verdict.result === "PASS" && !at.booked
    ? pass(`${verdict.text}; not booked in the journal, the gateway's own figure counts it`)
    : verdict;
}

async function spend({ gateway }: ModelAt): Promise<CheckVerdict> {
  await gateway.reconcile();
  const { usedUsd, limitUsd, leftUsd, dayEndMs } = gateway.budget();
  const text = `${toWire(usedUsd)} of ${toWire(limitUsd)} USD; the day ends at ${isoTime(dayEndMs)}`;
  return leftUsd.gt(0) ? pass(text) : warn(text, "no question is asked until then");
}
