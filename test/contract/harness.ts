/**
 * Cards: one numbered proof for each statement of documents 1 to 3, over real sockets and again in process. A card is
 * data; a test file starts a service and proves a deck of them. Everything a card may do is in `venue.ts`.
 */
import { afterAll, beforeAll, describe, test, vi } from "vitest";
import { type Service, type ServiceAsked, startService } from "./service.ts";
import { type Venue, venueFor } from "./venue.ts";

export interface Card {
  /** Document letter (T trading, F feed, C client layer, R records, A model gateway), section, number. */
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

/** Surfaces that share one service. */
export interface Deck {
  readonly name: string;
  readonly surfaces: readonly Surface[];
  /** One card after the other, because each changes what all of them meet. */
  readonly oneByOne?: boolean;
  /** How many cards are proven at the same time; fewer where each of them works instead of waiting. */
  readonly atOnce?: number;
  readonly service: Omit<ServiceAsked, "accounts" | "inProcess">;
}

/** How many cards are proven at the same time. */
const AT_ONCE = 20;
/** A guard against cards that hang, never a judge of their speed. */
const HANG_MS = 120_000;

/** Proves a deck on a service of its own, each card with accounts and an address of its own. */
export function prove(
  { surfaces, oneByOne = false, atOnce = AT_ONCE, service: asked }: Deck,
  { inProcess = false } = {},
): void {
  // Cards mostly wait for the service's time to pass, and can do so together.
  vi.setConfig({ maxConcurrency: atOnce, testTimeout: HANG_MS });
  let service: Service | null = null;
  const count = surfaces.reduce((sum, { cards }) => sum + cards.length, 0);
  beforeAll(async () => {
    service = await startService({ ...asked, inProcess, accounts: count + 40 });
  });
  afterAll(async () => service?.stop());
  let serial = 0;
  for (const { name, cards } of surfaces) {
    (oneByOne ? describe : describe.concurrent)(name, () => {
      for (const { id, section, sentence, prove: proof } of cards) {
        const place = serial++;
        test(`${id} (${section}) ${sentence}`, async () => {
          if (!service) throw new Error("the service has not started");
          const venue = await venueFor(service, place);
          try {
            await proof(venue);
          } finally {
            await venue.leave();
          }
        });
      }
    });
  }
}
