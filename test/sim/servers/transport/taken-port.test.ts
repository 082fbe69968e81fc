/** A service that cannot have both of its ports leaves nothing behind, so that its process ends with the message. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
import { seededEntropy } from "../../../../src/core/entropy.ts";
import { timedIds } from "../../../../src/core/ids.ts";
import { silentLog } from "../../../../src/core/log.ts";
import { virtualClock } from "../../../../src/core/virtual-clock.ts";
import { startSimService } from "../../../../src/sim/service.ts";
import { BTC } from "../fake-exchange.ts";

const HOST = "127.0.0.1";
let other: Server | null = null;

afterEach(async () => {
  const closed = other && once(other, "close");
  other?.close();
  await closed;
  other = null;
});

const listeners = (): number => process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;

async function takenPort(): Promise<number> {
  other = createServer().listen(0, HOST);
  await once(other, "listening");
  return (other.address() as AddressInfo).port;
}

test.each(["port", "controlPort"] as const)(
  "a taken %s: the reason is reported, no timer and no port is left",
  async (name) => {
    // Files before this one may have left listeners in this process.
    const before = listeners();
    const taken = await takenPort();
    const clock = virtualClock(Date.UTC(2026, 0, 5));
    const entropy = seededEntropy("taken");
    const starting = startSimService({
      env: { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy) },
      log: silentLog,
      host: HOST,
      port: 0,
      controlPort: 0,
      [name]: taken,
      exchanges: ["EXCHANGE_A"],
      phase: 2,
      seed: 1,
      symbols: [BTC],
      venueLog: true,
    });
    await expect(starting).rejects.toThrow(`EADDRINUSE: address already in use ${HOST}:${taken}`);
    expect(clock.pending()).toBe(0);
    // The handle of a server that could not listen is let go a moment later; what stays is the one that took the port.
    await expect.poll(listeners).toBeLessThanOrEqual(before + 1);
  },
);
