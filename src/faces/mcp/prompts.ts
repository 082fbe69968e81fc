/** Prompts for the common workflows, so that users need not know the order of the calls. Spec: 3 §3, §4. */

export interface Workflow {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  text(given: Readonly<Record<string, string>>): string;
}

const CONSENT = "Show me the preview and wait for my agreement before you submit.";

/** Every prompt that writes asks for the user's agreement first. */
export const WORKFLOWS: readonly Workflow[] = [
  {
    name: "place-order",
    description: "Preview an order, submit it on agreement, and read back the result.",
    arguments: [
      { name: "symbol", description: "For example EXCHANGE_A_PERP_BTC_USDT", required: true },
      { name: "intent", description: "What you want: side, size, price", required: true },
      { name: "maxNotional", description: "Ceiling in USDT", required: true },
    ],
    text: ({ symbol = "", intent = "", maxNotional = "" }) =>
      `Place an order in ${symbol}: ${intent}. Ceiling ${maxNotional} USDT. First call svc/market/get-orderbook and ` +
      `svc/market/get-symbol-info, then svc/order/place-preview with a clientOrderId of your own. ${CONSENT} Then call ` +
      `svc/order/place with exactly the previewed parameters, previewId and continueConsentId, and report the readback. ` +
      `If the status is NOT_VERIFIED, look the order up by its clientOrderId; never send it again.`,
  },
  {
    name: "close-position",
    description: "Close a position with its value bounded.",
    arguments: [{ name: "symbol", description: "Symbol of the position", required: true }],
    text: ({ symbol = "" }) =>
      `Close my position in ${symbol}. Read it with svc/position/query, preview with svc/trade/preview ` +
      `(targetCapabilityId position.close, reduceOnly true, maxNotional a little above its value, positionSide in hedge ` +
      `mode). ${CONSENT} Then svc/position/close with the same parameters, and confirm that the position is closed.`,
  },
  {
    name: "start-session",
    description: "Begin an automation session within caps that the user states.",
    arguments: [
      { name: "symbols", description: "Symbols, separated by commas", required: true },
      { name: "maxNotionalPerOrder", description: "Cap per order, USDT", required: true },
      { name: "maxTotalNotional", description: "Cap in total, USDT", required: true },
    ],
    text: ({ symbols = "", maxNotionalPerOrder = "", maxTotalNotional = "" }) =>
      `Ask me to agree in my own words to automated orders in ${symbols}, at most ${maxNotionalPerOrder} USDT each and ` +
      `${maxTotalNotional} USDT in total. Pass my words unchanged as acceptedRiskText to svc/automation/start with ` +
      `explicitUserConsent true. Bind each preview to the automationSessionId and watch svc/automation/status.`,
  },
  {
    name: "account-review",
    description: "Equity, positions, open orders and the last calls, in a few sentences.",
    arguments: [],
    text: () =>
      "Review my account: svc/portfolio/overview, svc/position/query, svc/order/open-orders and svc/algo/open-orders. " +
      "Say what is at risk, which position has no stop, and how far equity is above 800 USDT.",
  },
];
