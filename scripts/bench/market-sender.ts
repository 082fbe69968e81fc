/** A process that sends the frames of the market benchmark over a socket, gzipped, at a steady rate, once it is told to. */
import { WebSocketServer } from "ws";
import { drawFrames } from "./market-frames.ts";

const EVERY_MS = 10;

const { zipped } = drawFrames(40_000);
const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
server.on("listening", () => process.send?.(server.address()));
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
