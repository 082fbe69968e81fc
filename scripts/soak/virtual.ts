/** A soak on virtual time: weeks of the whole agent against the whole service in one process, restarted once a day. */
import path from "node:path";
import { uptimeAt } from "../../src/agent/books/uptime.ts";
import { DEFAULT_WINDOW } from "../../src/agent/books/uptime.ts";
import { ConfigSchema } from "../../src/config/config.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { silentLog } from "../../src/core/log.ts";
import { readJournal } from "../../src/journal/reader.ts";
import { type AgentRun, createHarness, type Harness, stopwatch } from "../../src/harness/harness.ts";
import { restore } from "../../src/restore/restore.ts";
import { leastSquares, MB, percent, slopeText } from "./figures.ts";

export interface VirtualSoak {
  readonly forMs: number;
  readonly stepMs: number;
  /** Receives the journal. Must be empty. */
  readonly dir: string;
  readonly say: (line: string) => void;
}

const START_MS = Date.UTC(2026, 0, 5, 9, 30);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** How long each day's restart takes, drawn evenly; most are planned and short. */
const AWAY_MS = [2_000, 20_000, 5 * MINUTE_MS, 30 * MINUTE_MS] as const;

const config = ConfigSchema.parse({
  venue: { kind: "embedded", embedded: { seed: 1 } },
  universe: ["BTC"],
  strategy: { use: "momentum", fallback: "hold" },
  cadence: { every: "5m", minGap: "60s" },
  session: {
    consent: "I let this agent trade on the practice venue, up to 400 USDT an order and 2000000 USDT in all.",
    maxNotionalPerOrder: "400",
    maxTotalNotional: "2000000",
  },
  learning: { review: "off" },
});

/** Heap after a full collection; the run is started with --expose-gc for it. */
function heapNow(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / MB;
}

/** The first tick comes with the start, as in real operation, and not a whole step later. */
async function startRun(harness: Harness): Promise<AgentRun> {
  const started = await harness.start();
  if (!started.ok) throw new Error(started.error);
  const { clock } = harness;
  started.value.running.loop.dispatch({ kind: "tick", atMs: clock.nowMs(), monoMs: clock.monotonicMs() });
  return started.value;
}

export async function virtualSoak({ forMs, stepMs, dir, say }: VirtualSoak): Promise<number> {
  const elapsed = stopwatch();
  const dataDir = path.join(dir, "data");
  const harness = createHarness({
    config,
    seed: 1,
    startMs: START_MS,
    dataDir,
    log: silentLog,
    stepMs,
    exchanges: ["EXCHANGE_A"],
    // Without the venue's full record, which is kept in memory and would dominate the growth.
    venue: { wireLogFile: path.join(dir, "wire.jsonl") },
  });
  const { clock } = harness;
  const chance = seededEntropy("soak");
  const heap: { x: number; y: number }[] = [];
  const days = Math.ceil(forMs / DAY_MS);
  let running = await startRun(harness);
  let awayMs = 0;
  let lived = 0;
  let enough = false;
  process.once("SIGINT", () => (enough = true)).once("SIGTERM", () => (enough = true));
  for (let day = 1; day <= days; day++) {
    await clock.advance(Math.min(DAY_MS, forMs - (day - 1) * DAY_MS) - MINUTE_MS);
    if (running.fatal() !== null) throw new Error(`day ${day}: the agent ended itself`, { cause: running.fatal() });
    const away = AWAY_MS[Math.floor(chance.next("restart") * AWAY_MS.length)] ?? 0;
    await Promise.all([running.stop("a planned restart"), clock.advance(MINUTE_MS)]);
    heap.push({ x: day * 24, y: heapNow() });
    lived = day;
    say(`day ${day}: heap ${heap.at(-1)?.y.toFixed(1)} MB, ${(elapsed() / 60_000).toFixed(1)} real minutes`);
    // An interrupted run still reports the days so far.
    if (day === days || enough) break;
    awayMs += away;
    await clock.advance(away);
    running = await startRun(harness);
  }
  const seen = (await Promise.all([harness.control("GET", "/control/scoreboard"), clock.advance(1_000)]))[0];
  await Promise.all([harness.close(), clock.advance(1_000)]);
  report({ seen, heap, awayMs, days: lived, dataDir, say, minutes: elapsed() / 60_000 });
  return 0;
}

/** The slope leaves the first half out: caches hold half a month of news and candles, and fill once. */
interface Reported {
  readonly seen: unknown;
  readonly heap: readonly { x: number; y: number }[];
  readonly awayMs: number;
  readonly days: number;
  readonly dataDir: string;
  readonly minutes: number;
  readonly say: (line: string) => void;
}

function report({ seen, heap, awayMs, days, dataDir, minutes, say }: Reported): void {
  const reader = readJournal(path.join(dataDir, "journal.db"));
  const last = reader.latest("beat");
  const inside = uptimeAt(restore(reader, last?.atMs ?? 0).uptime, last?.atMs ?? 0, DEFAULT_WINDOW);
  const [outside] = (seen as { uptime: Record<string, { upShare: number | null }>[] }).uptime;
  say(`${days} virtual days in ${minutes.toFixed(1)} real minutes, ${reader.count()} rows`);
  say(
    `heap           ${slopeText(leastSquares(heap.slice(-Math.ceil(heap.length / 2))), "MB per virtual hour")} over the second half; last ${heap.at(-1)?.y.toFixed(1)} MB`,
  );
  say(`away           ${(awayMs / 1_000).toFixed(0)} s in ${days - 1} restarts`);
  say(`uptime inside  ${percent(inside.ratio)}, down ${(inside.downMs / 1_000).toFixed(0)} s`);
  say(
    `uptime outside user socket ${percent(outside?.["user"]?.upShare ?? null)}, REST ${percent(outside?.["rest"]?.upShare ?? null)}`,
  );
  reader.close();
}
