import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The first puts modules of its own in the place of ours, which others have loaded already. The second only waits for
 * processes of its own, which stand back behind all others: begun first, they use what the others leave.
 */
const APART = ["test/seeds/planted-bugs.test.ts", "test/seeds/seeds.test.ts"];

/** Begun first: a long one that begins last is waited for by all. */
const LONGEST = [
  "seeds/seeds",
  "e2e/never-by-accident",
  "e2e/deck",
  "e2e/practice-survives",
  "author/page",
  "verify/real-run",
  "faces/json-answers",
  "hostile/sockets",
  "e2e/recovery",
  "faces/json-contract",
  "author/author",
  "e2e/daemon",
  "docs/own-source",
  "kill-sweep/real",
  "lab/contamination",
  "faces/svc-process",
  "deliveries/deliveries",
  "contract/rest",
  "e2e/broken-setups",
  "main/init",
  "lab/backtest",
  "e2e/causes",
  "lab/sweep",
  "e2e/switching",
  "e2e/deck-of-days",
  "e2e/encrypted",
  "contract/feeds-and-models",
  "e2e/flatten-switch",
  "lab/fast-run",
  "faces/cli",
].map((name) => `/test/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((end) => moduleId.endsWith(end));
      return at === -1 ? LONGEST.length : at;
    };
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    globalSetup: ["test/support/bundled-program.ts"],
    pool: "forks",
    // Most tests over real processes wait more than they work: one more than there are cores.
    maxWorkers: 3,
    // Modules are loaded once a worker, not once a file: half of the suite's time was that.
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
