/** A browser that stops reading, over a real socket: it is dropped with its connection, and what waits for it is bounded. */
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { createEventStreams, openEvents } from "../../src/deck/event-stream.ts";
import { startStatusServer } from "../../src/faces/status/server.ts";

const UPDATE_BYTES = 100_000;
/** What two kernels hold for a connection, and what may wait for a page. */
const UPDATES_MAX = 200;

async function served() {
  const clock = virtualClock(Date.UTC(2026, 0, 5));
  let made = 0;
  const streams = createEventStreams(clock, (seen) => {
    made += 1;
    return { messages: [["now", JSON.stringify("x".repeat(UPDATE_BYTES))]], seen: String(Number(seen) + 1) };
  });
  const server = await startStatusServer(
    {
      healthy: () => ({ ok: true, reason: "" }),
      status: () => ({}),
      page: (app) => app.get("/deck/events", (context) => openEvents(context, streams)),
    },
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(() => server.close());
  return { clock, streams, server, made: () => made };
}

test("a page that stops reading loses its connection, and nothing more is made for it", async () => {
  const { clock, streams, server, made } = await served();
  const stalled = connect(server.port, "127.0.0.1").pause();
  onTestFinished(() => void stalled.destroy());
  stalled.write(`GET /deck/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  await expect.poll(() => streams.count()).toBe(1);
  while (streams.count() > 0 && made() < UPDATES_MAX) {
    await clock.advance(1_000);
    await setImmediate();
  }
  const [open, before] = [streams.count(), made()];
  await clock.advance(60_000);
  expect([open, made()]).toEqual([0, before]);
  let [received, over] = [0, false];
  stalled.on("data", (chunk) => (received += chunk.length)).on("error", () => undefined);
  stalled.once("close", () => (over = true)).resume();
  await expect.poll(() => over).toBe(true);
  // What still waited for it went with the connection.
  expect(received).toBeLessThan(before * UPDATE_BYTES);
});

test("a page that reads stays while fifteen stall, and the port stays open to others", async () => {
  const { clock, streams, server, made } = await served();
  const stalled = Array.from({ length: 15 }, () => connect(server.port, "127.0.0.1").pause());
  const reading = connect(server.port, "127.0.0.1").resume();
  onTestFinished(() => [...stalled, reading].forEach((socket) => socket.destroy()));
  for (const socket of [...stalled, reading])
    socket.on("error", () => undefined).write(`GET /deck/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  await expect.poll(() => streams.count()).toBe(16);
  const [first, seen] = [reading.bytesRead, made()];
  while (streams.count() > 1 && made() - seen < UPDATES_MAX * 16) {
    const before = reading.bytesRead;
    await clock.advance(1_000);
    await expect.poll(() => reading.bytesRead, { interval: 1 }).toBeGreaterThanOrEqual(before + UPDATE_BYTES);
  }
  expect(streams.count()).toBe(1);
  expect(reading.bytesRead).toBeGreaterThan(first);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
});
