/**
 * What open pages cost trading: the agent's step with none and with ten of them, in turns within one run; and what a browser
 * gets. The whole agent and the whole practice venue run on virtual time, the pages over real sockets.
 * Run: npm run bench:deck [-- --quick]. What the figures mean: docs/evidence/BENCHMARKS.md.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Table from "cli-table3";
import { loadConfig } from "../src/control/watch-config.ts";
import { seededEntropy } from "../src/core/entropy.ts";
import { timedIds } from "../src/core/ids.ts";
import { silentLog } from "../src/core/log.ts";
import type { PageParts } from "../src/daemon/daemon-setup.ts";
import { healthOf } from "../src/daemon/health.ts";
import { statusReport } from "../src/daemon/status-report.ts";
import { createDeck } from "../src/deck/deck.ts";
import { startStatusServer } from "../src/faces/status/server.ts";
import { type Boot, rehearse } from "../src/harness/rehearsal.ts";
import { lineRing } from "../src/ops/line-ring.ts";
import { CHROMIUM } from "../test/support/browser.ts";
import { firstLooks } from "./bench/first-paint.ts";
import { openPages } from "./bench/pages.ts";
import { buildWeb } from "./web.mjs";

const quick = process.argv.includes("--quick");
const START_MS = Date.UTC(2026, 0, 5, 9, 30);
const PAGES = 10;
/** Enough that the runtime has compiled what it will, and that there is something to show. */
const WARM_S = quick ? 300 : 1_200;
const ROUNDS = quick ? 4 : 20;
const ROUND_S = 120;
const LOOKS = quick ? 3 : 7;

const loaded = loadConfig("config/agent.yaml");
if (!loaded.ok) throw new Error(loaded.error.join("\n"));
const config = loaded.value;

/** Processor time of each step, in microseconds, in the list that is set at that time. */
function timedSteps(boot: Boot): { into: number[] } {
  const agent = boot.running.agent as { step: Boot["running"]["agent"]["step"] };
  const { step } = agent;
  const timed = { into: [] as number[] };
  agent.step = (event) => {
    const begun = process.cpuUsage();
    const effects = step(event);
    const { user, system } = process.cpuUsage(begun);
    timed.into.push(user + system);
    return effects;
  };
  return timed;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

const whole = (value: number): string => Math.round(value).toLocaleString("en-US");

async function main(): Promise<void> {
  const webDir = "dist/web";
  await buildWeb(webDir);
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-bench-deck-"));
  const rehearsal = rehearse({ config, seed: 1, startMs: START_MS, dataDir, log: silentLog, keepPages: true });
  const booted = await rehearsal.boot();
  if (!booted.ok) throw new Error(booted.error);
  const boot = booted.value;
  const { running, journal } = boot;
  const { clock } = rehearsal;
  const status: PageParts["status"] = () =>
    statusReport(running.agent.status(clock.nowMs()), running.gateway.budget(), running.streams, {
      collections: running.gauges(),
      tightened: running.venue.limits.tightened(),
      health: healthOf(running.causes.now(), running.agent.sinceTickMs(clock.monotonicMs())),
      sources: running.sources.status(),
    });
  const entropy = seededEntropy("bench:deck");
  const env = { clock, entropy, ids: timedIds(clock.nowMs, entropy) };
  const environment = { service: null, missing: [], aiUrl: null, aiKey: null, exchanges: ["EXCHANGE_A"], dataDir };
  const setup = { env, journal, environment, config, kind: "embedded", boot: "bench" } as unknown as PageParts["setup"];
  const deck = createDeck({ log: lineRing(500), venue: "practice" })({ setup, running, status });
  const server = await startStatusServer(
    { healthy: () => ({ ok: true, reason: "" }), status, page: deck.routes },
    { host: "127.0.0.1", port: 0 },
  );
  const symbol = `EXCHANGE_A_PERP_${config.universe[0] ?? "BTC"}_USDT`;
  const timed = timedSteps(boot);
  const go = async (seconds: number, count: number): Promise<number> => {
    const pages = await openPages(server.url, count, symbol);
    for (let second = 0; second < seconds; second++) {
      await clock.advance(1_000);
      await pages.second(second);
    }
    pages.close();
    return pages.bytes();
  };
  await go(WARM_S / 2, 0);
  await go(WARM_S / 2, PAGES);
  const none: number[] = [];
  const ten: number[] = [];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    // Whoever goes first in one round goes second in the next.
    for (const steps of round % 2 === 0 ? [none, ten] : [ten, none]) {
      timed.into = steps;
      bytes += await go(ROUND_S, steps === ten ? PAGES : 0);
    }
    process.stderr.write(`\r${round + 1} of ${ROUNDS} rounds`);
  }
  process.stderr.write("\n");
  const table = new Table({ head: ["open pages", "steps", "median µs", "p99 µs", "p99.9 µs"] });
  for (const [name, steps] of [
    ["none", none],
    ["ten", ten],
  ] as const) {
    const sorted = [...steps].sort((a, b) => a - b);
    table.push([name, whole(sorted.length), ...[0.5, 0.99, 0.999].map((share) => whole(at(sorted, share)))]);
  }
  const p99 = [none, ten].map((steps) =>
    at(
      [...steps].sort((a, b) => a - b),
      0.99,
    ),
  );
  process.stdout.write(`${table.toString()}\n`);
  process.stdout.write(
    `p99 with ten pages: ${(((p99[1] ?? NaN) / (p99[0] ?? NaN) - 1) * 100).toFixed(1)} % of change; ` +
      `each page received ${(bytes / PAGES / ROUNDS / ROUND_S / 1_000).toFixed(1)} kB a second\n`,
  );
  if (CHROMIUM !== null) {
    const looks = await firstLooks(server.url, LOOKS);
    const middle = (of: (look: (typeof looks)[number]) => number): number =>
      at(
        [...looks.map(of)].sort((a, b) => a - b),
        0.5,
      );
    process.stdout.write(
      `a browser: ${(middle((look) => look.bytes) / 1_000).toFixed(1)} kB, first paint after ` +
        `${whole(middle((look) => look.firstPaintMs))} ms, figures after ${whole(middle((look) => look.figuresMs))} ms ` +
        `(the middle of ${looks.length})\n`,
    );
  } else process.stdout.write("no Chromium is installed: nothing to say of a browser\n");
  deck.stop();
  await server.close();
  boot.kill();
  await rehearsal.close();
  rmSync(dataDir, { recursive: true, force: true });
}

await main();
process.exit(0);
