/**
 * Consent for one preview in the user's own words, the older alternative to a session. An accepted consent is echoed
 * in the preview; the submit is unchanged. Spec: 3 §2.2, §2.3; records §17.6.
 */
import { dec, type Decimal } from "../core/decimal.ts";
import { err, ok, type Result } from "../core/result.ts";
import { refuse, type Refusal } from "./refusal.ts";

/** As the caller gave it. Without `automationMode` the other fields are ignored. */
export interface SingleConsentInput {
  readonly automationMode: boolean;
  /** Passed through unchanged. */
  readonly automationConsentText?: string;
  readonly automationScope?: string;
}

/** Accepted consent. It replaces no token and charges no session; `maxNotional` is decimal text. */
export interface SingleConsent {
  readonly enabled: true;
  readonly confirmationMode: "automation-preview";
  readonly scope: "single-preview";
  readonly maxNotional: string;
}

const INTENT = /automat(ed|ion|ic|e)/i;

/** Whether `text` contains `word` as a whole word. */
const holdsWord = (text: string, word: string): boolean => text.split(/[^\w]+/).includes(word);

/**
 * Whether a number in `text` has this value: 100 equals 100.0, 100 differs from 1000, and 1,100 is one number. Digits
 * in a symbol's name (`1000PEPE`) do not count.
 */
function holdsNumber(text: string, value: Decimal): boolean {
  const figures = text.replace(/[A-Z0-9]+(_[A-Z0-9]+){3,}/g, " ").replace(/(\d),(?=\d{3}(?!\d))/g, "$1");
  return (figures.match(/(?<![\d.,])\d{1,30}(\.\d{1,30})?(?!\d|[.,]\d)/g) ?? []).some((found) => dec(found).eq(value));
}

/** Null if no such mode is requested; refused if the text lacks the symbol, the ceiling or the intent. */
export function singleConsent(
  input: SingleConsentInput,
  params: { readonly symbol?: unknown; readonly maxNotional?: unknown },
): Result<SingleConsent | null, Refusal> {
  if (!input.automationMode) return ok(null);
  const text = input.automationConsentText ?? "";
  const { symbol, maxNotional } = params;
  const lacks = (what: string): Result<never, Refusal> =>
    err(refuse("consent-text", `automationConsentText must ${what}`));
  if ((input.automationScope ?? "single-preview") !== "single-preview") {
    return err(refuse("consent-text", "automationScope must be single-preview"));
  }
  if (typeof symbol !== "string" || !holdsWord(text, symbol)) return lacks("name the exact symbol");
  if (typeof maxNotional !== "string" || !holdsNumber(text, dec(maxNotional)))
    return lacks("state the maxNotional value");
  if (!INTENT.test(text)) return lacks("say that it allows automation");
  return ok({ enabled: true, confirmationMode: "automation-preview", scope: "single-preview", maxNotional });
}
