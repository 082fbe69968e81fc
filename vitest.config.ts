import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The first two put modules of their own in the place of others, which other files have loaded already. The third only waits
 * for processes of its own, which stand back behind all others: begun first, they use what the others leave.
 */
const APART = ["test/seeds/planted-bugs.test.ts", "test/sim/line-file.test.ts", "test/seeds/seeds.test.ts"];

/** Seconds of files that wait for sockets and timers most of their time. */
const WAITING: Readonly<Record<string, number>> = {
  "e2e/never-by-accident": 85,
  "e2e/practice-survives": 30,
  "verify/real-run": 38,
  "e2e/recovery": 30,
  "hostile/sockets": 28,
  "faces/json-contract": 25,
  "faces/svc-process": 25,
  "contract/rest": 25,
  "e2e/causes": 20,
  "e2e/switching": 20,
  "e2e/encrypted": 20,
  "contract/feeds-and-models": 15,
  "control/watch-config": 15,
  "e2e/supervised": 15,
  "venue/hung-stops": 15,
};
/** Seconds of others that take long: begun late, all would wait for them. */
const WORKING: Readonly<Record<string, number>> = {
  // Its processes stand back behind all others.
  "seeds/seeds": 90,
  "e2e/deck": 70,
  "e2e/daemon": 30,
  "faces/json-answers": 27,
  "lab/backtest": 35,
  "author/author": 35,
  "lab/contamination": 30,
  "kill-sweep/real": 30,
  "docs/own-source": 28,
  "e2e/broken-setups": 27,
  "deliveries/deliveries": 25,
  "e2e/deck-of-days": 24,
  "lab/sweep": 20,
  "faces/cli": 20,
  "main/init": 16,
  "e2e/backup": 15,
  "e2e/doctor": 15,
  "main/start": 15,
  "seeds/planted-bugs": 25,
  "market-days/market-days": 14,
  "harness/exchange-carry": 14,
  "e2e/flatten-switch": 14,
};
/** Seconds of any other file, about. */
const SHORT = 1;
const WORKERS = 3;

const nameOf = ({ moduleId }: TestSpecification): string => /\/test\/(.*)\.test\.ts$/.exec(moduleId)?.[1] ?? "";

/** One file waits at a time, the longest first, beside others that work, so that the processors are always used. */
class OneWaits extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const of = (seconds: Readonly<Record<string, number>>) => (file: TestSpecification) => seconds[nameOf(file)] ?? 0;
    const longestFirst =
      (seconds: (file: TestSpecification) => number) => (a: TestSpecification, b: TestSpecification) =>
        seconds(b) - seconds(a);
    const waiting = sorted.filter(of(WAITING)).sort(longestFirst(of(WAITING)));
    const working = sorted.filter((file) => of(WAITING)(file) === 0).sort(longestFirst(of(WORKING)));
    const order: TestSpecification[] = [];
    const busyUntil = Array.from({ length: WORKERS }, () => 0);
    let waitedUntil = 0;
    while (waiting.length + working.length > 0) {
      const now = Math.min(...busyUntil);
      const waits = working.length === 0 || (waiting.length > 0 && now >= waitedUntil);
      const next = (waits ? waiting : working).shift();
      if (next === undefined) break;
      const end = now + ((waits ? of(WAITING) : of(WORKING))(next) || SHORT);
      busyUntil[busyUntil.indexOf(now)] = end;
      if (waits) waitedUntil = end;
      order.push(next);
    }
    return order;
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: OneWaits },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    globalSetup: ["test/support/bundled-program.ts"],
    pool: "forks",
    // Most tests over real processes wait more than they work: one more than there are cores.
    maxWorkers: WORKERS,
    // Modules are loaded once a worker, not once a file: a third of the suite's time was that.
    isolate: false,
    setupFiles: ["test/support/second-try.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "suite",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...APART],
        },
      },
      { extends: true, test: { name: "apart", include: APART, isolate: true } },
    ],
  },
});
