import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { decorrelatedBackoff } from "../../src/net/retry.ts";
import { createSocket, type Socket, type SocketEvents, type SocketOptions } from "../../src/net/socket.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { realEnv, recordingLog, socketServer, until } from "./servers.ts";

const open: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function client(
  url: string,
  given: Partial<Omit<SocketOptions, "on">> & { scale?: number; on?: Partial<SocketEvents> } = {},
) {
  const { scale = 1, on = {}, ...options } = given;
  const frames: unknown[] = [];
  const story: string[] = [];
  const log = recordingLog();
  const env = realEnv(scale);
  const socket: Socket = createSocket(env, log, {
    url,
    name: "test",
    heartbeat: { style: "json", everyMs: 20_000 },
    silenceMs: 60_000,
    ...options,
    on: {
      open: () => void story.push("open"),
      frame: (value) => void frames.push(value),
      down: (reason) => void story.push(`down ${reason}`),
      ...on,
    },
  });
  open.push(() => socket.stop());
  socket.start();
  return { socket, frames, story, log, env };
}

describe("frames", () => {
  test("text and gzip frames are parsed; malformed ones are counted, sampled and dropped", async () => {
    const server = await socketServer(
      () => undefined,
      (peer) => {
        peer.say({ n: 1 });
        peer.socket.send(gzipSync('{"n":2}'));
        peer.say('{"n":');
        peer.socket.send(gzipSync(Buffer.alloc(8 * 1024 * 1024)));
        peer.say({ n: 3 });
      },
    );
    open.push(server.close);
    const { socket, frames, log } = client(server.url);
    await until(() => frames.length === 3, "three frames");
    expect(frames).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(socket.health()).toMatchObject({ state: "up", refusedFrames: 2 });
    expect(log.lines.filter((line) => line.evt === "frame.refused")[0]?.fields).toMatchObject({
      sample: '"{\\"n\\":"',
    });
  });
  test("a connection that only babbles is given up", async () => {
    const server = await socketServer(
      () => undefined,
      (peer) => {
        for (let i = 0; i < 25; i++) peer.say("}{");
      },
    );
    open.push(server.close);
    const { story } = client(server.url);
    await until(() => story.some((line) => line.startsWith("down")), "the end");
    expect(story[1]).toContain("21 unreadable frames");
  });
  test("a frame over the wire cap ends the connection", async () => {
    const server = await socketServer(
      () => undefined,
      (peer) => peer.say("x".repeat(2 * 1024 * 1024)),
    );
    open.push(server.close);
    const { story } = client(server.url);
    await until(() => story.length >= 2, "the end");
    expect(story[1]).toContain("Max payload size exceeded");
  });
});

describe("heartbeat", () => {
  test("JSON pings go out at their pace and the pong reports the venue's time", async () => {
    const server = await socketServer((peer, text) => {
      if ("ping" in (JSON.parse(text) as object)) peer.say({ pong: 1_784_500_000_123 });
    });
    open.push(server.close);
    const pongs: number[] = [];
    const { frames } = client(server.url, { scale: 400, on: { pong: (venueMs) => void pongs.push(venueMs) } });
    await until(() => pongs.length >= 3, "three pongs");
    expect(pongs[0]).toBe(1_784_500_000_123);
    expect(frames).toEqual([]);
  });
  test("the text style says ping and takes pong as life, not as a frame", async () => {
    const server = await socketServer((peer, text) => {
      if (text === "ping") peer.say("pong");
    });
    open.push(server.close);
    const heartbeat = { style: "text", everyMs: 10_000 } as const;
    const { socket, frames, story } = client(server.url, { scale: 400, heartbeat, silenceMs: 30_000 });
    await until(() => (server.peers[0]?.heard.length ?? 0) >= 6, "six pings");
    expect(new Set(server.peers[0]?.heard)).toEqual(new Set(["ping"]));
    expect(frames).toEqual([]);
    expect(story).toEqual(["open"]);
    expect(socket.health().refusedFrames).toBe(0);
  });
});

describe("coming back", () => {
  test("a half-open connection is given up after its silence and rebuilt", async () => {
    const server = await socketServer(() => undefined);
    open.push(server.close);
    const { story, log } = client(server.url, { scale: 100, silenceMs: 30_000 });
    await until(() => story.filter((line) => line === "open").length === 2, "the second connection");
    expect(story[1]).toMatch(/^down silent for/);
    expect(log.lines.some((line) => line.evt === "stream.stale")).toBe(true);
  });
  test("nothing said while it is down is sent later", async () => {
    const server = await socketServer(
      () => undefined,
      (peer, nth) => {
        if (nth === 1) peer.socket.close(1012, "restart");
      },
    );
    open.push(server.close);
    const { socket, story } = client(server.url, { scale: 50 });
    expect(socket.send({ early: true })).toBe(false);
    await until(() => story.includes("down closed with 1012 restart"), "the close");
    expect(socket.send({ order: 1 })).toBe(false);
    await until(() => story.filter((line) => line === "open").length === 2, "the second connection");
    expect(socket.send({ order: 2 })).toBe(true);
    await until(() => (server.peers[1]?.heard ?? []).includes('{"order":2}'), "the second order");
    expect(server.peers.flatMap((peer) => peer.heard).filter((text) => text.includes("order"))).toEqual([
      '{"order":2}',
    ]);
  });
  test.each([
    ["2", 30_000],
    ["99999999", 3_600_000],
    ["1e306", 3_600_000],
  ])(
    "a handshake refused with 429 and Retry-After %s waits at least the longer time, an hour at most",
    async (reported, waitMs) => {
      let handshakes = 0;
      const http = createServer();
      http.on("upgrade", (_request, socket) => {
        handshakes++;
        socket.end(`HTTP/1.1 429 Too Many Requests\r\nRetry-After: ${reported}\r\nContent-Length: 0\r\n\r\n`);
      });
      await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
      open.push(() => void http.close());
      const { log, story } = client(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
      await until(() => log.lines.some((line) => line.evt === "stream.down"), "the refusal");
      const down = log.lines.find((line) => line.evt === "stream.down");
      expect(down?.fields).toMatchObject({ reason: "handshake refused with 429" });
      expect(down?.fields["retryInMs"]).toBe(waitMs);
      expect(handshakes).toBe(1);
      expect(story).toEqual([]);
    },
  );
  test("a clock that jumps, as after a freeze, means a new connection", async () => {
    const server = await socketServer(() => undefined);
    open.push(server.close);
    const clock = virtualClock(1_784_500_000_000);
    const env = { ...realEnv(), clock };
    const story: string[] = [];
    const socket = createSocket(env, recordingLog(), {
      url: server.url,
      name: "frozen",
      heartbeat: { style: "text", everyMs: 10_000 },
      silenceMs: 60_000,
      on: { open: () => story.push("open"), frame: () => undefined, down: (reason) => story.push(reason) },
    });
    open.push(() => socket.stop());
    socket.start();
    await until(() => story.length === 1, "the connection");
    clock.stepWall(45_000);
    await clock.advance(1_000);
    expect(story[1]).toContain("jumped by");
  });
  test("after stop it neither calls nor connects", async () => {
    const server = await socketServer(() => undefined);
    open.push(server.close);
    const { socket, story } = client(server.url, { scale: 100 });
    await until(() => story.length === 1, "the connection");
    socket.stop();
    await until(() => server.peers[0]?.socket.readyState === 3, "the end at the server");
    expect(story).toEqual(["open"]);
    expect(socket.health()).toMatchObject({ state: "stopped", connects: 1 });
  });
});

test("back-off stays in its bounds, grows, and begins again after a reset", () => {
  const backoff = decorrelatedBackoff(seededEntropy(3), 500, 30_000);
  const waits = Array.from({ length: 200 }, () => backoff.nextMs());
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
  expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
  expect(Math.max(...waits)).toBeGreaterThan(10_000);
  backoff.reset();
  expect(backoff.nextMs()).toBeLessThanOrEqual(1_500);
});
