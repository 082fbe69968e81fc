/** Orders that the agent did not give, sent by a second client to a service in a process of its own. */
import { expect } from "vitest";
import { type Clock, systemClock } from "../../src/core/clock.ts";
import { dec } from "../../src/core/decimal.ts";
import { silentLog } from "../../src/core/log.ts";
import { Secret } from "../../src/core/secret.ts";
import { createTradingClient, type TradingClient } from "../../src/venue/trading-client.ts";
import { realEnv } from "../net/servers.ts";
import type { Ready } from "./process.ts";

export const clientAt = (ready: Ready, clock: Clock = systemClock()): TradingClient =>
  createTradingClient({
    env: { ...realEnv(), clock },
    log: silentLog,
    baseUrl: ready.restUrl,
    accessKey: new Secret(ready.accessKey),
    secretKey: new Secret(ready.secretKey),
    exchanges: [],
  });

/** Buys one unit at the market, under a leverage that the first phase allows. */
export async function buyByHand(ready: Ready, symbol: string, clientOrderId: string): Promise<void> {
  const client = clientAt(ready);
  await client.measureClock();
  await client.setLeverage(symbol, 2);
  const placed = await client.placeOrder({
    symbol,
    side: "BUY",
    positionSide: "LONG",
    orderType: "MARKET",
    qty: dec("1"),
    limitPrice: null,
    timeInForce: null,
    reduceOnly: false,
    clientOrderId,
  });
  expect(placed).toMatchObject({ kind: "done" });
  await client.close();
}
