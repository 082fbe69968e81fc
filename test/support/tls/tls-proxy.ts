/**
 * TLS in front of a service without it, as the real service is reached. The key beside this file is for tests alone; its
 * certificate is valid for 127.0.0.1 and for whoever trusts it.
 */
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, type Socket } from "node:net";
import path from "node:path";
import { createServer, type Server } from "node:tls";

/** For `NODE_EXTRA_CA_CERTS` of a process that is to trust the proxies. */
export const CERTIFICATE_FILE = path.join(import.meta.dirname, "certificate.pem");

export const TLS_IDENTITY = {
  cert: readFileSync(CERTIFICATE_FILE),
  key: readFileSync(path.join(import.meta.dirname, "key.pem")),
};

export interface TlsProxy {
  /** The address with `https:` or `wss:`, and the proxy's port. */
  url(plain: string): string;
  close(): void;
}

/** One listener for each port that an address names. */
export async function tlsProxy(plainUrls: readonly string[]): Promise<TlsProxy> {
  const sockets = new Set<Socket>();
  const kept = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const servers = new Map<string, Server>();
  for (const port of new Set(plainUrls.map((url) => new URL(url).port))) {
    const server = createServer({ ...TLS_IDENTITY, noDelay: true }, (outside) => {
      const inside = connect({ port: Number(port), host: "127.0.0.1", noDelay: true });
      for (const socket of [outside, inside]) kept(socket);
      outside.pipe(inside).pipe(outside);
      outside.on("close", () => inside.destroy());
      inside.on("close", () => outside.destroy());
    });
    // A client that does not trust the certificate ends the handshake.
    server.on("tlsClientError", () => undefined);
    server.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    servers.set(port, server);
  }
  return {
    url: (plain) => {
      const { port, protocol, pathname } = new URL(plain);
      const server = servers.get(port);
      if (!server) throw new Error(`no proxy stands before ${plain}`);
      const secure = protocol.startsWith("ws") ? "wss" : "https";
      return `${secure}://127.0.0.1:${(server.address() as AddressInfo).port}${pathname === "/" ? "" : pathname}`;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      for (const server of servers.values()) server.close();
    },
  };
}
