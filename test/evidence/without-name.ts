/** What an agent hears where the venue's records have lost the client's name of an order. */
import type { Execution, Order } from "../../src/domain/order.ts";
import type { Untimed } from "./believer.ts";

/** As the reader of a record that lacks it gives it: by its order id. */
const idOnly = <T extends { readonly orderId: string }>(record: T): T => ({
  ...record,
  clientOrderId: record.orderId,
});

/** The same message of orders that are known by their order id alone; a question about one names it still. */
export function withoutName(event: Untimed): Untimed {
  switch (event.kind) {
    case "order":
      return { ...event, update: idOnly(event.update) };
    case "fill":
      return { ...event, execution: idOnly(event.execution) };
    case "fills-read":
      return { ...event, fills: event.fills && event.fills.map((fill: Execution) => idOnly(fill)) };
    case "account-read": {
      const { openOrders } = event.account;
      return {
        ...event,
        account: { ...event.account, openOrders: openOrders && openOrders.map((order: Order) => idOnly(order)) },
      };
    }
    case "looked-up":
      return event.found.kind === "done"
        ? { ...event, found: { kind: "done", value: idOnly(event.found.value) } }
        : event;
    default:
      return event;
  }
}
