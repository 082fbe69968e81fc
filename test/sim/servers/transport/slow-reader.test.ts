import { expect, test } from "vitest";
import { dec } from "../../../../src/core/decimal.ts";
import { BTC, NOW_MS } from "../fake-exchange.ts";
import { startRig, until } from "../rig.ts";

test("one who does not read is left out and then closed; his neighbour misses nothing", async () => {
  const rig = await startRig({ slowReader: { conflateBytes: 100_000, closeBytes: 2_000_000, closeAfterMs: 10_000 } });
  try {
    const healthy = await rig.socket("/marketdata/v2/public?binary=false");
    const slow = await rig.socket("/marketdata/v2/public?binary=false");
    for (const client of [healthy, slow])
      await client.ask({ event: "subscribe", arg: [{ channel: "TRADE", sym: BTC }] });
    slow.ws.pause();
    let seen = 0;
    const rounds = 120;
    const perRound = 10;
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < perRound; i++) {
        rig.fake.publish({
          kind: "trade",
          symbol: BTC,
          tradeId: `${round}-${i}-${"9".repeat(12_000)}`,
          takerBuys: true,
          price: dec("60000"),
          qty: dec("1"),
          atMs: NOW_MS,
        });
      }
      seen += (await healthy.drained()).length;
    }
    expect(seen).toBe(rounds * perRound);
    expect(rig.servers.market.connections).toBe(2);
    await rig.clock.advance(10_001);
    rig.fake.publish({
      kind: "trade",
      symbol: BTC,
      tradeId: "x",
      takerBuys: true,
      price: dec(1),
      qty: dec(1),
      atMs: NOW_MS,
    });
    expect(await healthy.drained()).toHaveLength(1);
    expect(slow.raw.length).toBeLessThan(rounds * perRound);
    slow.ws.resume();
    await slow.closing();
    await until(() => rig.servers.market.connections === 1);
  } finally {
    await rig.stop();
  }
});
