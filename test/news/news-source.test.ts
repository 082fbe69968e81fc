import { createHmac } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { Secret } from "../../src/core/secret.ts";
import { createFeedClient, type FeedClientOptions } from "../../src/news/feed-client.ts";
import { createFeedStream } from "../../src/news/feed-stream.ts";
import { createNewsSource } from "../../src/news/news-source.ts";
import { httpServer, realEnv, recordingLog, socketServer, until } from "../net/servers.ts";

const open: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const keys = { accessKey: new Secret("access-key"), secretKey: new Secret("secret-key") };
const NOW = Date.now();
const row = (id: number, given: Record<string, unknown> = {}) => ({
  id,
  newsId: `n${id}`,
  newsType: "news",
  title: `Headline number ${id} of this day, long enough`,
  content: "<p>x</p>",
  createdAt: NOW - id * 1_000,
  ...given,
});
const pageOf = (list: unknown[], pageNum = 1) =>
  JSON.stringify({ code: 200, message: "success", data: { page: 1, pageSize: 30, pageNum, totalSize: 0, list } });

async function rest(answer: (url: URL, nth: number) => string, scale = 1, given: Partial<FeedClientOptions> = {}) {
  let nth = 0;
  const seen: { url: URL; headers: Record<string, unknown> }[] = [];
  const server = await httpServer((request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    seen.push({ url, headers: request.headers });
    const text = answer(url, ++nth);
    response.writeHead(text === "" ? 502 : 200).end(text);
  });
  open.push(server.close);
  const client = createFeedClient({ env: realEnv(scale), log: recordingLog(), restUrl: server.url, keys, ...given });
  open.push(client.close);
  return { client, server, seen };
}

describe("queries", () => {
  test("that are cut off by the client's own end are not tried again, and nothing is said after it", async () => {
    const log = recordingLog();
    let heard = 0;
    const server = await httpServer(() => void heard++);
    open.push(server.close);
    const client = createFeedClient({ env: realEnv(), log, restUrl: server.url, keys });
    const asked = client.query("news", { startMs: NOW - 60_000, endMs: NOW });
    await until(() => heard === 1, "the query");
    await client.close();
    expect((await asked).kind).toBe("unknown");
    expect(heard).toBe(1);
    expect(log.lines).toEqual([]);
  });

  test("read every page of a fixed span; an unsound item costs itself only", async () => {
    const { client, seen } = await rest((url) =>
      url.searchParams.get("page") === "1" ? pageOf([row(1), { id: 2 }], 2) : pageOf([row(3)], 2),
    );
    const outcome = await client.query("news", { startMs: NOW - 60_000, endMs: NOW });
    expect(outcome).toMatchObject({ kind: "done", value: { refused: 1, complete: true } });
    if (outcome.kind === "done") expect(outcome.value.items.map((item) => item.id)).toEqual([1, 3]);
    expect(seen.map(({ url }) => url.searchParams.get("endTime"))).toEqual([String(NOW), String(NOW)]);
    expect(seen[0]?.url.searchParams.get("pageSize")).toBe("30");
  });
  test("a span that begins before what the service keeps is not complete", async () => {
    const { client } = await rest(() => pageOf([row(1)]));
    const days = (count: number) => ({ startMs: Date.now() - count * 86_400_000, endMs: Date.now() });
    expect(await client.query("hot", days(8))).toMatchObject({ kind: "done", value: { complete: false } });
    expect(await client.query("news", days(8))).toMatchObject({ kind: "done", value: { complete: true } });
  });
  test("the header scheme signs the parameters with the nonce", async () => {
    const { client, seen } = await rest(() => pageOf([]));
    await client.query("hot", { startMs: 1_784_500_000_000, endMs: 1_784_500_001_000 });
    const nonce = String(seen[0]?.headers["nonce"]);
    const text = `endTime=1784500001000&page=1&pageSize=30&startTime=1784500000000&${nonce}`;
    expect(seen[0]?.headers["signature"]).toBe(createHmac("sha256", "secret-key").update(text).digest("hex"));
  });
  test("the query scheme carries key, time and signature as parameters", async () => {
    const { client, seen } = await rest(() => pageOf([]), 1, {
      scheme: "query",
      venueNowMs: () => Date.UTC(2026, 6, 19, 1, 2, 3),
    });
    await client.query("featured", { startMs: 1_784_500_000_000, endMs: 1_784_500_001_000 });
    const params = seen[0]?.url.searchParams;
    const text =
      "apiKey=access-key&endTime=1784500001000&page=1&pageSize=30&startTime=1784500000000&timestamp=2026-07-19T01:02:03";
    expect(params?.get("sign")).toBe(createHmac("sha256", "secret-key").update(text).digest("hex"));
    expect(seen[0]?.headers).not.toHaveProperty("signature");
  });
  test("a refusal is final, a failure is tried again, HTML is no answer", async () => {
    const refused = await rest(() => '{"code":1004,"message":"signature error","data":null}');
    expect(await refused.client.query("news", { startMs: NOW - 1, endMs: NOW })).toMatchObject({
      kind: "rejected",
      code: "1004",
    });
    expect(refused.seen).toHaveLength(1);
    const flaky = await rest((_url, nth) => (nth === 1 ? "" : pageOf([row(1)])), 50);
    expect((await flaky.client.query("news", { startMs: NOW - 1, endMs: NOW })).kind).toBe("done");
    const html = await rest(() => "<html>", 50);
    expect((await html.client.query("news", { startMs: NOW - 1, endMs: NOW })).kind).toBe("unknown");
    expect(html.seen).toHaveLength(3);
  });
});

type Ask = { event?: string; arg?: { channel: string }[] };
const subscribed = (arg: unknown, invalidArg: unknown = []) => ({
  event: "subscribe",
  code: "0",
  msg: "success",
  arg,
  invalidArg,
});

describe("the stream", () => {
  function follow(url: string, scale: number) {
    const story: string[] = [];
    const log = recordingLog();
    const stream = createFeedStream({
      env: realEnv(scale),
      log,
      url,
      on: {
        item: (item) => void story.push(`item ${item.newsType}:${item.id}`),
        up: () => void story.push("up"),
        down: () => void story.push("down"),
      },
    });
    open.push(() => stream.stop());
    stream.start();
    return { stream, story, log };
  }
  test("subscribes to both channels, again after each reconnect, and passes items on", async () => {
    const server = await socketServer((peer, text) => {
      const ask = JSON.parse(text) as Ask;
      if (ask.event === "subscribe") peer.say(subscribed(ask.arg));
    });
    open.push(server.close);
    const { story } = follow(server.url, 50);
    await until(() => story.includes("up"), "the reply");
    server.peers[0]?.say({ channel: "news.category.all", data: row(1) });
    server.peers[0]?.say({ channel: "news.hot.all", data: row(2, { newsType: "hot" }) });
    server.peers[0]?.say({ channel: "news.hot.all", data: { id: 3 } });
    await until(() => story.length === 3, "two items");
    server.peers[0]?.socket.terminate();
    await until(() => story.filter((line) => line === "up").length === 2, "the second subscription");
    expect(story).toEqual(["up", "item news:1", "item hot:2", "down", "up"]);
    const asks = (server.peers[1]?.heard ?? []).map((text) => JSON.parse(text) as Ask).find((ask) => ask.event);
    expect(asks?.arg).toEqual([{ channel: "news.category.all" }, { channel: "news.hot.all" }]);
  });
  test("an unrecognised channel is reported; when none is left it is not up", async () => {
    const server = await socketServer((peer, text) => {
      const ask = JSON.parse(text) as Ask;
      if (ask.event === "subscribe") peer.say(subscribed([], ask.arg));
    });
    open.push(server.close);
    const { stream, story, log } = follow(server.url, 1);
    await until(() => stream.health().invalid.length === 2, "the reply");
    expect(stream.health()).toMatchObject({ subscribed: false, state: "up" });
    expect(log.lines.some((line) => line.msg.includes("channels not recognised"))).toBe(true);
    expect(story).toEqual([]);
  });
  test("without a reply the connection is rebuilt", async () => {
    const server = await socketServer(() => undefined);
    open.push(server.close);
    follow(server.url, 100);
    await until(() => server.peers.length >= 2, "the second connection");
  });
});

describe("the source", () => {
  interface Given {
    readonly rows: (kind: string, nth: number) => unknown[] | null;
    readonly scale?: number;
    /** How far our clock is ahead of the venue's. */
    readonly wrongMs?: number;
    /** How long the first query waits for its answer. */
    readonly holdMs?: number;
  }
  async function source(options: Given) {
    let queries = 0;
    const spans: URLSearchParams[] = [];
    const http = await httpServer((request, response) => {
      const kind = /query(\w+)/.exec(request.url ?? "")?.[1]?.toLowerCase() ?? "";
      const rows = options.rows(kind, ++queries);
      spans.push(new URL(request.url ?? "", "http://x").searchParams);
      const answer = (): unknown => (rows ? response.end(pageOf(rows)) : response.writeHead(503).end());
      if (queries === 1) setTimeout(answer, options.holdMs ?? 0);
      else answer();
    });
    open.push(http.close);
    const ws = await socketServer((peer, text) => {
      const ask = JSON.parse(text) as Ask;
      if (ask.event === "subscribe") peer.say(subscribed(ask.arg));
    });
    open.push(ws.close);
    const story: string[] = [];
    const seenMs: number[] = [];
    const env = realEnv(options.scale ?? 1);
    const { wrongMs = 0 } = options;
    const clock = { ...env.clock, nowMs: () => env.clock.nowMs() + wrongMs };
    const news = createNewsSource({
      env: { ...env, clock },
      venueNowMs: () => env.clock.nowMs(),
      log: recordingLog(),
      restUrl: http.url,
      wsUrl: ws.url,
      keys,
      catchUpMs: 3_600_000,
      onItem: (item, how) => {
        story.push(`${how} ${item.key}`);
        seenMs.push(item.firstSeenMs);
      },
    });
    open.push(news.stop);
    news.start();
    return { news, story, seenMs, spans, ws };
  }
  test("catches up oldest first, then follows the stream, each story once", async () => {
    const { news, story, ws } = await source({ rows: (kind) => (kind === "news" ? [row(1), row(2)] : []) });
    await until(() => news.health().complete && news.health().up, "the catch-up");
    ws.peers[0]?.say({ channel: "news.category.all", data: row(1) });
    ws.peers[0]?.say({ channel: "news.category.all", data: row(3) });
    await until(() => story.length === 3, "the new one");
    expect(story).toEqual(["new news:2", "new news:1", "new news:3"]);
    expect(news.health()).toMatchObject({ stories: 3, duplicates: 1, refused: 0 });
  });
  test.each([-3_600_000, 3_600_000])(
    "asks for spans of the venue's time where ours is wrong by %i ms",
    async (wrongMs) => {
      const { news, seenMs, spans } = await source({ rows: (kind) => (kind === "news" ? [row(60)] : []), wrongMs });
      await until(() => news.health().complete, "the catch-up");
      expect(Math.abs(Number(spans[0]?.get("endTime")) - Date.now())).toBeLessThan(60_000);
      // The item is a minute old, whatever our clock says.
      expect(Math.abs((seenMs[0] ?? 0) - (NOW - 60_000 + wrongMs))).toBeLessThan(1_000);
    },
  );
  test("while the queries fail it says incomplete, and mends itself", async () => {
    const { news, story } = await source({ rows: (_kind, nth) => (nth <= 3 ? null : [row(1)]), scale: 200 });
    await until(() => news.health().up, "the stream");
    expect(news.health().complete).toBe(false);
    await until(() => news.health().complete, "the catch-up");
    expect(story).toEqual(["new news:1"]);
  });
  test("a query that fails holds back nothing of the others, and alone reads further back", async () => {
    let failing = "news";
    const { news, story, spans } = await source({
      rows: (kind) => (kind === failing ? null : kind === "featured" ? [] : [row(1, { newsType: kind })]),
      scale: 100,
    });
    await until(() => story.includes("new hot:1"), "the hot item");
    expect(news.health().complete).toBe(false);
    failing = "";
    await until(() => news.health().complete, "the catch-up");
    expect(story).toEqual(["new hot:1"]);
    const lengths = spans.slice(-3).map((span) => Number(span.get("endTime")) - Number(span.get("startTime")));
    expect(lengths.map((lengthMs) => lengthMs > 3_600_000)).toEqual([true, false, false]);
  });
  test("what was pushed before the stream was up, while a reading ran, is read as soon as that has ended", async () => {
    const { story } = await source({
      rows: (kind, nth) => (kind === "news" && nth > 3 ? [row(7)] : []),
      holdMs: 300,
    });
    await until(() => story.includes("new news:7"), "the second reading");
  });
  test("after a reconnect the gap is read by query", async () => {
    let missed = false;
    const { news, story, ws } = await source({
      rows: (kind) => (kind === "news" && missed ? [row(7)] : []),
      scale: 50,
    });
    await until(() => news.health().complete && news.health().up, "the start");
    missed = true;
    ws.peers[0]?.socket.terminate();
    await until(() => story.includes("new news:7"), "what was missed");
  });
});
