/** Who is let in at the status endpoint, over real sockets and by made-up callers; and that every visit is counted. I33. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { startStatusServer, statusApp, type StatusSources } from "../../src/faces/status/server.ts";
import { countStatusRequests } from "../../src/faces/status/request-counts.ts";

const TOKEN = "a-token-of-the-owner";
const sources = (token?: string): StatusSources & { requests: ReturnType<typeof countStatusRequests> } => ({
  healthy: () => ({ ok: true, state: "healthy", reason: "it ticks" }),
  status: () => ({ equity: "1000" }),
  requests: countStatusRequests(),
  ...(token === undefined ? {} : { token }),
});

interface Call {
  readonly from?: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

/** A call as the server's adapter hands it in, from an address of our choosing. */
const call = async (given: StatusSources, { from = "127.0.0.1", headers = {}, method = "GET" }: Call) => {
  const bindings = { incoming: { socket: { remoteAddress: from } } };
  const request = { method, headers: { host: "127.0.0.1:8787", ...headers } };
  const answer = await statusApp(given).request("http://127.0.0.1:8787/status", request, bindings as never);
  return { status: answer.status, body: await answer.text(), headers: answer.headers };
};

/** What a browser says of a link on another site, or of a frame there. */
const LINK = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };

describe("callers from this machine", () => {
  test.each([
    ["a link on another site", "GET", { ...LINK, "sec-fetch-dest": "document" }, 200],
    ["a bookmark", "GET", { ...LINK, "sec-fetch-site": "none", "sec-fetch-dest": "document" }, 200],
    ["a frame of another site", "GET", { ...LINK, "sec-fetch-dest": "iframe" }, 403],
    ["a form of another site", "POST", { ...LINK, "sec-fetch-dest": "document" }, 403],
  ])("%s gets the page or nothing", async (_what, method, headers, status) => {
    const page: StatusSources["page"] = (routes) => void routes.all("/", (context) => context.text("the page"));
    const request = { method, headers: { host: "127.0.0.1:8787", ...headers } };
    const answer = await statusApp({ ...sources(TOKEN), page }).request("http://127.0.0.1:8787/", request);
    expect([answer.status, await answer.text()]).toEqual([status, status === 200 ? "the page" : "forbidden"]);
  });

  test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1", "127.8.8.8"])("%s is served without a token", async (from) => {
    expect(await call(sources(), { from })).toMatchObject({ status: 200, body: '{"equity":"1000"}' });
  });

  test.each([
    ["a foreign Host", { host: "evil.example" }],
    ["a Host that begins as ours", { host: "127.0.0.1.evil.example" }],
    ["no Host at all", { host: "" }],
    ["a foreign Origin", { origin: "https://evil.example" }],
    ["another site without an Origin", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
    ["a link to what is not the page", { ...LINK, "sec-fetch-dest": "document" }],
  ])("%s is turned away with nothing, and reported never to be kept", async (_what, headers) => {
    const answer = await call(sources(TOKEN), { headers });
    expect(answer).toMatchObject({ status: 403, body: "forbidden" });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'");
  });
});

describe("callers from elsewhere", () => {
  const from = "192.168.7.20";
  const shows = (token: string): Call => ({
    from,
    headers: { host: "agent.lan:8787", authorization: `Bearer ${token}` },
  });

  test("are served with the token, by whatever name they call", async () => {
    expect((await call(sources(TOKEN), shows(TOKEN))).status).toBe(200);
  });

  test.each([
    ["without one", { from, headers: { host: "agent.lan:8787" } }],
    ["with another one", shows("a-token-of-somebody")],
    ["with its beginning", shows(TOKEN.slice(0, -1))],
  ])("are turned away %s", async (_what, given) => {
    const answer = await call(sources(TOKEN), given);
    expect(answer).toMatchObject({ status: 403, body: "forbidden" });
    expect(answer.headers.get("www-authenticate")).toBeNull();
  });

  test("are turned away whatever they show where the owner set no token", async () => {
    expect((await call(sources(), shows("undefined"))).status).toBe(403);
  });
});

describe("a browser whose calls come through a published port of a container", () => {
  const from = "172.17.0.1";
  const basic = (name: string, password: string, more: Record<string, string> = {}): Call => ({
    from,
    headers: { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`, ...more },
  });

  test.each([
    ["without one", { from }],
    ["with another one", basic("ballast", "a-token-of-somebody")],
    ["with its beginning", basic("ballast", TOKEN.slice(0, -1))],
    ["with a text that is no name and password", { from, headers: { authorization: "Basic ====" } }],
    ["with nothing after the word", { from, headers: { authorization: "Bearer " } }],
  ])("is asked for the token %s", async (_what, given) => {
    const answer = await call(sources(TOKEN), given);
    expect(answer).toMatchObject({ status: 401, body: "forbidden" });
    expect(answer.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
  });

  test("reads with the token as the password, under any name", async () => {
    for (const name of ["", "ballast"])
      expect(await call(sources(TOKEN), basic(name, TOKEN))).toMatchObject({ status: 200, body: '{"equity":"1000"}' });
  });

  // It adds the password by itself to whatever a page asks for.
  test.each([
    ["a foreign page", { origin: "https://evil.example" }],
    ["a foreign name", { host: "evil.example" }],
    ["a foreign picture", { "sec-fetch-site": "cross-site" }],
  ])("is turned away where %s used its password", async (_what, more) => {
    expect(await call(sources(TOKEN), basic("ballast", TOKEN, more))).toMatchObject({ status: 403, body: "forbidden" });
  });

  test.each([
    ["its password", basic("ballast", TOKEN), false],
    ["the bearer token", { from, headers: { authorization: `Bearer ${TOKEN}` } }, true],
  ])("with %s commands as its kind allows", async (_what, { headers = {} }, may) => {
    let found: boolean | null = null;
    const app = statusApp({
      ...sources(TOKEN),
      page: (routes, mayCommand) =>
        void routes.post("/commands", (context) => {
          found = mayCommand(context);
          return context.body(null, 204);
        }),
    });
    const request = { method: "POST", headers: { host: "127.0.0.1:8787", ...headers } };
    const bindings = { incoming: { socket: { remoteAddress: from } } };
    await app.request("http://127.0.0.1:8787/commands", request, bindings as never);
    expect(found).toBe(may);
  });
});

test("nothing can be changed: every other method is answered as a path that is not there", async () => {
  for (const method of ["POST", "PUT", "DELETE", "PATCH"])
    expect((await call(sources(), { method })).status, method).toBe(404);
});

test("visits over a real socket are counted by kind", async () => {
  const given = sources();
  const server = await startStatusServer(given, { host: "127.0.0.1", port: 0 });
  try {
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect((await fetch(`${server.url}/status`)).status).toBe(200);
    expect((await fetch(`${server.url}/status`, { headers: { origin: "https://evil.example" } })).status).toBe(403);
  } finally {
    await server.close();
  }
  const reported = given.requests.reported();
  const host = new URL(server.url).host;
  expect(reported).toEqual([
    {
      host,
      method: "GET",
      origin: "",
      loopback: true,
      token: false,
      status: 200,
      contentType: "application/json",
      count: 2,
      refusalChars: 0,
    },
    {
      host,
      method: "GET",
      origin: "https://evil.example",
      loopback: true,
      token: false,
      status: 403,
      contentType: expect.stringContaining("text/plain") as string,
      count: 1,
      refusalChars: 9,
    },
  ]);
});

test("strangers with half a request make room for a whole one, and a caller that is served stays", async () => {
  const strangers: Socket[] = [];
  let answer: (() => void) | null = null;
  const page: StatusSources["page"] = (routes) =>
    void routes.get("/slow", async (context) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return context.text("served");
    });
  const server = await startStatusServer({ ...sources(), page }, { host: "127.0.0.1", port: 0 });
  try {
    const slow = fetch(`${server.url}/slow`);
    await expect.poll(() => answer).not.toBeNull();
    for (let n = 0; n < 100; n++) {
      const socket = connect(server.port, "127.0.0.1").on("error", () => undefined);
      strangers.push(socket);
      socket.write("GET /health HTTP/1.1\r\nHost: 127.0");
      await once(socket, "connect");
    }
    for (let n = 0; n < 40; n++) {
      const health = await fetch(`${server.url}/health`, { headers: { connection: "close" } });
      expect(health.status).toBe(200);
    }
    await expect.poll(() => strangers.filter(({ closed }) => closed).length).toBeGreaterThan(60);
    (answer as unknown as () => void)();
    expect(await (await slow).text()).toBe("served");
  } finally {
    for (const socket of strangers) socket.destroy();
    await server.close();
  }
});
