/** The operator's consent as settings. */
import { z } from "zod";
import { decimal, span } from "../core/setting-fields.ts";

/** The terms of the operator's consent (`control/consent.ts`); a change of any of them ends the running session. */
export const session = z.strictObject({
  consent: z
    .string()
    .default("")
    .describe("Your consent to trade, in your own words. It must name both caps. Empty: the agent only observes."),
  consentFor: z
    .string()
    .regex(
      /^(embedded|[a-z0-9.-]+(:\d+)?|\[[0-9a-f:]+\](:\d+)?)$/,
      "must be embedded, or the host of SVC_API_HOST such as api.example.com",
    )
    .default("embedded")
    .describe(
      "The venue that the consent is for: `embedded`, or the host name of the real service. On any other venue it opens nothing.",
    ),
  live: z
    .boolean()
    .default(false)
    .describe(
      "Lets the agent write to an account of the real service for the first time, as `ballast run --live` does. The data folder remembers it.",
    ),
  maxNotionalPerOrder: decimal("Largest value of one order, USDT.").prefault("400"),
  maxTotalNotional: decimal("Sum of the values of all orders in one session, USDT.").prefault("20000"),
  expiresIn: span("Life of a session; a new one is started from the same consent when it ends.").prefault("1d"),
  allowedActions: z
    .array(z.enum(["order.place", "order.replace", "order.cancel"]))
    .default(["order.place", "order.replace", "order.cancel"])
    .describe("Actions that the session allows. Protective orders and closes are always allowed."),
  allowedOrderTypes: z.array(z.enum(["LIMIT", "MARKET"])).default(["LIMIT", "MARKET"]),
});
