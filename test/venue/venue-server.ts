/** A scripted venue over real HTTP, and the pieces that the tests of this folder share. */
import type { IncomingMessage } from "node:http";
import { Secret } from "../../src/core/secret.ts";
import { hmacHex } from "../../src/net/sign.ts";
import { createTradingClient, type TradingClient } from "../../src/venue/trading-client.ts";
import { httpServer, realEnv, recordingLog, type Logged } from "../net/servers.ts";

export const BTC = "EXCHANGE_A_PERP_BTC_USDT";
export const ETH = "EXCHANGE_A_PERP_ETH_USDT";
export const keys = { accessKey: new Secret("access-key"), secretKey: new Secret("secret-key") };

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
}

export interface Said {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Read the request, then cut the connection. */
  readonly cut?: boolean;
}

export const success = (data: unknown): Said => ({ json: { code: 200000, message: "Success", data } });
export const failure = (code: number, message: string): Said => ({ json: { code, message, data: {} } });

export interface TestClient {
  readonly client: TradingClient;
  readonly heard: Heard[];
  readonly lines: readonly Logged[];
  close(): Promise<void>;
}

/** A client at a venue that answers by `answer`, with the clock running `scale` times faster. */
export async function testClient(answer: (request: Heard, nth: number) => Said, scale = 1): Promise<TestClient> {
  const heard: Heard[] = [];
  const server = await httpServer((request, response, body) => {
    const url = new URL(request.url ?? "/", "http://x");
    const { method = "", headers } = request;
    heard.push({ method, path: url.pathname, query: Object.fromEntries(url.searchParams), body, headers });
    const said = answer(heard[heard.length - 1] as Heard, heard.length);
    if (said.cut) return void request.socket.destroy();
    response.writeHead(said.status ?? 200, { "Content-Type": "application/json", ...said.headers });
    response.end(said.text ?? JSON.stringify(said.json ?? {}));
  });
  const log = recordingLog();
  const client = createTradingClient({
    env: realEnv(scale),
    log,
    baseUrl: server.url,
    ...keys,
    exchanges: ["EXCHANGE_A"],
  });
  return {
    client,
    heard,
    lines: log.lines,
    close: async () => {
      await client.close();
      await server.close();
    },
  };
}

/** The signature that documents 1 §5.2 and 2 §5.1 ask for, made here by hand. */
export function expectedSignature(heard: Heard): string {
  const fields: Record<string, unknown> = heard.body
    ? (JSON.parse(heard.body) as Record<string, unknown>)
    : { ...heard.query };
  const pairs = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${String(fields[name])}`);
  return hmacHex("secret-key", `${pairs.join("&")}&${String(heard.headers["nonce"])}`);
}
