/** Builders and doubles for the tests of the model gateway: a ledger store in memory and a real HTTP server. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { type Clock, systemClock } from "../../src/core/clock.ts";
import { dec } from "../../src/core/decimal.ts";
import { Secret } from "../../src/core/secret.ts";
import type { ChatClient } from "../../src/llm/dialects/chat.ts";
import { createModelGateway } from "../../src/llm/gateway/gateway.ts";
import type { AskRequest, ModelGateway } from "../../src/llm/contract/port.ts";
import type { ModelSettings } from "../../src/llm/contract/settings.ts";
import { loadPrompts, type PromptLibrary } from "../../src/llm/prompts/prompts.ts";
import { envOn, listLog, memoryStore, type MemoryStore } from "./budget/ledger-support.ts";

export { envOn, listLog, memoryStore, type MemoryStore };

export const PROMPTS_DIR = fileURLToPath(new URL("../../prompts", import.meta.url));
/** Prompts of the tests, so that the gateway's tests hold whatever the trading prompts say. */
export const PROBE_DIR = fileURLToPath(new URL("./probe", import.meta.url));

export const prompts = (dir = PROMPTS_DIR): PromptLibrary => {
  const loaded = loadPrompts(dir);
  if (!loaded.ok) throw new Error(loaded.error);
  return loaded.value;
};

export const settings = (changed: Partial<ModelSettings> = {}): ModelSettings => ({
  aiUrl: "http://127.0.0.1:1/ai",
  names: [
    {
      name: "model-1",
      speech: "chat",
      inputPerMillionUsd: dec("0.31"),
      outputPerMillionUsd: dec("1.24"),
      cachedPerMillionUsd: dec("0.06"),
    },
  ],
  dayLimitUsd: dec("10"),
  dayBoundaryUtcHour: 0,
  cache: 300_000,
  timeout: 2_000,
  maxConcurrent: 4,
  reserveForHappenings: 0.2,
  ...changed,
});

export const ReplySchema = z.strictObject({
  echo: z.string(),
  summary: z.string(),
  stances: z.array(
    z.strictObject({ symbol: z.string(), size: z.number().min(0).max(1), targetPct: z.number().nullable() }),
  ),
});

export const traderVariables = (): Record<string, unknown> => ({
  rules: {
    floorUsdt: "800",
    leverageMax: "2",
    stancesMax: 6,
    stopMinVolatilities: 1.5,
    stopMaxVolatilities: 8,
    minHold: "1h",
    reasonMaxChars: 300,
  },
  time: "2026-01-31T09:30:00.000Z",
  account: {
    equityUsdt: "1003.2",
    availableUsdt: "890.1",
    floorUsdt: "800",
    floorDistanceUsdt: "203.2",
    exposureUsdt: "0",
    netExposureUsdt: "0",
    unrealizedUsdt: "0",
    realizedTodayUsdt: "1.2",
    feesTodayUsdt: "0.3",
  },
  headroom: {
    mayOpen: true,
    reason: "",
    perOrderUsdt: "300",
    totalUsdt: "600",
    cushionMajorUsdt: "1500",
    cushionOtherUsdt: "720",
    roundTripPct: "0.08",
  },
  positions: [],
  market: [
    {
      symbol: "EXCHANGE_A_PERP_BTC_USDT",
      price: "64250.5",
      ret5m: "+0.05",
      ret1h: "-0.31",
      ret4h: "+1.20",
      ret24h: null,
      vol1h: "0.45",
      spreadBps: "0.2",
      imbalance: "+0.12",
      flow: "-0.30",
      fundingPct: "0.0100",
      fundIn: "3h 12m",
      basisBps: "+1.5",
      oi1hPct: "+0.8",
      corr: "+1.00",
      rsi: "54",
      depthK: "310",
      ageS: 1,
      held: null,
    },
  ],
  limits: [{ limit: "total-notional", left: "600", unit: "USDT" }],
  trades: [],
  views: [],
  lessons: [],
  facts: [],
  news: [{ id: "news:1", age: "4m", kind: "news", currencies: "BTC", title: "A title", text: "Its text" }],
  missing: [],
});

export const question = (changed: Partial<AskRequest> = {}): AskRequest => ({
  decisionId: "decision-1",
  purpose: "decision",
  prompt: "probe",
  variables: traderVariables(),
  replySchema: ReplySchema,
  replySchemaName: "stances",
  maxOutputTokens: 800,
  fingerprint: "f1",
  ...changed,
});

export interface Asked {
  readonly path: string;
  readonly authorization: string;
  readonly body: {
    readonly model: string;
    readonly messages: { role: string; content: string }[];
    readonly response_format?: { type: string };
    readonly tools?: unknown[];
    readonly max_tokens?: number;
    readonly max_completion_tokens?: number;
  };
  /** The echo word of the question. */
  readonly echo: string;
  readonly fence: string;
}

export interface TestServer {
  readonly url: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

type Handle = (asked: Asked, response: ServerResponse, count: number) => void | Promise<void>;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

/** A real server on loopback; `handle` answers each completion. `keyInfo` is served at `/ai/key/info`. */
export async function serve(handle: Handle, keyInfo: () => unknown = () => ({})): Promise<TestServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const text = await bodyOf(request);
      if (request.url === "/ai/key/info") return void reply(response, 200, keyInfo());
      const body = JSON.parse(text) as Asked["body"];
      const user = body.messages.at(-1)?.content ?? "";
      const entry = {
        path: request.url ?? "",
        authorization: request.headers.authorization ?? "",
        body,
        echo: /^Echo: (\S+)$/m.exec(user)?.[1] ?? "",
        fence: /^<<<(\S+)$/m.exec(user)?.[1] ?? "",
      };
      asked.push(entry);
      await handle(entry, response, asked.length);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/ai`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

export const completion = (
  content: string,
  usage: unknown = { prompt_tokens: 1000, completion_tokens: 100 },
): unknown => ({
  id: "c1",
  object: "chat.completion",
  created: 1,
  model: "model-1",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  ...(usage === null ? {} : { usage }),
});

export const goodText = (echo: string): string => JSON.stringify({ echo, summary: "Calm.", stances: [] });

export const error = (status: number, type: string, message: string): unknown => ({
  error: { message, type, param: null, code: String(status) },
});

export interface TestGateway {
  readonly gateway: ModelGateway;
  readonly store: MemoryStore;
  readonly log: ReturnType<typeof listLog>;
}

export const KEY = new Secret("sk-test-0123456789abcdef");

export function testGateway(
  changed: Partial<ModelSettings>,
  clock: Clock = systemClock(),
  store?: MemoryStore,
  chat?: ChatClient,
): TestGateway {
  const kept = store ?? memoryStore(clock.nowMs);
  const log = listLog();
  const gateway = createModelGateway({
    env: envOn(clock),
    log,
    settings: settings(changed),
    apiKey: KEY,
    ledger: kept,
    prompts: prompts(PROBE_DIR),
    ...(chat ? { chat } : {}),
  });
  return { gateway, store: kept, log };
}
