/**
 * The cost of one frame of market data from bytes to the rolling context: time and bytes allocated, through the stream,
 * readers and context of the daemon; only the socket is missing. Beside it the minimum for any reader: inflating and
 * JSON.parse alone. Run: npm run bench:market [-- --quick]. What the figures mean: docs/evidence/BENCHMARKS.md.
 */
import { gunzipSync } from "node:zlib";
import Table from "cli-table3";
import { createContext } from "../src/context/context.ts";
import { systemClock } from "../src/core/clock.ts";
import { seededEntropy } from "../src/core/entropy.ts";
import { timedIds } from "../src/core/ids.ts";
import type { Log } from "../src/core/log.ts";
import { Secret } from "../src/core/secret.ts";
import type { Network } from "../src/net/network.ts";
import { createMarketStream } from "../src/venue/market-stream.ts";
import { createRecorder } from "../src/recorder/recorder.ts";
import { drawFrames, symbols, wanted } from "./bench/market-frames.ts";
import { libraryCost, liveCost } from "./bench/live-market.ts";

const FRAMES = process.argv.includes("--quick") ? 10_000 : 40_000;
const LIVE_SECONDS = process.argv.includes("--quick") ? 5 : 20;
const ROUNDS = process.argv.includes("--quick") ? 3 : 7;
const KEYS = { accessKey: new Secret("bench-access"), secretKey: new Secret("bench-secret") };
const entropy = seededEntropy("bench:market");
const log: Log = { event: () => undefined };

/** The complete path: the stream with every subscription acknowledged, the recorder attached, the context behind it. */
async function wholeWay(): Promise<(frame: Buffer) => void> {
  const clock = systemClock();
  let hear: (data: Buffer) => void = () => undefined;
  const say = (value: unknown): void => hear(Buffer.from(JSON.stringify(value)));
  const network: Network = {
    http: () => {
      throw new Error("the bench has no HTTP");
    },
    gate: () => {
      throw new Error("the bench has no gate");
    },
    connect: (_url, on) => {
      hear = on.message;
      setImmediate(() => on.open());
      return {
        send: (text: string) => {
          const asked = JSON.parse(text) as { event?: string; arg?: unknown };
          if (asked.event === "subscribe") setImmediate(() => say({ event: "subscribe", code: 0, arg: asked.arg }));
          return true;
        },
        abandon: () => undefined,
      };
    },
  };
  const context = createContext({ universe: symbols, intervals: ["1m", "5m", "15m", "1H", "4H", "1D"] });
  const recorder = createRecorder({ clock, log, dir: "unused", quotaBytes: 1, symbols });
  const env = { clock, entropy, ids: timedIds(clock.nowMs, entropy), network };
  const stream = createMarketStream({
    env,
    log,
    url: "ws://bench/",
    sink: recorder.tee(context.sink),
    binary: true,
    keys: KEYS,
  });
  return await new Promise((resolve) => {
    stream.want(wanted);
    stream.start();
    setImmediate(() => setImmediate(() => say({ event: "login", code: "200000", msg: "" })));
    const look = setInterval(() => {
      if (stream.health().acknowledged < wanted.length) return;
      clearInterval(look);
      resolve((frame) => hear(frame));
    }, 50);
  });
}

interface Cost {
  readonly framesPerSecond: number;
  readonly bytesPerFrame: number;
}

/**
 * One pass over all frames. The young generation is larger than a pass allocates, so that nothing is collected
 * meanwhile.
 */
function measure(frames: readonly Buffer[], take: (frame: Buffer) => void): Cost {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const began = process.hrtime.bigint();
  for (const frame of frames) take(frame);
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const bytes = process.memoryUsage().heapUsed - before;
  return { framesPerSecond: frames.length / seconds, bytesPerFrame: bytes / frames.length };
}

type Take = (frame: Buffer) => void;
interface Way {
  readonly name: string;
  readonly frames: readonly Buffer[];
  /** Created again for every round: a stream treats repeated frames as old. */
  readonly make: () => Promise<Take>;
}

/** The best speed and the median allocation of several rounds; the variants alternate. */
async function compare(ways: readonly Way[]) {
  const costs = ways.map((): Cost[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, { frames, make }] of ways.entries()) costs[at]?.push(measure(frames, await make()));
  return ways.map(({ name }, at) => {
    const mine = costs[at] ?? [];
    const bytes = mine.map((cost) => cost.bytesPerFrame).sort((a, b) => a - b);
    return {
      name,
      framesPerSecond: Math.max(...mine.map((cost) => cost.framesPerSecond)),
      bytesPerFrame: bytes[Math.floor(bytes.length / 2)] ?? NaN,
    };
  });
}

if (!globalThis.gc) throw new Error("run it with --expose-gc: npm run bench:market");
const { texts, zipped } = drawFrames(FRAMES);
const parse = (frame: Buffer): unknown => JSON.parse(frame.toString("utf8"));
const inflate = (frame: Buffer): unknown => parse(gunzipSync(frame));
const rows = await compare([
  { name: "text frames, JSON.parse alone", frames: texts, make: () => Promise.resolve(parse) },
  { name: "text frames, the whole way", frames: texts, make: wholeWay },
  { name: "gzip frames, inflate and JSON.parse alone", frames: zipped, make: () => Promise.resolve(inflate) },
  { name: "gzip frames, the whole way", frames: zipped, make: wholeWay },
]);
const table = new Table({ head: ["way", "frames / s", "microseconds a frame", "bytes a frame"], style: { head: [] } });
for (const { name, framesPerSecond, bytesPerFrame } of rows)
  table.push([
    name,
    Math.round(framesPerSecond).toLocaleString("en-US"),
    (1e6 / framesPerSecond).toFixed(1),
    // Inflating holds memory outside the heap and so triggers collections: the difference would be meaningless.
    name.startsWith("gzip") ? "-" : Math.round(bytesPerFrame),
  ]);
const bytes = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
process.stdout.write(
  `${FRAMES.toLocaleString("en-US")} frames of ${Math.round(bytes)} characters on average, best of ${ROUNDS} rounds\n${table.toString()}\n`,
);
for (const [name, costOf] of [
  ["the WebSocket library alone", libraryCost],
  ["the whole way", liveCost],
] as const) {
  for (const scheme of ["ws", "wss"] as const) {
    const { framesPerSecond, coreShare, bytesPerFrame } = await costOf(LIVE_SECONDS, scheme);
    const garbage = Number.isNaN(bytesPerFrame) ? "collected meanwhile" : `${Math.round(bytesPerFrame)} bytes a frame`;
    process.stdout.write(
      `over ${scheme}, ${Math.round(framesPerSecond).toLocaleString("en-US")} gzip frames a second, ${name}: ${(coreShare * 100).toFixed(1)} % of a core, garbage: ${garbage}\n`,
    );
  }
}
process.exit(0);
