/** The refusals of the venue: each code with its standard text, to which the case at hand is added. Spec: 1 §7.1; records §2. */
import { err, ok } from "../../core/result.ts";
import type { Answer } from "./api.ts";

/**
 * Clients read "not found" and "not exist" in a text as the order being unknown (records §1.1 note 4), so these words
 * stand in no other text.
 */
const TEXTS = {
  50001: "Service temporarily unavailable",
  2002: "Invalid API authorization",
  30015: "Phase value is not valid",
  30016: "No ranking data yet",
  1100005: "Participant is not bound to this key",
  100018: "API key unknown or disabled",
  100041: "API key frozen",
  400001: "Invalid parameter",
  400009: "Malformed symbol",
  401011: "Symbol is not supported",
  401015: "Price or quantity breaks the precision rules",
  401017: "Order value is below the minimum notional",
  401018: "Order not found",
  401023: "Insufficient margin",
  401058: "Order is already in a terminal state",
  401097: "Position quantity is 0",
  401117: "Order already completed",
  406010: "Duplicate clientOrderId",
  406012: "Position mode cannot change while positions or orders are open",
} as const;

/** The codes the exchange itself may answer. Those of signature, permission and rate are the servers'. */
export type RefusalCode = keyof typeof TEXTS;

/** A refusal with its code; `detail` says which field, what was found and what the rule is. */
export function refuse(code: RefusalCode, detail?: string): Answer<never> {
  return err({ code, message: detail === undefined ? TEXTS[code] : `${TEXTS[code]}: ${detail}` });
}

/** The answer of a check that has nothing to object. One object for all, because checks are many. */
export const PASSED: Answer<null> = ok(null);
