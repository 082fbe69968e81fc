import { afterEach, describe, expect, test } from "vitest";
import { createHttpClient, type HttpClient } from "../../src/net/http.ts";
import { httpServer, realEnv, tcpServer, type Running } from "./servers.ts";

const { clock } = realEnv();
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});
function clientOf(server: { url: string }, bodyMaxBytes?: number): HttpClient {
  const client = createHttpClient(clock, { baseUrl: server.url, ...(bodyMaxBytes ? { bodyMaxBytes } : {}) });
  open.push(client);
  return client;
}
async function hold<T extends Running>(server: Promise<T>): Promise<T> {
  const running = await server;
  open.push(running);
  return running;
}
const get = { method: "GET", path: "/x?a=1", headers: {} } as const;

describe("answered", () => {
  test("gives status, headers in lower case and text, whatever the status", async () => {
    const server = await hold(
      httpServer((_request, response) => response.writeHead(503, { "Retry-After": "7" }).end("later")),
    );
    const outcome = await clientOf(server).send(get);
    expect(outcome).toMatchObject({ kind: "done", status: 503, text: "later" });
    if (outcome.kind === "done") expect(outcome.headers["retry-after"]).toBe("7");
  });
  test("sends body and headers, under the path of the base address", async () => {
    const server = await hold(httpServer((request, response, body) => response.end(`${request.url} ${body}`)));
    const client = clientOf({ url: `${server.url}/base/` });
    const outcome = await client.send({ ...get, method: "POST", body: "{}", fresh: true });
    expect(outcome).toMatchObject({ text: "/base/x?a=1 {}" });
  });
  test("a fresh request comes on a new connection, a read on a kept one", async () => {
    const ports: (number | undefined)[] = [];
    const server = await hold(
      httpServer((request, response) => {
        ports.push(request.socket.remotePort);
        response.end();
      }),
    );
    const client = clientOf(server);
    for (const fresh of [false, false, true, true]) {
      await client.send({ ...get, fresh });
      await clock.sleep(5);
    }
    expect(ports[0]).toBe(ports[1]);
    expect(new Set(ports).size).toBe(3);
  });
});

describe("provably not sent", () => {
  test("nobody listens", async () => {
    const server = await httpServer(() => undefined);
    await server.close();
    expect(await clientOf(server).send(get)).toMatchObject({ kind: "not-sent" });
  });
  test("the name does not exist", async () => {
    const outcome = await clientOf({ url: "http://nowhere.invalid" }).send({ ...get, timeoutMs: 3_000 });
    expect(outcome.kind).toBe("not-sent");
  });
  test("aborted before, or the client is closed", async () => {
    const server = await hold(httpServer((_request, response) => response.end()));
    const client = clientOf(server);
    expect(await client.send({ ...get, signal: AbortSignal.abort() })).toMatchObject({ kind: "not-sent" });
    await client.close();
    expect(await client.send(get)).toMatchObject({ kind: "not-sent" });
    expect(server.requests).toEqual([]);
  });
  test("a deadline that passes in the queue for a connection never lets the request out later", async () => {
    const server = await hold(
      httpServer((request, response) => {
        if (request.url === "/slow") clock.after(150, () => response.end());
        else response.end();
      }),
    );
    const client = clientOf(server);
    const slow = Array.from({ length: 8 }, () => client.send({ ...get, path: "/slow" }));
    const late = await client.send({ ...get, path: "/late", timeoutMs: 50 });
    expect(late.kind).toBe("not-sent");
    await Promise.all(slow);
    await client.send({ ...get, path: "/after" });
    expect(server.requests).not.toContain("GET /late");
  });
});

describe("of unknown fate", () => {
  test("no answer before the deadline", async () => {
    const server = await hold(httpServer(() => undefined));
    expect(await clientOf(server).send({ ...get, timeoutMs: 60 })).toMatchObject({ kind: "unknown" });
  });
  test("headers, then a body that stalls", async () => {
    const server = await hold(httpServer((_request, response) => void response.writeHead(200).write("half")));
    expect(await clientOf(server).send({ ...get, timeoutMs: 60 })).toMatchObject({ kind: "unknown" });
  });
  test("the connection is cut after the request was read, and it is not sent again", async () => {
    let connections = 0;
    const server = await hold(
      tcpServer((socket) => {
        connections++;
        socket.on("data", () => socket.destroy());
      }),
    );
    const outcome = await clientOf(server).send({ ...get, method: "POST", body: "{}", fresh: true });
    expect(outcome.kind).toBe("unknown");
    expect(connections).toBe(1);
  });
  test("an answer that is no HTTP", async () => {
    const server = await hold(tcpServer((socket) => socket.on("data", () => socket.end("hello\r\n\r\n"))));
    expect(await clientOf(server).send(get)).toMatchObject({ kind: "unknown" });
  });
  test("an answer longer than the cap", async () => {
    const server = await hold(httpServer((_request, response) => response.end("x".repeat(5_000))));
    expect(await clientOf(server, 1_000).send(get)).toMatchObject({ kind: "unknown" });
  });
  test("a truncated body with a longer declared length", async () => {
    const server = await hold(
      tcpServer((socket) => socket.on("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"))),
    );
    expect(await clientOf(server).send(get)).toMatchObject({ kind: "unknown" });
  });
  test("aborted while it runs", async () => {
    const stop = new AbortController();
    const server = await hold(httpServer(() => stop.abort()));
    expect(await clientOf(server).send({ ...get, signal: stop.signal })).toMatchObject({ kind: "unknown" });
  });
});
