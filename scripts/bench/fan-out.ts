/** All channels of fifty symbols to five subscribers over real sockets, in real time. */
import { WebSocket } from "ws";
import { systemClock } from "../../src/core/clock.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { silentLog } from "../../src/core/log.ts";
import { PHASE_ONE_BASES } from "../../src/domain/competition.ts";
import { MARKET_CHANNELS } from "../../src/domain/market.ts";
import { perpSymbol } from "../../src/domain/symbol.ts";
import { signSocketLogin } from "../../src/net/sign.ts";
import { type SimService, startSimService } from "../../src/sim/service.ts";

export interface FanOutFigures {
  readonly symbols: number;
  readonly subscribers: number;
  /** Frames per second over all subscribers together, and their bytes. */
  readonly framesPerSecond: number;
  readonly bytesPerSecond: number;
  /**
   * CPU of the process, including the subscribers, as a share of one core; and of the same service without subscribers.
   */
  readonly cpu: number;
  readonly cpuAlone: number;
  /** Frames of the slowest subscriber over those of the fastest: 1 if none lags. */
  readonly evenness: number;
}

const clock = systemClock();

function startVenue(symbols: readonly string[]): Promise<SimService> {
  const entropy = seededEntropy("bench-fan-out");
  return startSimService({
    env: { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy) },
    log: silentLog,
    host: "127.0.0.1",
    port: 0,
    controlPort: 0,
    exchanges: ["EXCHANGE_A"],
    phase: 1,
    seed: "bench-fan-out",
    symbols,
  });
}

interface Subscriber {
  readonly socket: WebSocket;
  frames: number;
  bytes: number;
}

/** Logs in once, then subscribes to every channel of every symbol; klines of one minute. */
async function subscribe({ ready }: SimService, symbols: readonly string[]): Promise<Subscriber> {
  const socket = new WebSocket(ready.marketWsUrl);
  const subscriber: Subscriber = { socket, frames: 0, bytes: 0 };
  socket.on("message", (data: Buffer) => {
    subscriber.frames++;
    subscriber.bytes += data.length;
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const timestamp = String(Math.floor(clock.nowMs()));
  const sign = signSocketLogin(ready.secretKey, timestamp);
  socket.send(JSON.stringify({ action: "login", args: { apiKey: ready.accessKey, timestamp, sign } }));
  await clock.sleep(200);
  for (const channel of MARKET_CHANNELS) {
    const interval = channel.includes("KLINE") ? { interval: "1m" } : {};
    socket.send(JSON.stringify({ event: "subscribe", arg: symbols.map((sym) => ({ channel, sym, ...interval })) }));
    await clock.sleep(60);
  }
  return subscriber;
}

/** Share of one core that the process used during the span. */
async function cpuDuring(spanMs: number): Promise<number> {
  const cpu = process.cpuUsage();
  const begin = clock.monotonicMs();
  await clock.sleep(spanMs);
  const used = process.cpuUsage(cpu);
  return (used.user + used.system) / 1_000 / (clock.monotonicMs() - begin);
}

export async function benchFanOut(given: { readonly subscribers: number; readonly spanMs: number }) {
  const symbols = PHASE_ONE_BASES.map((base) => perpSymbol("EXCHANGE_A", base));
  const service = await startVenue(symbols);
  const cpuAlone = await cpuDuring(given.spanMs);
  const subscribers: Subscriber[] = [];
  for (let i = 0; i < given.subscribers; i++) subscribers.push(await subscribe(service, symbols));
  await clock.sleep(1_000);
  for (const subscriber of subscribers) subscriber.frames = subscriber.bytes = 0;
  const begin = clock.monotonicMs();
  const cpu = await cpuDuring(given.spanMs);
  const seconds = (clock.monotonicMs() - begin) / 1_000;
  const frames = subscribers.map((subscriber) => subscriber.frames);
  const bytes = subscribers.reduce((sum, subscriber) => sum + subscriber.bytes, 0);
  for (const { socket } of subscribers) socket.terminate();
  await service.stop();
  return {
    symbols: symbols.length,
    subscribers: given.subscribers,
    framesPerSecond: frames.reduce((sum, count) => sum + count, 0) / seconds,
    bytesPerSecond: bytes / seconds,
    cpu,
    cpuAlone,
    evenness: Math.min(...frames) / Math.max(...frames),
  } satisfies FanOutFigures;
}
