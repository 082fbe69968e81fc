/** A source at fault loses its own data and nothing else: it is counted, logged once and named. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { PlannedSource } from "../../src/control/sources.ts";
import type { Env } from "../../src/core/ids.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import type { FactPoint } from "../../src/context/facts.ts";
import { createSources, plannedSources } from "../../src/daemon/sources.ts";
import { createRecorder, type Recorder } from "../../src/recorder/recorder.ts";
import { sourceText } from "../../src/report/status/source-text.ts";
import type { Source, SourceReader } from "../../src/strategy/source.ts";
import { httpServer, realEnv, recordingLog, until } from "../net/servers.ts";

const START_MS = Date.UTC(2026, 0, 5, 12);

function folder(): string {
  const dir = mkdtempSync(path.join(tmpdir(), "ballast-sources-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Lines of seconds after the start and a value. */
const reader = (read?: SourceReader["read"]): SourceReader => ({
  name: "flows",
  description: "Flows.",
  settings: z.unknown(),
  read:
    read ??
    ((text) =>
      text
        .trim()
        .split("\n")
        .map((line) => line.split(",").map(Number))
        .map(([second = NaN, value = NaN]) => ({ atMs: START_MS + second * 1_000, values: { value } }))),
});

const planOf = (
  origin: Extract<PlannedSource, { kind: "polled" }>["origin"],
  read?: SourceReader["read"],
): PlannedSource => ({
  ...{ kind: "polled", name: "flows", staleAfterMs: 60_000, everyMs: 10_000, origin },
  reader: { reader: reader(read), settings: {} },
});

interface Heard {
  readonly atMs: number;
  readonly points: readonly FactPoint[];
}

function run(
  sources: (env: Env) => readonly Source[],
  { env, recorder = null }: { env: Env; recorder?: Recorder | null },
) {
  const heard: Heard[] = [];
  const log = recordingLog();
  const running = createSources(sources(env), {
    ...{ env, log, recorder },
    feed: (event) => void (event.kind === "facts" && heard.push({ atMs: env.clock.nowMs(), points: event.points })),
  });
  running.start();
  onTestFinished(() => running.stop());
  const values = (): unknown[] => heard.flatMap(({ points }) => points.map((each) => each.values["value"]));
  const status = () => {
    const [first] = running.status();
    if (!first) throw new Error("no source");
    return first;
  };
  return { heard, log, values, status, running };
}

function virtual() {
  const clock = virtualClock(START_MS);
  return { clock, env: { ...realEnv(), clock } };
}

test("a file that holds the future shows each point in its time, and is read again when it changes", async () => {
  const file = path.join(folder(), "flows.csv");
  writeFileSync(file, "25,3\n-5,1\n5,2\n");
  const { clock, env } = virtual();
  const { heard, values, log, status } = run(
    (at) => plannedSources([planOf({ kind: "file", path: file })], at, Infinity),
    { env },
  );
  expect(values()).toEqual([1]);
  await clock.advance(60_000);
  expect(heard.map(({ atMs, points }) => [(atMs - START_MS) / 1_000, points.length])).toEqual([
    [0, 1],
    [10, 1],
    [30, 1],
  ]);
  expect(status()).toMatchObject({ stale: false, counts: { taken: 3, future: 0 }, failing: null });
  writeFileSync(file, "25,3\n-5,1\n5,2\n55,4\n");
  await clock.advance(10_000);
  expect(values()).toEqual([1, 2, 3, 4]);
  await clock.advance(60_000);
  expect(status().stale).toBe(true);
  expect(log.lines.map(({ evt }) => evt)).toEqual(["source.up"]);
});

test("a recording is played back at the times at which it was made", async () => {
  const dir = folder();
  const file = path.join(dir, "flows.csv");
  writeFileSync(file, "-5,1\n5,2\n25,3\n");
  const live = virtual();
  const recorder = createRecorder({
    ...{ clock: live.clock, log: recordingLog(), dir: path.join(dir, "recording") },
    ...{ quotaBytes: 1_000_000, symbols: [], sources: ["flows"] },
  });
  await recorder.start();
  const first = run((at) => plannedSources([planOf({ kind: "file", path: file })], at, Infinity), {
    env: live.env,
    recorder,
  });
  await live.clock.advance(60_000);
  await recorder.stop();
  expect(recorder.status().points).toBe(3);

  const later = virtual();
  const plan = {
    kind: "played",
    name: "flows",
    staleAfterMs: 60_000,
    path: path.join(dir, "recording/sources"),
  } as const;
  const second = run((at) => plannedSources([plan], at, Infinity), { env: later.env });
  await later.clock.advance(60_000);
  expect(first.heard).toHaveLength(3);
  expect(second.heard).toEqual(first.heard);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("no such column");
    },
    "no such column",
    Infinity,
  ],
  [
    "hangs",
    () => {
      for (;;);
    },
    "did not return within 30 ms",
    30,
  ],
  [
    "returned a promise",
    (() => Promise.reject(new Error("later"))) as unknown as SourceReader["read"],
    "returned a promise",
    Infinity,
  ],
] as const)(
  "a reading that %s is a fault: logged once, and it rests longer each time",
  async (_what, read, reason, readMsMax) => {
    const file = path.join(folder(), "flows.csv");
    writeFileSync(file, "0,1\n");
    let calls = 0;
    const { clock, env } = virtual();
    const counted = planOf({ kind: "file", path: file }, (text, settings) => {
      calls += 1;
      return read(text, settings);
    });
    const { log, status, values } = run((at) => plannedSources([counted], at, readMsMax), { env });
    expect(status()).toMatchObject({
      faults: 1,
      atMs: null,
      stale: true,
      failing: { reason: expect.stringContaining(reason) as string },
    });
    expect(sourceText(status(), START_MS + 1_000)).toMatch(
      /^flows: STALE, no point yet, 0 points, 1 fault, FAILING for 1s: /,
    );
    await clock.advance(100_000);
    expect(calls).toBe(3);
    expect(values()).toEqual([]);
    expect(log.lines.map(({ evt }) => evt)).toEqual(["source.failed"]);
  },
);

test("a file that is not there is a fault until it is", async () => {
  const file = path.join(folder(), "flows.csv");
  const { clock, env } = virtual();
  const { log, status, values } = run((at) => plannedSources([planOf({ kind: "file", path: file })], at, Infinity), {
    env,
  });
  expect(status().failing?.reason).toContain("ENOENT");
  writeFileSync(file, "0,7\n");
  await clock.advance(30_000);
  expect(values()).toEqual([7]);
  expect(status().failing).toBeNull();
  expect(log.lines.map(({ evt }) => evt)).toEqual(["source.failed", "source.up"]);
});

test("a source that throws, floods, lies about time or goes on after its end disturbs nobody", () => {
  const { env } = virtual();
  const late: (() => void)[] = [];
  const source = (name: string, start: Source["start"]): Source => ({ name, staleAfterMs: 1_000, start });
  const { running, heard, log } = run(
    () => [
      source("broken", () => {
        throw new Error("no start");
      }),
      source("flood", (_signal, sink) => {
        for (let n = 0; n < 100_000; n += 1) sink.points([{ atMs: START_MS - 1_000 + n, values: { n } }]);
      }),
      source("liar", (_signal, sink) => {
        sink.points([{ atMs: START_MS + 86_400_000, values: { value: 1 } }]);
        late.push(() => sink.points([{ atMs: START_MS, values: { value: 1 } }]));
      }),
    ],
    { env },
  );
  const [broken, flood, liar] = running.status();
  expect(broken).toMatchObject({ faults: 1, failing: { reason: "no start" } });
  expect(flood?.counts).toEqual({ taken: 120, malformed: 0, future: 0, flood: 99_880 });
  expect(liar).toMatchObject({ atMs: null, stale: true, counts: { taken: 0, future: 1 } });
  expect(heard).toHaveLength(120);
  running.stop();
  for (const report of late) report();
  expect(heard).toHaveLength(120);
  expect(log.lines.map(({ evt }) => evt)).toEqual(["source.failed", "source.up", "source.refused", "source.refused"]);
});

test("an address is asked with its key; an error, a huge answer and silence are faults of the source", async () => {
  const answers = ["ok", "error", "huge"];
  let asked = 0;
  const keys: unknown[] = [];
  const server = await httpServer((request, response) => {
    keys.push(request.headers["x-api-key"]);
    const answer = answers[asked++];
    if (answer === "error") response.writeHead(503).end();
    else response.end(answer === "huge" ? "x".repeat(2_000_000) : "0,5\n");
  });
  onTestFinished(() => server.close());
  const env = realEnv(1_000);
  const { Secret } = await import("../../src/core/secret.ts");
  const header = { name: "x-api-key", key: new Secret("a-long-key-of-ours") };
  const atMs = env.clock.nowMs();
  const plan = planOf({ kind: "url", url: `${server.url}/flows?of=btc`, header }, () => [
    { atMs, values: { value: 5 } },
  ]);
  const { values, status, running } = run((at) => plannedSources([plan], at, undefined), { env });
  await until(() => status().faults >= 1, "a fault", 10_000);
  expect(status().failing?.reason).toMatch(/^127\.0\.0\.1:\d+ answered 503$/);
  await until(() => status().faults >= 2, "another fault", 10_000);
  expect(status().failing?.reason).toContain("longer than 1048576 bytes");
  running.stop();
  expect(values()).toEqual([5]);
  expect(keys[0]).toBe("a-long-key-of-ours");
  expect(server.requests[0]).toBe("GET /flows?of=btc");
});
