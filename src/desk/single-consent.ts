/**
 * Consent for one preview in the user's own words, the older form beside the session. Accepted, it is echoed in the
 * preview; the submit is the same as ever. Spec: 3 §2.2, §2.3; records §17.6.
 */
import { dec, type Decimal } from "../core/decimal.ts";
import { err, ok, type Result } from "../core/result.ts";
import { refuse, type Refusal } from "./refusal.ts";

/** As the caller gave it. Without `automationMode` the other fields are not looked at. */
export interface SingleConsentInput {
  readonly automationMode: boolean;
  /** Passed through unchanged. */
  readonly automationConsentText?: string;
  readonly automationScope?: string;
}

/** Accepted consent. It stands for no token and charges no session; `maxNotional` is decimal text. */
export interface SingleConsent {
  readonly enabled: true;
  readonly confirmationMode: "automation-preview";
  readonly scope: "single-preview";
  readonly maxNotional: string;
}

const INTENT = /automat(ed|ion|ic|e)/i;

/** Whether `text` holds `word` whole, not as a part of a longer one. */
const holdsWord = (text: string, word: string): boolean => text.split(/[^\w]+/).includes(word);

/**
 * Whether one of the numbers in `text` has this value: 100 and 100.0 are one, 100 and 1000 are two, and 1,100 is one figure.
 * Figures in the name of a symbol (`1000PEPE`) are no numbers.
 */
function holdsNumber(text: string, value: Decimal): boolean {
  const figures = text.replace(/[A-Z0-9]+(_[A-Z0-9]+){3,}/g, " ").replace(/(\d),(?=\d{3}(?!\d))/g, "$1");
  return (figures.match(/(?<![\d.,])\d{1,30}(\.\d{1,30})?(?!\d|[.,]\d)/g) ?? []).some((found) => dec(found).eq(value));
}

/** Null when no such mode is asked for; refused when the text lacks the symbol, the ceiling or the intent. */
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
