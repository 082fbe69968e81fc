/** Orders and sessions in the words of document 3, as the cards of the client layer need them. */
import { text } from "../json.ts";
import { passed, type Drive, type Input } from "../svc-client.ts";
import type { Venue } from "../venue.ts";

/** What a preview of one's own opening needs: the leverage is the symbol's, 5 unless it was set. */
export async function farOrder(v: Venue, clientOrderId: string, more: Input = {}): Promise<Record<string, unknown>> {
  const { sym, side, positionSide, orderType, orderQty, limitPrice } = await v.farOrder();
  // Without zeros at the end, as a preview repeats its figures.
  const [price, quantity] = [String(Number(limitPrice)), String(Number(orderQty))];
  return {
    ...{ symbol: sym, side, positionSide, orderType, price, quantity },
    ...{ maxNotional: "400", clientOrderId },
    ...more,
  };
}

export const marketOrder = async (
  v: Venue,
  clientOrderId: string,
  more: Input = {},
): Promise<Record<string, unknown>> => {
  const order = { ...(await farOrder(v, clientOrderId)), orderType: "MARKET", ...more };
  return Object.fromEntries(Object.entries(order).filter(([name]) => name !== "price" || name in more));
};

const CONSENT = { explicitUserConsent: true, acceptedRiskText: "I allow automated orders within these caps." };

/** Starts a session and answers its id. */
export async function startSession(drive: Drive, symbol: unknown, more: Input = {}): Promise<string> {
  const terms = { symbols: [symbol], maxNotionalPerOrder: "400", maxTotalNotional: "1000", expiresInSeconds: 3_600 };
  const started = passed(await drive("automation.start", { ...terms, ...CONSENT, ...more }));
  return text(started["automationSessionId"] as string);
}
