/** Small hostile servers on loopback, and an Env for tests that talk to them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Socket as TcpSocket } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { scaledClock, systemClock } from "../../src/core/clock.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { type Env, timedIds } from "../../src/core/ids.ts";
import type { Log } from "../../src/core/log.ts";

export interface Running {
  readonly url: string;
  close(): Promise<void>;
}

const portOf = (server: { address(): AddressInfo | string | null }): number => (server.address() as AddressInfo).port;
const listening = (server: Server | ReturnType<typeof createTcpServer>): Promise<void> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

/** Env over the machine's clock, `scale` times faster. */
export function realEnv(scale = 1): Env {
  const base = systemClock();
  const clock = scale === 1 ? base : scaledClock(base, scale, base.nowMs());
  const entropy = seededEntropy(7);
  return { clock, entropy, ids: timedIds(clock.nowMs, entropy) };
}

export type Reply = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export async function httpServer(reply: Reply): Promise<Running & { readonly requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")));
    request.on("end", () => {
      requests.push(`${request.method ?? ""} ${request.url ?? ""}`);
      reply(request, response, body);
    });
  });
  await listening(server);
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A bare TCP server that does with each connection what it is given. */
export async function tcpServer(onConnection: (socket: TcpSocket) => void): Promise<Running> {
  const open = new Set<TcpSocket>();
  const server = createTcpServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
    onConnection(socket);
  });
  await listening(server);
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

export interface Peer {
  readonly socket: WebSocket;
  /** Text frames that came, in order. */
  readonly heard: string[];
  readonly path: string;
  say(message: object | string): void;
}

export interface SocketServer extends Running {
  readonly peers: Peer[];
}

/** A WebSocket server; `onMessage` answers one text of one client. */
export async function socketServer(
  onMessage: (peer: Peer, text: string) => void,
  onOpen: (peer: Peer, nth: number) => void = () => undefined,
): Promise<SocketServer> {
  const http = createServer();
  const server = new WebSocketServer({ server: http });
  const peers: Peer[] = [];
  server.on("connection", (socket, request) => {
    const say = (message: object | string): void =>
      socket.send(typeof message === "string" ? message : JSON.stringify(message));
    const peer: Peer = { socket, heard: [], path: request.url ?? "", say };
    peers.push(peer);
    socket.on("error", () => undefined);
    socket.on("message", (data) => {
      const text = String(data);
      peer.heard.push(text);
      onMessage(peer, text);
    });
    onOpen(peer, peers.length);
  });
  await listening(http);
  return {
    url: `ws://127.0.0.1:${portOf(http)}`,
    peers,
    close: () =>
      new Promise((resolve) => {
        for (const client of server.clients) client.terminate();
        server.close();
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
}

/** Waits until `ready` answers true, looking again as the event loop turns. */
export async function until(ready: () => boolean, what: string, withinMs = 5_000): Promise<void> {
  const clock = systemClock();
  const end = clock.monotonicMs() + withinMs;
  while (!ready()) {
    if (clock.monotonicMs() > end) throw new Error(`waited ${withinMs} ms in vain for ${what}`);
    await clock.sleep(3);
  }
}

export interface Logged {
  readonly level: string;
  readonly evt: string;
  readonly msg: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function recordingLog(): Log & { readonly lines: Logged[] } {
  const lines: Logged[] = [];
  return { lines, event: (level, evt, msg, fields = {}) => void lines.push({ level, evt, msg, fields }) };
}
