/** How the cards' raw bytes reach the service: over real sockets, or by calls within this process. */
import { fetch } from "undici";
import { WebSocket } from "ws";
import type { InProcess } from "../../src/sim/servers/transport/in-process.ts";
import type { DialEvents } from "../../src/sim/servers/transport/in-process-socket.ts";

export interface HttpAsk {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpTold {
  readonly status: number;
  readonly text: string;
  header(name: string): string | null;
}

export type SocketEvents = DialEvents & { failed(error: Error): void };

export interface RawSocket {
  isOpen(): boolean;
  send(text: string): void;
  close(): void;
}

export interface Transport {
  /** Rejects when the connection ended without an answer. */
  http(url: string, ask: HttpAsk): Promise<HttpTold>;
  socket(url: string, headers: Readonly<Record<string, string>>, on: SocketEvents): RawSocket;
}

export const realSockets: Transport = {
  http: async (url, { method, headers, body }) => {
    const response = await fetch(url, { method, headers: { ...headers }, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    return { status: response.status, text, header: (name) => response.headers.get(name) };
  },
  socket: (url, headers, on) => {
    const socket = new WebSocket(url, { headers: { ...headers }, perMessageDeflate: false });
    socket.on("open", () => on.open());
    socket.on("message", (data: Buffer, binary: boolean) => on.message(data, binary));
    socket.on("close", (code, reason) => on.closed(code, reason.toString("utf8")));
    socket.on("error", (error) => on.failed(error));
    socket.on("unexpected-response", (_request, response) => {
      on.refused(response.statusCode ?? 0);
      socket.terminate();
    });
    return {
      isOpen: () => socket.readyState === WebSocket.OPEN,
      send: (text) => socket.send(text),
      close: () => socket.close(),
    };
  },
};

export const withinProcess = (network: InProcess): Transport => ({
  http: async (url, ask) => {
    const end = await network.call(url, ask);
    if (end.kind === "cut") throw new Error("the connection was cut");
    const { status, headers, body } = end.reply;
    return { status, text: body, header: (name) => headers[name.toLowerCase()] ?? null };
  },
  socket: (url, headers, on) => network.dial(url, headers, on),
});
