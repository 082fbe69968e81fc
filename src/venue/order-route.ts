/**
 * Routes opening orders and cancels: over REST, where document 1 allows one in 5 s, or over the user stream, where it
 * allows 1200 in 60 s. A request that certainly never left by the stream goes by REST; one that may have left is
 * never sent twice.
 */
import type { Outcome } from "../core/outcome.ts";
import type { VenueClient } from "../domain/venue.ts";
import type { ServiceUserStream } from "./user-stream.ts";

type Entry = Pick<ServiceUserStream, "placeOrder" | "replaceOrder" | "cancelOrder">;

/** `stream` is read at each call; null sends by REST. Only placing, amending and cancelling orders use the stream. */
export function routedClient(client: VenueClient, stream: () => Entry | null): VenueClient {
  const first = async <T>(
    byStream: (entry: Entry) => Promise<Outcome<T>>,
    byRest: () => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> => {
    const entry = stream();
    const outcome = entry ? await byStream(entry) : null;
    return outcome === null || outcome.kind === "not-sent" ? byRest() : outcome;
  };
  return {
    ...client,
    placeOrder: (order) =>
      first(
        (entry) => entry.placeOrder(order),
        () => client.placeOrder(order),
      ),
    amendOrder: (key, change) =>
      first(
        (entry) => entry.replaceOrder(key, change),
        () => client.amendOrder(key, change),
      ),
    cancelOrder: (key) =>
      first(
        (entry) => entry.cancelOrder(key),
        () => client.cancelOrder(key),
      ),
  };
}
