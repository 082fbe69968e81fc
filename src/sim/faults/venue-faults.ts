/**
 * Faults of the venue as a whole and of its symbols: maintenance, a wrong clock, price gaps, halts. Faults C1, V5 to
 * V10.
 */
import { z } from "zod";
import { jsonReply } from "../wire/http-io.ts";
import { type AnyFault, fault, repeated } from "./fault.ts";
import { namedSymbol, restMatch, strikes, reachOf } from "./match.ts";

const anySymbol = z.string().default("*").describe('symbol, a base such as BTC, or "*" for all');

export const VENUE_FAULTS: readonly AnyFault[] = [
  // Writes never reach the venue. `cutStreams` also cuts market and user sockets and refuses subscriptions.
  fault({
    name: "maintenance",
    group: "venue",
    description: "Every call is answered HTTP 503 with code 50001; the streams are cut when it begins.",
    params: { cutStreams: z.boolean().default(true), ...restMatch },
    start: (world, params, entropy) => {
      const answerInstead = jsonReply(503, { code: 50001, message: "service temporarily unavailable", data: {} });
      if (params.cutStreams) {
        world.cutMarketSockets(() => true);
        world.cutUserSockets();
      }
      const refuseSubscription = () => ({ code: 11250, msg: "under maintenance" });
      return {
        hooks: {
          rest: (call) => (strikes(params, call, entropy) ? { answerInstead } : null),
          restReach: (kind) => reachOf(params, { answerInstead }, kind),
          refuseUserLogin: () => "service temporarily unavailable",
          ...(params.cutStreams ? { refuseSubscription } : {}),
        },
      };
    },
  }),
  // If positive, the service is ahead. The exchange's own time and the logs stay true.
  fault({
    name: "clock-skew",
    group: "venue",
    description: "The service's clock, as clients see it, is wrong by a span.",
    params: { ms: z.number().min(-86_400_000).max(86_400_000).default(90_000) },
    // A client that signs with its own clock is refused until it has learned the service's.
    start: (_world, { ms }) => ({ hooks: { skewMs: () => ms, restReach: () => "some" } }),
  }),
  // `move` is a fraction of the price, and a rebound reverses the whole move. Recorded markets cannot be moved.
  fault({
    name: "price-gap",
    group: "venue",
    description: "A price moves by a fraction at once or over a span, and may come back.",
    params: {
      symbol: anySymbol,
      move: z.number().gt(-0.95).lt(10).default(-0.2),
      overMs: z.number().min(0).max(86_400_000).default(250),
      reboundAfterMs: z.number().min(0).max(86_400_000).optional(),
      reboundOverMs: z.number().min(0).max(86_400_000).default(60_000),
    },
    start: (world, { symbol: name, move, overMs, reboundAfterMs, reboundOverMs }) => {
      const symbol = namedSymbol(world, name);
      world.pushPrice(symbol, move, overMs);
      if (reboundAfterMs === undefined) return { hooks: {} };
      const back = 1 / (1 + move) - 1;
      const stop = world.env.clock.after(reboundAfterMs, () => void world.pushPrice(symbol, back, reboundOverMs));
      return { hooks: {}, stop };
    },
  }),
  // Every reversal looks like the start of a trend. Its end prevents the next reversal, not the one in progress.
  fault({
    name: "price-wave",
    group: "venue",
    description: "A price rises by a fraction and falls back repeatedly, in equal times.",
    params: {
      symbol: anySymbol,
      swing: z.number().gt(0).lt(0.5).default(0.0003).describe("fraction from trough to crest"),
      halfMs: z.number().min(500).max(86_400_000).default(30_000).describe("milliseconds of one way"),
    },
    start: (world, { symbol: name, swing, halfMs }) => {
      const symbol = namedSymbol(world, name);
      let rising = false;
      return repeated(world, halfMs, () => {
        rising = !rising;
        world.pushPrice(symbol, rising ? swing : 1 / (1 + swing) - 1, halfMs);
      });
    },
  }),
  // Orders get 401011. At its end the symbol returns to the market's state; an unknown symbol is ignored.
  fault({
    name: "halted-symbol",
    group: "venue",
    description: "A symbol accepts no orders while it lasts.",
    params: { symbol: z.string().describe("symbol, or a base such as BTC") },
    start: (world, { symbol }) => ({ hooks: {}, stop: world.exchange.haltSymbol(namedSymbol(world, symbol)) }),
  }),
  // Reset values stay after its end.
  fault({
    name: "leverage-reset",
    group: "venue",
    description: "A symbol's leverage jumps to a value whenever a position in it closes, and at the start if asked.",
    params: {
      leverage: z.number().int().min(1).max(125).default(20),
      now: z.boolean().default(false).describe("every symbol of every account at once"),
    },
    start: ({ exchange, env }, { leverage, now }) => {
      const reset = (accountId: string, sym: string): void =>
        void exchange.setLeverage(accountId, { sym, leverage }, Math.floor(env.clock.nowMs()));
      if (now)
        for (const id of exchange.accountIds()) for (const { rules } of exchange.symbols) reset(id, rules.symbol);
      return {
        hooks: {
          userPush: (push) => {
            const { sym, positionQty } = push.data;
            const flat = push.channel === "Positions" && Number(positionQty) === 0;
            // Runs after the push was sent, so that a change of the account is not reported before its cause.
            if (flat && typeof sym === "string") env.clock.after(0, () => reset(push.accountId, sym));
            return [push];
          },
        },
      };
    },
  }),
];
