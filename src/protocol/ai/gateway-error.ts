/** How the model gateway refuses. Spec: records §14.3. */
import { z } from "zod";

/** Only the member `error` is needed; everything in it may be missing or null. */
export const gatewayErrorBody = z.looseObject({
  error: z.looseObject({
    message: z.string().nullish(),
    /** budget_exceeded, rate_limit_error, auth_error, expired_key, key_model_access_denied, … */
    type: z.string().nullish(),
    param: z.unknown().optional(),
    /** The HTTP status as text. */
    code: z.union([z.string(), z.number()]).nullish(),
  }),
});

/** An error body as a server sends it, with the HTTP status as text in `code`. */
export const gatewayError = (status: number, type: string, message: string): Record<string, unknown> => ({
  error: { message, type, param: null, code: String(status) },
});

/** What an error answer asks of the caller; `readGatewayError` tells it from type, text and status together. */
export type GatewayVerdict =
  /** The money of the period is spent: nothing more until it resets. */
  | "budget-spent"
  /** Too fast: the same call may succeed later. */
  | "slow-down"
  /** The key or the model is not allowed: only an operator can mend it. */
  | "key-refused"
  /** The request itself is wrong. */
  | "bad-request"
  /** Upstream failed; the call may or may not have been billed. */
  | "upstream-failed";

/** Budget is told from rate by type or by the word in the message, never by the status: it comes as 400 and as 429. */
export function readGatewayError(status: number, bodyText: string): { verdict: GatewayVerdict; message: string } {
  const { type, message } = errorPartOf(bodyText);
  const verdict = (): GatewayVerdict => {
    if (type === "budget_exceeded" || /budget/i.test(message)) return "budget-spent";
    if (status === 429) return "slow-down";
    if (status === 401 || status === 403) return "key-refused";
    return status >= 400 && status < 500 && status !== 408 ? "bad-request" : "upstream-failed";
  };
  return { verdict: verdict(), message: message || `HTTP ${status}` };
}

function errorPartOf(bodyText: string): { type: string; message: string } {
  try {
    const parsed = gatewayErrorBody.safeParse(JSON.parse(bodyText));
    if (parsed.success) return { type: parsed.data.error.type ?? "", message: parsed.data.error.message ?? "" };
  } catch {
    // Not JSON: a proxy in between spoke. The text itself is all there is.
  }
  return { type: "", message: bodyText.slice(0, 200) };
}
