/**
 * The refusals of the venue: each code with its standard text, to which details are added. Spec: 1 §7.1; records §2.
 */
import { err, ok } from "../../../core/result.ts";
import type { VenueResult } from "./api.ts";

/**
 * Clients read "not found" and "not exist" in a text as an unknown order (records §1.1 note 4), so no other text
 * contains these words.
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

/** The codes that the exchange itself may return. Those of signature, permission and rate belong to the servers. */
export type RefusalCode = keyof typeof TEXTS;

/** A refusal with its code; `detail` gives the field, the value found and the rule. */
export function refuse(code: RefusalCode, detail?: string): VenueResult<never> {
  return err({ code, message: detail === undefined ? TEXTS[code] : `${TEXTS[code]}: ${detail}` });
}

/** The result of a passed check. One object for all, because checks are frequent. */
export const PASSED: VenueResult<null> = ok(null);
