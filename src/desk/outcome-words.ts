/** An action in the words of a log line, figures first. */
import type { ActionKind, BusinessParams } from "./action.ts";

const VERB: Readonly<Record<ActionKind, string>> = {
  "order.place": "place",
  "order.replace": "amend",
  "order.cancel": "cancel",
  "order.cancel-all": "cancel all",
  "position.close": "close",
  "position.close-all": "close all",
  "position.set-leverage": "leverage",
  "portfolio.set-position-mode": "position mode",
  "algo.place": "stop",
  "algo.replace": "move stop",
  "algo.cancel": "cancel stop",
};

const SHOWN = [
  "side",
  "quantity",
  "symbol",
  "positionSide",
  "price",
  "triggerPrice",
  "stopLossPrice",
  "takeProfitPrice",
  "leverage",
  "mode",
  "exchange",
];
const LABEL: Readonly<Record<string, string>> = {
  price: "at",
  triggerPrice: "trigger",
  stopLossPrice: "stop",
  takeProfitPrice: "target",
  leverage: "to",
};

/** `place BUY 0.003 EXCHANGE_A_PERP_BTC_USDT LONG at 60120`. */
export function inWords(action: ActionKind, params: BusinessParams): string {
  const parts = SHOWN.filter((name) => params[name] !== undefined).map(
    (name) => `${LABEL[name] ? `${LABEL[name]} ` : ""}${String(params[name])}`,
  );
  if (parts.length === 0 && params["clientOrderId"] !== undefined) parts.push(String(params["clientOrderId"]));
  return [VERB[action], ...parts].join(" ");
}

/** Changes of account settings are logged at debug; orders, stops and closes at info. */
export const levelOf = (action: ActionKind): "info" | "debug" =>
  action === "position.set-leverage" || action === "portfolio.set-position-mode" ? "debug" : "info";
