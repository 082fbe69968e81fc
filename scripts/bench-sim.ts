/**
 * The speed of the simulated venue: its book alone and the whole exchange beside the npm package nodejs-order-book,
 * signed REST round trips beside a bare HTTP echo, and market data to several subscribers. Run: npm run bench:sim [--
 * --quick]. What the figures mean: docs/evidence/BENCHMARKS.md.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import Table from "cli-table3";
import { bareBook, type Engine, peerBook, wholeExchange } from "./bench/engines.ts";
import { benchFanOut } from "./bench/fan-out.ts";
import { drawLoad, type Load } from "./bench/load.ts";
import { benchRest } from "./bench/rest.ts";

/** Collects the garbage of earlier rounds, so that no engine pays for another. */
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const quick = process.argv.includes("--quick");

const LOADS = quick
  ? [{ operations: 30_000, depth: 1_000 }]
  : [
      { operations: 100_000, depth: 1_000 },
      // 200 open orders for each of the twenty accounts: the venue's maximum per symbol.
      { operations: 50_000, depth: 4_000 },
    ];
const ROUNDS = quick ? 5 : 6;

const whole = (value: number): string => Math.round(value).toLocaleString("en-US");
const times = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)}x`;

/** One finished piece of work per engine: while it lives, the runtime keeps its optimised code. */
const kept = new Map<Engine, () => number>();

function perSecond(engine: Engine, load: Load): { speed: number; matches: number } {
  const work = engine(load);
  collect();
  const begin = process.hrtime.bigint();
  const matches = work();
  const speed = (load.operations * 1e9) / Number(process.hrtime.bigint() - begin);
  kept.set(engine, work);
  return { speed, matches };
}

/** The best of several rounds of each; the engines alternate, so that other load on the machine affects all alike. */
function benchEngines(load: Load) {
  const best = { bare: 0, whole: 0, peer: 0, matches: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const bare = perSecond(bareBook, load);
    best.matches = bare.matches;
    best.bare = Math.max(best.bare, bare.speed);
    best.whole = Math.max(best.whole, perSecond(wholeExchange, load).speed);
    best.peer = Math.max(best.peer, perSecond(peerBook, load).speed);
  }
  kept.clear();
  return best;
}

function engines(): void {
  const table = new Table({
    head: ["load", "matches", "bare book", "whole exchange", "nodejs-order-book", "bare / peer", "whole / peer"],
    style: { head: [], border: [] },
  });
  for (const { operations, depth } of LOADS) {
    const found = benchEngines(drawLoad(operations, depth));
    table.push([
      `${whole(operations)} ops, depth ${whole(depth)}`,
      whole(found.matches),
      whole(found.bare),
      whole(found.whole),
      whole(found.peer),
      times(found.bare / found.peer),
      times(found.whole / found.peer),
    ]);
  }
  console.log(`order operations per second\n${table.toString()}`);
}

async function rest(): Promise<void> {
  const found = await benchRest(quick ? { rounds: 2, pairs: 200 } : { rounds: 9, pairs: 800 });
  const table = new Table({ style: { head: [], border: [] } });
  table.push(
    { "signed order round trips per second": whole(found.orders) },
    { "bare HTTP echo round trips per second": whole(found.echo) },
    { "time of an order over the echo": times(found.overhead) },
  );
  console.log(`REST over loopback\n${table.toString()}`);
}

async function fanOut(): Promise<void> {
  const found = await benchFanOut({ subscribers: 5, spanMs: quick ? 1_000 : 8_000 });
  const table = new Table({ style: { head: [], border: [] } });
  table.push(
    { "symbols x subscribers": `${found.symbols} x ${found.subscribers}, all channels` },
    { "frames per second": whole(found.framesPerSecond) },
    { "megabytes per second": (found.bytesPerSecond / 1e6).toFixed(2) },
    { "CPU, share of one core": `${(found.cpu * 100).toFixed(0)} %` },
    { "CPU without subscribers": `${(found.cpuAlone * 100).toFixed(0)} %` },
    { "slowest over fastest subscriber": found.evenness.toFixed(3) },
  );
  console.log(`market data fan-out in real time\n${table.toString()}`);
}

engines();
await rest();
await fanOut();
