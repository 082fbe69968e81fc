/**
 * Bounds the connections of the status server. Whoever holds one open without a request makes room for the next caller, so that
 * strangers cannot keep the health check out.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ServerType } from "@hono/node-server";

/** Beyond `most` connections, the one that has waited longest without a request is dropped; the newest if each has one. */
export function keepRoom(server: ServerType, most: number): void {
  const all = new Set<Socket>();
  /** In the order in which they began to wait. */
  const waiting = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    all.add(socket);
    waiting.add(socket);
    socket.once("close", () => {
      all.delete(socket);
      waiting.delete(socket);
    });
    if (all.size <= most) return;
    const [longest = socket] = waiting;
    // At once, because the descriptor is free before the event `close` says so.
    all.delete(longest);
    waiting.delete(longest);
    longest.destroy();
  });
  // Before the server answers, so that no answer is over unseen.
  server.prependListener("request", ({ socket }: IncomingMessage, answer: ServerResponse) => {
    waiting.delete(socket);
    answer.once("close", () => {
      if (all.has(socket)) waiting.add(socket);
    });
  });
}
