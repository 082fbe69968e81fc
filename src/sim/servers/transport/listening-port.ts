/** The handlers of the service on a port: HTTP by Node's server, WebSockets by upgrade. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { CLIENT_FRAME_MAX, type Handlers, serveHttp, shakeHands } from "./handlers.ts";
import { answerOver, callOf } from "../../wire/http-io.ts";

/** `port` is the actual one, even if 0 was given. `stop` cuts every connection and frees it. */
export interface ListeningPort {
  readonly port: number;
  stop(): Promise<void>;
}

/** Where to listen. */
export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** Rejects if the port is in use. */
export async function openPort(handlers: Handlers, at: ListenOptions): Promise<ListeningPort> {
  const upgrader = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: CLIENT_FRAME_MAX });
  const server = createServer((message, response) => void serveHttp(handlers, callOf(message), answerOver(response)));
  server.keepAliveTimeout = 60_000;
  server.on("upgrade", (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgrade({ upgrader, handlers, message, socket, head });
  });
  await listen(server, at);
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
  handlers: Handlers;
  message: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}): void {
  const { upgrader, handlers, message, socket, head } = given;
  socket.on("error", () => socket.destroy());
  const handshake = shakeHands(handlers, callOf(message));
  if (handshake.kind === "let-in") {
    upgrader.handleUpgrade(message, socket, head, (ws) => handshake.enter(ws));
    return;
  }
  const { status } = handshake;
  const text = status === 429 ? "Too Many Requests" : status === 404 ? "Not Found" : "Refused";
  socket.end(`HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function listen(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
