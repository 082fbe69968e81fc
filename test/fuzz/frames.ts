/**
 * Mutated frames of each stream, in front of every true one: the whole agent at the whole service, in one process on virtual
 * time. The orders that it sends meanwhile are judged by the verifier's limits.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Entropy, seededEntropy } from "../../src/core/entropy.ts";
import { silentLog } from "../../src/core/log.ts";
import { type AgentRun, type Harness, createHarness } from "../../src/harness/harness.ts";
import type { ConnectionEvents } from "../../src/net/connection.ts";
import { ALL_INVARIANTS } from "../../src/verify/all-invariants.ts";
import { judgeOne } from "../../src/verify/verify.ts";
import { gather } from "../seeds/gather.ts";
import { drawPlan } from "../seeds/plan.ts";
import { restless } from "../seeds/restless.ts";
import { configOf } from "../seeds/settings.ts";
import { type Fuzzed, messageOf } from "./fuzzed.ts";
import { mutated } from "./mutate.ts";

export const STREAMS = ["market", "user", "news"] as const;
export type StreamName = (typeof STREAMS)[number];

/** Mutated copies for each true frame: the market's frames are many, the others few. */
const COPIES: Readonly<Record<StreamName, number>> = { market: 2, user: 20, news: 20 };
/** Where figures that were made up are believed, the limits of an order hold all the same. */
const JUDGED: ReadonlySet<string> = new Set(["I1", "I2", "I10", "I11", "I12", "I18"]);
const START_MS = Date.UTC(2026, 0, 5, 9, 30);
const STEP_MS = 250;
/** What was made up may halt it: a person looks, and goes on. */
const RESUME_EVERY = 40;
const LONGEST_MS = 6 * 3_600_000;

const streamOf = ({ venue: { ready } }: Harness, url: string): StreamName | null => {
  if (url.startsWith(ready.marketWsUrl)) return "market";
  if (url.startsWith(ready.userWsUrl)) return "user";
  return url.startsWith(ready.feedsWsUrl) ? "news" : null;
};

type Counts = Record<StreamName, number>;

/** Hands each frame over behind mutated copies of itself, until a stream has had its count. */
function poison(harness: Harness, counts: Counts, { count, entropy }: { count: number; entropy: Entropy }): void {
  const { network } = harness.venue;
  const real = network.connect.bind(network);
  const poisoned = (on: ConnectionEvents, stream: StreamName): ConnectionEvents => ({
    ...{ open: () => on.open(), closed: (reason, retryAfterMs) => on.closed(reason, retryAfterMs) },
    message: (data) => {
      const text = data.toString();
      for (let copy = 0; copy < COPIES[stream] && counts[stream] < count; copy++) {
        counts[stream] += 1;
        on.message(mutated(entropy, text));
      }
      on.message(data);
    },
  });
  Object.assign(network, {
    connect: (url: string, on: ConnectionEvents) => {
      const stream = streamOf(harness, url);
      return real(url, stream ? poisoned(on, stream) : on);
    },
  });
}

async function play(harness: Harness, counts: Counts, count: number): Promise<AgentRun> {
  const booting = harness.start();
  await harness.clock.advance(20_000);
  const started = await booting;
  if (!started.ok) throw new Error(started.error);
  for (let step = 0; step * STEP_MS < LONGEST_MS; step++) {
    if (Object.values(counts).every((done) => done >= count) || started.value.fatal() !== null) break;
    await harness.clock.advance(STEP_MS);
    if (step % RESUME_EVERY === 0) started.value.operator("resume");
  }
  return started.value;
}

export interface FuzzedFrames extends Fuzzed {
  readonly counts: Readonly<Counts>;
  /** Orders that reached the venue meanwhile. */
  readonly orders: number;
}

/** `count` frames of each stream. */
export async function fuzzFrames(count: number, seed: number): Promise<FuzzedFrames> {
  const dataDir = mkdtempSync(join(tmpdir(), "ballast-fuzz-"));
  const plan = { ...drawPlan("short", 4), ...({ seed, route: "rest", strategy: "restless", stops: "still" } as const) };
  const counts: Counts = { market: 0, user: 0, news: 0 };
  const harness = createHarness({
    ...{ config: configOf(plan), seed, startMs: START_MS, dataDir, log: silentLog, latencyMs: 20 },
    exchanges: ["EXCHANGE_A"],
    venue: { venueLog: true, stepMs: 500, newsPastMs: 3_600_000 },
    strategies: restless(`fuzz:${seed}`).strategies,
  });
  const rejected: string[] = [];
  const onRejected = (cause: unknown): void => void rejected.push(`nobody handled ${messageOf(cause)}`);
  process.on("unhandledRejection", onRejected);
  try {
    poison(harness, counts, { count, entropy: seededEntropy(`frames:${seed}`) });
    const agentRun = await play(harness, counts, count);
    const thrown = agentRun.fatal();
    const history = await gather(harness, null);
    agentRun.kill();
    await harness.close();
    const found = ALL_INVARIANTS.filter(({ id }) => JUDGED.has(id)).flatMap((invariant) => {
      const { verdict } = judgeOne(invariant, history);
      return verdict.kind === "violated" ? verdict.findings.map(({ what }) => `${invariant.id}: ${what}`) : [];
    });
    const problems = [...rejected, ...(thrown === null ? [] : [`it threw ${messageOf(thrown)}`]), ...found];
    const orders = history.wire?.filter(({ call }) => call === "POST /api/v1/trading/order").length ?? 0;
    const tried = counts.market + counts.user + counts.news;
    return { tried, accepted: tried, problems, counts, orders };
  } finally {
    process.off("unhandledRejection", onRejected);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
