/** The second exchange as a `Venue`: what a folder of its own would hold beside the sockets. */
import { homeExchange } from "../../../src/domain/symbol.ts";
import type { ClockOffset, Venue, VenueRates } from "../../../src/domain/venue.ts";
import type { ConnectOptions } from "../../../src/net/network.ts";
import { AHEAD_MS, type SecondExchange } from "./exchange.ts";
import { clientOf } from "./second-client.ts";
import { streamsOf } from "./second-streams.ts";

/** Plenty, as such exchanges allow: nothing of the first one's scarcity is left. */
const RATES: VenueRates = {
  "order.place": { requests: 300, perMs: 10_000 },
  "order.replace": { requests: 300, perMs: 10_000 },
  "algo.place": { requests: 300, perMs: 10_000 },
  "algo.replace": { requests: 300, perMs: 10_000 },
  "algo.cancel": { requests: 300, perMs: 10_000 },
  "algo.list": { requests: 60, perMs: 60_000 },
  "account.read": { requests: 480, perMs: 60_000 },
  "execution.list": { requests: 480, perMs: 60_000 },
};

export const connectSecond = (second: SecondExchange, options: ConnectOptions): Venue => ({
  client: clientOf(second, homeExchange(options.exchanges), () => options.env.ids.next("x")),
  streams: streamsOf(second, options),
  clock: {
    nowMs: () => second.nowMs(),
    offset: () => offsetOf(options),
    measure: () => Promise.resolve({ kind: "done", value: offsetOf(options) }),
  },
  limits: { rates: RATES, ready: () => Promise.resolve(), tightened: () => [] },
  fees: () => Promise.resolve({ kind: "done", value: [] }),
});

const offsetOf = ({ env }: ConnectOptions): ClockOffset => ({
  offsetMs: AHEAD_MS,
  uncertaintyMs: 1,
  measuredAtMs: env.clock.nowMs(),
});
