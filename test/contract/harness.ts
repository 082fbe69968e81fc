/**
 * Cards: one numbered proof for each statement of documents 1 and 2, over real sockets. A card is data; a test file
 * starts a service and proves a list of them. Everything a card may do is in `venue.ts`.
 */
import { afterAll, beforeAll, describe, test, vi } from "vitest";
import { type Service, type ServiceAsked, startService } from "./service.ts";
import { type Venue, venueFor } from "./venue.ts";

export interface Card {
  /** Document letter (T trading, F feed, R records, A model gateway), section, number. */
  readonly id: string;
  readonly section: string;
  /** The sentence that the card proves. */
  readonly sentence: string;
  readonly prove: (venue: Venue) => Promise<unknown>;
}

export const card = (id: string, section: string, sentence: string, prove: Card["prove"]): Card => ({
  id,
  section,
  sentence,
  prove,
});

export interface Surface {
  readonly name: string;
  readonly cards: readonly Card[];
}

/**
 * Proves the cards of the surfaces on one service, `atOnce` of them at the same time, each with accounts and an address
 * of its own.
 */
export function prove(
  surfaces: readonly Surface[],
  { atOnce = 20, ...asked }: Omit<ServiceAsked, "accounts"> & { readonly atOnce?: number },
): void {
  // Cards mostly wait for the service's time to pass, and can do so together.
  vi.setConfig({ maxConcurrency: atOnce });
  let service: Service | null = null;
  const count = surfaces.reduce((sum, { cards }) => sum + cards.length, 0);
  beforeAll(async () => {
    service = await startService({ ...asked, accounts: count + 40 });
  });
  afterAll(async () => service?.stop());
  let serial = 0;
  for (const { name, cards } of surfaces) {
    describe.concurrent(name, () => {
      for (const { id, section, sentence, prove: proof } of cards) {
        const place = serial++;
        test(`${id} (${section}) ${sentence}`, async () => {
          if (!service) throw new Error("the service has not started");
          const venue = await venueFor(service, place);
          try {
            await proof(venue);
          } finally {
            venue.leave();
          }
        });
      }
    });
  }
}
