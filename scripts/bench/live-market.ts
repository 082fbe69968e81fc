/** What the market stream of a daemon costs at the pace of fifty live symbols, over a real socket from another process. */
import { fork } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { PerformanceObserver } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { createContext } from "../../src/context/context.ts";
import { systemClock } from "../../src/core/clock.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { Secret } from "../../src/core/secret.ts";
import type { MarketSink } from "../../src/domain/market.ts";
import { createMarketStream } from "../../src/venue/market-stream.ts";
import { symbols, wanted } from "./market-frames.ts";

const FRAMES_PER_SECOND = 3_500;
const WARM_UP_MS = 5_000;

export interface LiveCost {
  readonly framesPerSecond: number;
  /** Processor time of the whole process, garbage collection included, as a share of one core. */
  readonly coreShare: number;
  readonly bytesPerFrame: number;
}

/** Counts what arrives at the context. */
function counting(sink: MarketSink): { readonly sink: MarketSink; readonly frames: () => number } {
  let frames = 0;
  const received = (atMs: number): void => {
    frames += 1;
    sink.received(atMs);
  };
  return { sink: { ...sink, received }, frames: () => frames };
}

/** The real service is reached by `wss`. */
export type Scheme = "ws" | "wss";

interface Sender {
  readonly url: string;
  begin(): void;
  end(): void;
}

async function startSender(scheme: Scheme): Promise<Sender> {
  const sender = fork(new URL("./market-sender.ts", import.meta.url), [scheme], { execArgv: ["--import", "tsx"] });
  const [{ port }] = (await once(sender, "message")) as [AddressInfo];
  return {
    url: `${scheme}://127.0.0.1:${port}/`,
    begin: () => void sender.send(FRAMES_PER_SECOND),
    end: () => sender.disconnect(),
  };
}

/** The daemon's own path. */
export async function liveCost(seconds: number, scheme: Scheme): Promise<LiveCost> {
  const sender = await startSender(scheme);
  const clock = systemClock();
  const entropy = seededEntropy("bench:live");
  const context = createContext({ universe: symbols, intervals: ["1m", "5m", "15m", "1H", "4H", "1D"] });
  const { sink, frames } = counting(context.sink);
  const stream = createMarketStream({
    env: { clock, entropy, ids: timedIds(clock.nowMs, entropy) },
    log: { event: () => undefined },
    url: sender.url,
    sink,
    binary: true,
    keys: { accessKey: new Secret("bench-access"), secretKey: new Secret("bench-secret") },
  });
  stream.want(wanted);
  stream.start();
  while (stream.health().acknowledged < wanted.length) await sleep(100);
  const cost = await costOf(sender, frames, seconds);
  stream.stop();
  return cost;
}

/** The WebSocket library alone: nothing is done with a frame. */
export async function libraryCost(seconds: number, scheme: Scheme): Promise<LiveCost> {
  const sender = await startSender(scheme);
  const socket = new WebSocket(sender.url, { perMessageDeflate: false });
  let frames = 0;
  socket.on("message", () => {
    frames += 1;
  });
  await once(socket, "open");
  const cost = await costOf(sender, () => frames, seconds);
  socket.terminate();
  return cost;
}

async function costOf(sender: Sender, frames: () => number, seconds: number): Promise<LiveCost> {
  sender.begin();
  await sleep(WARM_UP_MS);
  // What the start has left is not collected while it is counted.
  globalThis.gc?.();
  const collected = collections();
  const before = { frames: frames(), heap: process.memoryUsage().heapUsed, atMs: performance.now() };
  const cpu = process.cpuUsage();
  await sleep(seconds * 1_000);
  const { user, system } = process.cpuUsage(cpu);
  const spanMs = performance.now() - before.atMs;
  const counted = frames() - before.frames;
  const bytes = process.memoryUsage().heapUsed - before.heap;
  sender.end();
  return {
    framesPerSecond: (counted / spanMs) * 1_000,
    coreShare: (user + system) / 1_000 / spanMs,
    // Where garbage was collected meanwhile, what is left says nothing.
    bytesPerFrame: collected() > 0 ? NaN : bytes / counted,
  };
}

function collections(): () => number {
  let count = 0;
  const observer = new PerformanceObserver((list) => void (count += list.getEntries().length));
  observer.observe({ entryTypes: ["gc"] });
  return () => {
    count += observer.takeRecords().length;
    observer.disconnect();
    return count;
  };
}
