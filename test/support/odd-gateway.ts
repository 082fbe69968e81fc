/** A model gateway on a port of this machine that misbehaves in one way at a time; the way can be changed while it runs. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ChatRequest } from "../../src/sim/model/chat-request.ts";
import { behaviourOf, goodText, ODD_MODEL, ODD_NAMES, type OddName, reply } from "./odd-behaviours.ts";

export interface OddGateway {
  /** For AI_BASE_URL. */
  readonly url: string;
  /** Bodies of the questions so far. */
  readonly asked: Readonly<Record<string, unknown>>[];
  /** From the next question on. */
  become(name: OddName): void;
  close(): Promise<void>;
}

const isOddName = (name: unknown): name is OddName => ODD_NAMES.includes(name as OddName);

/** Port 0 takes a free one. `POST /control` with `{"behaviour": NAME}` changes the way from outside. */
export async function oddGateway(name: OddName = "good", port = 0): Promise<OddGateway> {
  const state = { name };
  const asked: Readonly<Record<string, unknown>>[] = [];
  const server = createServer((request, response) => void serve(request, response, state, asked));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    become: (next) => void (state.name = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  state: { name: OddName },
  asked: Readonly<Record<string, unknown>>[],
): Promise<void> {
  const behaviour = behaviourOf(state.name);
  const path = request.url ?? "";
  const text = await textOf(request);
  if (path === "/control") return control(text, response, state);
  if (path.endsWith("/key/info")) {
    return (behaviour.keyInfo ?? ((to) => reply(to, 200, { info: { spend: 0 } })))(response);
  }
  if (path.endsWith("/models")) {
    const list = { object: "list", data: [{ id: ODD_MODEL }] };
    return (behaviour.models ?? ((to) => reply(to, 200, list)))(response);
  }
  if (!path.endsWith("/v1/chat/completions")) return reply(response, 404, "404 page not found");
  const body = JSON.parse(text) as ChatRequest & Readonly<Record<string, unknown>>;
  asked.push(body);
  behaviour.complete({ body, response, good: goodText(body) });
}

function control(text: string, response: ServerResponse, state: { name: OddName }): void {
  const wanted = text === "" ? state.name : (JSON.parse(text) as { behaviour?: unknown }).behaviour;
  if (!isOddName(wanted)) return reply(response, 400, { error: `behaviour must be one of ${ODD_NAMES.join(", ")}` });
  state.name = wanted;
  reply(response, 200, { behaviour: wanted });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
