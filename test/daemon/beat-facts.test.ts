/** What beats tell beside the loop's own health: only what has changed, once a minute, and again where the disk lost it. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { JournalPort } from "../../src/agent/contract/ports.ts";
import type { Gauge } from "../../src/core/gauge.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { statusVisits } from "../../src/faces/status/visits.ts";
import { beatFacts } from "../../src/daemon/beat-facts.ts";
import { countClaims } from "../../src/ops/claims.ts";
import { noteContacts } from "../../src/ops/contacts.ts";
import { openedFiles } from "../../src/daemon/opened-files.ts";
import { PROMPTS_DIR } from "../../src/ops/places.ts";
import { watchVitals } from "../../src/ops/vitals.ts";
import { witnessOf } from "../../src/daemon/witness.ts";
import type { Network } from "../../src/net/network.ts";
import { Secret } from "../../src/core/secret.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { rawRow } from "../support/raw-row.ts";

type Body = Record<string, unknown>;

const VITALS = {
  ...{ heapLimit: 9, rss: 9, walBytes: 0, journalBytes: 9, handles: 1, files: 1 },
  ...{ loopP50Ms: 0, loopP99Ms: 0, loopMaxMs: 0 },
};

function rig() {
  const clock = virtualClock(1_000_000);
  const rows: Body[] = [];
  const world = { gauges: [] as Gauge[], lost: false, met: ["a:1"], vitals: 0 };
  const append: JournalPort["append"] = ({ body }) => {
    if (world.lost) return { lost: "the disk is full" };
    rows.push(body);
    return undefined;
  };
  const facts = beatFacts(append, clock, {
    gauges: () => world.gauges,
    vitals: () => ({ ...VITALS, heapUsed: ++world.vitals }),
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

test("the first beat tells all, the next minute's what has changed, those between nothing", () => {
  const { world, beat } = rig();
  world.gauges = [gauge("orders", 2), gauge("news", 0)];
  expect(beat(0)).toEqual({
    stage: "ready",
    gauges: { orders: { high: 2, cap: 10 }, news: { high: 0, cap: 10 } },
    vitals: { ...VITALS, heapUsed: 1 },
    met: ["a:1"],
  });
  world.gauges = [gauge("orders", 7), gauge("news", 0)];
  expect(beat(10_000)).toEqual({ stage: "ready" });
  world.gauges = [gauge("orders", 1), gauge("news", 0)];
  expect(beat(50_000)).toEqual({
    stage: "ready",
    gauges: { orders: { high: 7, cap: 10 } },
    vitals: { ...VITALS, heapUsed: 2 },
  });
  expect(beat(60_000)).toEqual({ stage: "ready", vitals: { ...VITALS, heapUsed: 3 } });
});

test("what the disk did not take is told by the next beat that it takes", () => {
  const { world, beat, rows } = rig();
  world.lost = true;
  beat(0);
  expect(rows).toEqual([]);
  world.lost = false;
  expect(beat(10_000)).toMatchObject({ met: ["a:1"], vitals: { ...VITALS, heapUsed: 2 } });
});

test("other rows pass unchanged, and the last row has everything", () => {
  const { world, beat, facts, rows } = rig();
  world.gauges = [gauge("orders", 3, 9)];
  beat(0);
  facts.append(rawRow("fill", { qty: "1" }), null);
  expect(rows.at(-1)).toEqual({ qty: "1" });
  expect(facts.last()).toEqual({
    gauges: { orders: { high: 9, cap: 10 } },
    vitals: { ...VITALS, heapUsed: 2 },
    met: ["a:1"],
  });
});

test("claims of the log are counted, everything else passes by", () => {
  const lines: string[] = [];
  const claims = countClaims({ event: (_level, evt, msg) => void lines.push(`${evt} ${msg}`) });
  claims.log.event("info", "order.filled", "BUY 1");
  claims.log.event("info", "order.filled", "BUY 2");
  claims.log.event("info", "news.seen", "a headline that says order.filled");
  expect(lines).toHaveLength(3);
  expect(claims.told()).toEqual({ "order.filled": 2 });
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

test("hosts are told by name; nothing of paths, queries or users is kept", async () => {
  const contacts = noteContacts();
  const network = contacts.over(deaf);
  const client = network.http(virtualClock(0), { baseUrl: "https://user:pass@api.example/v1?key=s3cret" });
  await client.send({ method: "GET", path: "/account?signature=abc", headers: {} });
  await client.send({ method: "GET", path: "/orders", headers: {} });
  network.connect("wss://stream.example:8443/private?token=s3cret", noEvents);
  expect(contacts.told()).toEqual(["api.example", "stream.example:8443"]);
  for (let n = 0; n < 100; n++) network.connect(`ws://h${n}.example`, noEvents);
  expect(contacts.told().length).toBeLessThanOrEqual(33);
});

test("visits are counted by kind, and a stranger of many names fills no memory", () => {
  const visits = statusVisits();
  const call = { method: "GET", host: "127.0.0.1:1", origin: "", loopback: true, token: false, status: 200 };
  const kind = { ...call, contentType: "application/json" };
  for (let n = 0; n < 3; n++) visits.note(kind, 0);
  for (let n = 0; n < 500; n++) visits.note({ ...kind, host: `h${n}.example`, status: 403 }, 9);
  const told = visits.told();
  expect(told.length).toBeLessThanOrEqual(51);
  expect(told[0]).toEqual({ ...kind, count: 3, refusalChars: 0 });
  expect(told.at(-1)).toMatchObject({ host: "many", status: 403, refusalChars: 9 });
  expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(503);
  // Whoever is served after that is no stranger, and is not told as one.
  visits.note({ ...kind, method: "HEAD" }, 0);
  expect(visits.told().at(-1)).toMatchObject({ method: "HEAD", host: "localhost", status: 200 });
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
  const vitals = watchVitals(path.join(tmpdir(), "no-such-journal.db"))();
  expect(vitals).toMatchObject({ walBytes: 0, journalBytes: 0 });
  expect(vitals.heapUsed).toBeGreaterThan(1e6);
  expect(vitals.heapLimit).toBeGreaterThan(vitals.heapUsed);
  expect(vitals.rss).toBeGreaterThan(vitals.heapUsed / 2);
  for (const ms of [vitals.loopP50Ms, vitals.loopP99Ms, vitals.loopMaxMs]) expect(ms).toBeGreaterThanOrEqual(0);
});

test("a witness tells hosts by name, files that changed since the start, and no secret", () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-witness-"));
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
  const { boot, sources } = witnessOf({
    env: { clock, entropy, ids: timedIds(() => 0, entropy), network: deaf },
    access,
    dataDir,
    journalFile: fresh,
    promptsDir: PROMPTS_DIR,
    visits: statusVisits(),
    sinceMs: 1_000_000,
  });
  expect(boot["hosts"]).toEqual(["api.example", "user.example:9443"]);
  expect(sources.changing?.["wrote"]?.()).toEqual(["journal.db", "pages"]);
  expect(sources.changing?.["met"]?.()).toEqual([]);
  expect(JSON.stringify([boot, sources.vitals?.()])).not.toMatch(/-key-0001/);
});
