/**
 * A process that sends the frames of the market benchmark over a socket, gzipped, at a steady rate, on request.
 * Its argument is `ws` or `wss`.
 */
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { WebSocketServer } from "ws";
import { TLS_IDENTITY } from "../../test/support/tls/tls-proxy.ts";
import { drawFrames } from "./market-frames.ts";

const EVERY_MS = 10;

const { zipped } = drawFrames(40_000);
const http = process.argv[2] === "wss" ? createSecureServer(TLS_IDENTITY) : createServer();
const server = new WebSocketServer({ server: http });
http.listen(0, "127.0.0.1", () => process.send?.(http.address()));
server.on("connection", (socket) => {
  const say = (value: unknown): void => socket.send(JSON.stringify(value));
  socket.on("message", (data: Buffer) => {
    const asked = JSON.parse(data.toString()) as { event?: string; action?: string; ping?: number; arg?: unknown };
    if (asked.ping !== undefined) say({ pong: asked.ping });
    else if (asked.action === "login") say({ event: "login", code: "200000", msg: "" });
    else if (asked.event === "subscribe") say({ event: "subscribe", code: 0, arg: asked.arg });
  });
});

/** Keeps to the rate on average, however late a timer is. */
process.on("message", (framesPerSecond: number) => {
  const beganMs = performance.now();
  let sent = 0;
  setInterval(() => {
    const due = ((performance.now() - beganMs) / 1_000) * framesPerSecond;
    for (; sent < due; sent++) for (const client of server.clients) client.send(zipped[sent % zipped.length] ?? "");
  }, EVERY_MS);
});
process.on("disconnect", () => process.exit(0));
