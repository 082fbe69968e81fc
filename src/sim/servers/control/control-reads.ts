/** Read-only control calls: ledger, wire log, scoreboard, clock. */
import { z } from "zod";
import { toWire } from "../../../core/decimal.ts";
import { err, ok } from "../../../core/result.ts";
import { isoTime } from "../../../core/time.ts";
import { type ControlOptions, type ControlRoute, nothing, nowOf, route } from "./control-route.ts";

/** Part of `CONTROL_ROUTES`: all GET, without side effects. */
export const READ_ROUTES: readonly ControlRoute[] = [
  route({
    method: "GET",
    path: "/control/ready",
    description: "Addresses of the service and the keys of its first account.",
    input: nothing,
    run: ({ ready }) => ok(ready),
  }),
  route({
    method: "GET",
    path: "/control/clock",
    description: "The service's time and how fast it runs.",
    input: nothing,
    run: ({ world }) => {
      const { clock } = world.env;
      return ok({ nowMs: clock.nowMs(), now: isoTime(clock.nowMs()), scale: clock.scale });
    },
  }),
  route({
    method: "GET",
    path: "/control/ledger",
    description: "Every posting, all balances, and the totals that must be zero.",
    input: nothing,
    run: ({ world }) => ok(world.exchange.ledger()),
  }),
  route({
    method: "GET",
    path: "/control/snapshot",
    description: "Canonical text of the state of the exchange: equal runs give equal text.",
    input: nothing,
    run: ({ world }) => ok({ snapshot: world.exchange.snapshot() }),
  }),
  route({
    method: "GET",
    path: "/control/wire-log",
    description: "The latest writes that reached the service, in order of arrival.",
    input: z.strictObject({ limit: z.coerce.number().int().min(1).max(50_000).default(1_000) }),
    run: ({ servers }, { limit }) => ok({ entries: servers.wireLog.entries(limit) }),
  }),
  route({
    method: "GET",
    path: "/control/venue-log",
    description:
      "The venue's record of events, fact by fact: `ballast verify --ledger` reads it. Needs a service that records.",
    input: z.strictObject({ limit: z.coerce.number().int().min(1).max(400_000).default(400_000) }),
    run: (options, { limit }) =>
      options.venueLog
        ? ok({ entries: [...options.venueLog.entries(limit), ...seenFromOutside(options)] })
        : err("this service keeps no venue log"),
  }),
  route({
    method: "GET",
    path: "/control/model-ledger",
    description: "Every completion that the model gateway charged: `ballast verify --model-ledger` reads it.",
    input: nothing,
    run: ({ charges }) => ok({ entries: charges.entries() }),
  }),
  route({
    method: "GET",
    path: "/control/scoreboard",
    description: "The competition's table, and each account's uptime as seen from outside.",
    input: nothing,
    run: (options) => ok({ rows: options.world.exchange.scoreboard(nowOf(options)), uptime: uptimes(options) }),
  }),
  route({
    method: "GET",
    path: "/control/sockets",
    description: "How many sockets are open on each stream.",
    input: nothing,
    run: ({ servers: { market, user, feed } }) =>
      ok({ market: market.connections, user: user.connections, feed: feed.connections }),
  }),
  route({
    method: "GET",
    path: "/control/model",
    description: "The total that the model gateway actually charged, over all keys.",
    input: nothing,
    run: ({ gateway }) => ok({ trueSpendUsd: toWire(gateway.trueSpendUsd()), completions: gateway.completions() }),
  }),
];

/** Each account's uptime, for the final facts of the venue log. */
const seenFromOutside = (options: ControlOptions): readonly unknown[] =>
  uptimes(options).map((report) => ({ fact: "uptime", atMs: nowOf(options), ...report }));

/** Each account's connections. */
export function uptimes({ world, servers: { presence } }: Pick<ControlOptions, "world" | "servers">) {
  return world.exchange.accountIds().map((id) => ({
    accountId: id,
    user: presence.report(id, "user"),
    market: presence.report(id, "market"),
    rest: presence.report(id, "rest"),
  }));
}
