/** `session` rows: the automation session, and what orders use of it. */
import { z } from "zod";
import { decimal, instant, oneOf, text, texts } from "./fields.ts";
import { rowForm } from "./form.ts";
import { line, shown } from "./words.ts";

/** A session as it is stored; also in the documents of `svc`. */
export const storedSession = z
  .object({
    automationSessionId: text("Id of the session."),
    status: oneOf(["ACTIVE", "STOPPED"], "An expired session still has ACTIVE."),
    symbols: texts("Symbols it covers."),
    maxNotionalPerOrder: decimal("Largest value of one order, USDT."),
    maxTotalNotional: decimal("Largest value of all orders together, USDT."),
    usedNotional: decimal("USDT used by then; a start counts the reservations instead."),
    allowedActions: texts("Writes it covers."),
    allowedOrderTypes: texts("Order types it covers."),
    createdAtMs: instant("Start."),
    expiresAtMs: instant("Expiry."),
    acceptedRiskText: text("The owner's words of consent."),
    name: text("Its name.").nullable(),
    lastExtensionAcceptedRiskText: text("The owner's words at the last extension.").nullable(),
    stoppedAtMs: instant("When it was stopped.").nullable(),
  })
  .readonly()
  .meta({ description: "The session after the change." });

const changed = z
  .object({ event: oneOf(["started", "extended", "stopped"], "What happened to the session."), session: storedSession })
  .readonly();

const used = z
  .object({
    event: oneOf(["reserved", "released"], "An order used part of the session's cap, or returned it."),
    automationSessionId: text("Id of the session."),
    previewId: text("The preview of the order."),
    notional: decimal("USDT used or returned."),
  })
  .readonly();

export const SESSION = rowForm(
  "session",
  {
    written: "When a session is started, extended or stopped, and before each write that uses part of it.",
    readBy: "A start (sessions and what is used of them) and the verifier.",
  },
  z.union([used, changed]),
);

export type SessionRow = z.output<typeof SESSION.body>;
export const sessionRow = SESSION.write;
export const readSession = SESSION.read;

export const sessionText = (row: SessionRow): string =>
  "session" in row
    ? line(`${row.event} ${row.session.automationSessionId} of ${shown(row.session.maxTotalNotional)} USDT`, 300)
    : line(`${row.event} ${shown(row.notional)} USDT of the automation session`, 300);
