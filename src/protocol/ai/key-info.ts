/** What the gateway says about the calling key: its spend in the current budget period. Spec: 3 §8; records §14.2. */
import { z } from "zod";
import { parseInstant } from "../../core/time.ts";

/** Directly below `{ai_url}`, with no `/v1` before it; called by GET. */
export const KEY_INFO_PATH = "/key/info";

const info = z.looseObject({
  /** USD spent in the current budget period. */
  spend: z.number().nullish(),
  /** USD. */
  max_budget: z.number().nullish(),
  /** For example "1d". */
  budget_duration: z.string().nullish(),
  /** ISO time of the next reset. */
  budget_reset_at: z.string().nullish(),
  /** ISO time at which the key dies. */
  expires: z.string().nullish(),
  key_name: z.string().nullish(),
  key_alias: z.string().nullish(),
  /** Allowed models; empty means all. */
  models: z.array(z.string()).nullish(),
  tpm_limit: z.number().nullish(),
  rpm_limit: z.number().nullish(),
  max_parallel_requests: z.number().nullish(),
  blocked: z.boolean().nullish(),
});

/** Everything may be missing; the spend may stand in any of three places (records §14.2). */
export const keyInfoReply = z.looseObject({
  key: z.string().nullish(),
  spend: z.number().nullish(),
  info: info.nullish(),
  data: info.nullish(),
});
export type KeyInfoReply = z.output<typeof keyInfoReply>;

/** Spend of the running budget period; a cap or reset (epoch ms) that is not stated is null. */
export interface KeySpend {
  readonly spendUsd: number;
  readonly maxBudgetUsd: number | null;
  readonly resetsAtMs: number | null;
}

/** Looks for `spend` at the top, then in `info`, then in `data` (records §14.2). Null when it is nowhere. */
export function readKeySpend(reply: KeyInfoReply): KeySpend | null {
  const spendUsd = reply.spend ?? reply.info?.spend ?? reply.data?.spend;
  if (spendUsd === null || spendUsd === undefined) return null;
  const details = reply.info ?? reply.data;
  return {
    spendUsd,
    maxBudgetUsd: details?.max_budget ?? null,
    resetsAtMs: details?.budget_reset_at ? parseInstant(details.budget_reset_at) : null,
  };
}
