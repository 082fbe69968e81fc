/** What beats report beside the loop's own health: only what has changed, once a minute, and again where the disk lost it. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { JournalPort } from "../../src/agent/contract/ports.ts";
import type { Gauge } from "../../src/core/bounded.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { countStatusRequests } from "../../src/faces/status/request-counts.ts";
import { beatFacts } from "../../src/daemon/beat-facts.ts";
import { countLines } from "../../src/ops/line-counts.ts";
import { notePeers } from "../../src/ops/peers.ts";
import { openedFiles } from "../../src/daemon/opened-files.ts";
import { PROMPTS_DIR } from "../../src/ops/paths.ts";
import { watchProcess } from "../../src/ops/process-stats.ts";
import { telemetryOf } from "../../src/daemon/telemetry.ts";
import type { Network } from "../../src/net/network.ts";
import { Secret } from "../../src/core/secret.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { rawRow } from "../support/raw-row.ts";

type Body = Record<string, unknown>;

const PROCESS_STATS = {
  ...{ heapLimit: 9, rss: 9, walBytes: 0, journalBytes: 9, handles: 1, files: 1 },
  ...{ loopP50Ms: 0, loopP99Ms: 0, loopMaxMs: 0 },
};

function rig() {
  const clock = virtualClock(1_000_000);
  const rows: Body[] = [];
  const world = { gauges: [] as Gauge[], lost: false, met: ["a:1"], processStats: 0 };
  const append: JournalPort["append"] = ({ body }) => {
    if (world.lost) return { lost: "the disk is full" };
    rows.push(body);
    return undefined;
  };
  const facts = beatFacts(append, clock, {
    gauges: () => world.gauges,
    processStats: () => ({ ...PROCESS_STATS, heapUsed: ++world.processStats }),
    changing: { met: () => world.met },
  });
  const beat = (aheadMs: number): Body | undefined => {
    clock.advanceSync(aheadMs);
    facts.append(rawRow("beat", { stage: "ready" }), null);
    return rows.at(-1);
  };
  return { world, rows, facts, beat };
}

const gauge = (name: string, size: number, highWater = size): Gauge => ({ name, size, highWater, cap: 10 });

test("the first beat reports all, the next minute's what has changed, those between nothing", () => {
  const { world, beat } = rig();
  world.gauges = [gauge("orders", 2), gauge("news", 0)];
  expect(beat(0)).toEqual({
    stage: "ready",
    gauges: { orders: { high: 2, cap: 10 }, news: { high: 0, cap: 10 } },
    vitals: { ...PROCESS_STATS, heapUsed: 1 },
    met: ["a:1"],
  });
  world.gauges = [gauge("orders", 7), gauge("news", 0)];
  expect(beat(10_000)).toEqual({ stage: "ready" });
  world.gauges = [gauge("orders", 1), gauge("news", 0)];
  expect(beat(50_000)).toEqual({
    stage: "ready",
    gauges: { orders: { high: 7, cap: 10 } },
    vitals: { ...PROCESS_STATS, heapUsed: 2 },
  });
  expect(beat(60_000)).toEqual({ stage: "ready", vitals: { ...PROCESS_STATS, heapUsed: 3 } });
});

test("what the disk did not take is reported by the next beat that it takes", () => {
  const { world, beat, rows } = rig();
  world.lost = true;
  beat(0);
  expect(rows).toEqual([]);
  world.lost = false;
  expect(beat(10_000)).toMatchObject({ met: ["a:1"], vitals: { ...PROCESS_STATS, heapUsed: 2 } });
});

test("other rows pass unchanged, and the last row has everything", () => {
  const { world, beat, facts, rows } = rig();
  world.gauges = [gauge("orders", 3, 9)];
  beat(0);
  facts.append(rawRow("fill", { qty: "1" }), null);
  expect(rows.at(-1)).toEqual({ qty: "1" });
  expect(facts.last()).toEqual({
    gauges: { orders: { high: 9, cap: 10 } },
    vitals: { ...PROCESS_STATS, heapUsed: 2 },
    met: ["a:1"],
  });
});

test("claims of the log are counted, everything else passes by", () => {
  const lines: string[] = [];
  const claims = countLines({ event: (_level, evt, msg) => void lines.push(`${evt} ${msg}`) });
  claims.log.event("info", "order.filled", "BUY 1");
  claims.log.event("info", "order.filled", "BUY 2");
  claims.log.event("info", "news.seen", "a headline that says order.filled");
  expect(lines).toHaveLength(3);
  expect(claims.reported()).toEqual({ "order.filled": 2 });
});

/** A network that answers nothing. */
const deaf: Network = {
  http: () => ({ send: () => Promise.resolve({ kind: "not-sent", message: "deaf" }), close: () => Promise.resolve() }),
  connect: () => ({ send: () => false, abandon: () => undefined }),
  gate: () => {
    throw new Error("nobody waits here");
  },
};
const noEvents = { open: () => undefined, message: () => undefined, closed: () => undefined };

test("hosts are reported by name; nothing of paths, queries or users is kept", async () => {
  const peers = notePeers();
  const network = peers.over(deaf);
  const client = network.http(virtualClock(0), { baseUrl: "https://user:pass@api.example/v1?key=s3cret" });
  await client.send({ method: "GET", path: "/account?signature=abc", headers: {} });
  await client.send({ method: "GET", path: "/orders", headers: {} });
  network.connect("wss://stream.example:8443/private?token=s3cret", noEvents);
  expect(peers.reported()).toEqual(["api.example", "stream.example:8443"]);
  for (let n = 0; n < 100; n++) network.connect(`ws://h${n}.example`, noEvents);
  expect(peers.reported().length).toBeLessThanOrEqual(33);
});

test("visits are counted by kind, and an outsider of many names fills no memory", () => {
  const requests = countStatusRequests();
  const call = { method: "GET", host: "127.0.0.1:1", origin: "", loopback: true, token: false, status: 200 };
  const kind = { ...call, contentType: "application/json" };
  for (let n = 0; n < 3; n++) requests.note(kind, 0);
  for (let n = 0; n < 500; n++) requests.note({ ...kind, host: `h${n}.example`, status: 403 }, 9);
  const reported = requests.reported();
  expect(reported.length).toBeLessThanOrEqual(51);
  expect(reported[0]).toEqual({ ...kind, count: 3, refusalChars: 0 });
  expect(reported.at(-1)).toMatchObject({ host: "many", status: 403, refusalChars: 9 });
  expect(reported.reduce((sum, { count }) => sum + count, 0)).toBe(503);
  // Whoever is served after that is no outsider, and is not reported as one.
  requests.note({ ...kind, method: "HEAD" }, 0);
  expect(requests.reported().at(-1)).toMatchObject({ method: "HEAD", host: "localhost", status: 200 });
});

test("every prompt and strategy lies inside its root and has the hash of its content", () => {
  const files = openedFiles(PROMPTS_DIR);
  expect(files.map(({ path: file }) => path.basename(file).replace(/\.(ts|js)$/, ""))).toEqual(
    expect.arrayContaining(["llm-trader.md", "momentum", "hold"]),
  );
  for (const { real, root, sha256 } of files) {
    expect(real.startsWith(`${root}/`)).toBe(true);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  }
});

test("vitals of this process are figures in their ranges", () => {
  const processStats = watchProcess(path.join(tmpdir(), "no-such-journal.db"))();
  expect(processStats).toMatchObject({ walBytes: 0, journalBytes: 0 });
  expect(processStats.heapUsed).toBeGreaterThan(1e6);
  expect(processStats.heapLimit).toBeGreaterThan(processStats.heapUsed);
  expect(processStats.rss).toBeGreaterThan(processStats.heapUsed / 2);
  for (const ms of [processStats.loopP50Ms, processStats.loopP99Ms, processStats.loopMaxMs])
    expect(ms).toBeGreaterThanOrEqual(0);
});

test("telemetry reports hosts by name, files that changed since the start, and no secret", () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-telemetry-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const [old, fresh] = [path.join(dataDir, "old.json"), path.join(dataDir, "journal.db")];
  for (const file of [old, fresh]) writeFileSync(file, "");
  mkdirSync(path.join(dataDir, "pages"));
  utimesSync(old, 1, 1);
  const clock = virtualClock(0);
  const entropy = seededEntropy(1);
  const access = {
    restUrl: "https://api.example",
    marketWsUrl: "wss://api.example/market",
    userWsUrl: "wss://user.example:9443/v1",
    feedsWsUrl: "wss://api.example/feeds",
    aiUrl: "",
    accessKey: new Secret("access-key-0001"),
    secretKey: new Secret("secret-key-0001"),
    aiKey: new Secret("ai-key-0001"),
  };
  const { bootFacts, sources } = telemetryOf({
    env: { clock, entropy, ids: timedIds(() => 0, entropy), network: deaf },
    access,
    dataDir,
    journalFile: fresh,
    promptsDir: PROMPTS_DIR,
    requests: countStatusRequests(),
    sinceMs: 1_000_000,
  });
  expect(bootFacts["hosts"]).toEqual(["api.example", "user.example:9443"]);
  expect(sources.changing?.["wrote"]?.()).toEqual(["journal.db", "pages"]);
  expect(sources.changing?.["met"]?.()).toEqual([]);
  expect(JSON.stringify([bootFacts, sources.processStats?.()])).not.toMatch(/-key-0001/);
});
