/** What happens in a history, in words. */
import type { Untimed } from "./believer.ts";

/** One event that reaches the agent, in one line. */
export function describe(event: Untimed): string {
  switch (event.kind) {
    case "order":
      return `order ${event.update.clientOrderId} ${event.update.state} ${event.update.executedQty.toFixed()}`;
    case "fill":
      return `fill ${event.execution.transactionId} of ${event.execution.clientOrderId} ${event.execution.side} ${event.execution.qty.toFixed()}`;
    case "position":
      return `position ${event.update.positionSide} ${event.update.qty.toFixed()}`;
    case "account-read":
      return `list ${event.account.positions?.map(({ side, qty }) => `${side} ${qty.toFixed()}`).join(", ") ?? ""}`;
    default:
      return event.kind;
  }
}
