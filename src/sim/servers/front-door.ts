/**
 * One port for everything a participant may reach: REST and the model gateway by path, and the three WebSockets by
 * upgrade. Knows which path leads where and nothing of what is done there.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { clientAddress } from "./client-address.ts";
import { jsonReply, requestUrl, sendReply } from "./http-io.ts";

/** Frames of clients are small; anything larger ends the connection. */
const CLIENT_FRAME_MAX = 256 * 1024;

export interface SocketDoor {
  readonly path: string;
  /** HTTP status with which the handshake is refused; null lets it in. */
  refuse(address: string): number | null;
  accept(ws: WebSocket, address: string, query: URLSearchParams): void;
}

export type HttpDoor = (message: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface FrontDoor {
  readonly port: number;
  stop(): Promise<void>;
}

export interface FrontDoorGiven {
  readonly host: string;
  readonly port: number;
  /** By first path segment; "" takes what no other does. */
  readonly http: Readonly<Record<string, HttpDoor>>;
  readonly sockets: readonly SocketDoor[];
}

export async function openFrontDoor(given: FrontDoorGiven): Promise<FrontDoor> {
  const upgrader = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: CLIENT_FRAME_MAX });
  const server = createServer((message, response) => {
    const segment = (message.url ?? "/").split(/[/?]/)[1] ?? "";
    // Own names only: a path such as /constructor must not reach what every object inherits.
    const door = given.http[Object.hasOwn(given.http, segment) ? segment : ""];
    if (!door) return sendReply(response, jsonReply(404, { code: 404, message: "not found", data: null }));
    door(message, response).catch((error: unknown) => {
      sendReply(response, jsonReply(500, { code: 40000, message: `internal error: ${String(error)}`, data: {} }));
    });
  });
  server.keepAliveTimeout = 60_000;
  server.on("upgrade", (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgrade({ upgrader, doors: given.sockets, message, socket, head });
  });
  await listen(server, given);
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        for (const ws of upgrader.clients) ws.terminate();
        upgrader.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function upgrade(given: {
  upgrader: WebSocketServer;
  doors: readonly SocketDoor[];
  message: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}): void {
  const { upgrader, doors, message, socket, head } = given;
  socket.on("error", () => socket.destroy());
  const url = requestUrl(message);
  const door = doors.find(({ path }) => path === url.pathname);
  const address = clientAddress(message);
  const refused = door ? door.refuse(address) : 404;
  if (!door || refused !== null) {
    const text = refused === 429 ? "Too Many Requests" : refused === 404 ? "Not Found" : "Refused";
    socket.end(`HTTP/1.1 ${refused} ${text}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    return;
  }
  upgrader.handleUpgrade(message, socket, head, (ws) => door.accept(ws, address, url.searchParams));
}

export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
