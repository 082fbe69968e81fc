import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The first puts modules of its own in the place of ours, which others have loaded already. The second only waits for
 * processes of its own, which stand back behind all others: begun first, they use what the others leave.
 */
const APART = ["test/seeds/planted-bugs.test.ts", "test/seeds/seeds.test.ts"];

/** Proofs over real sockets and processes. They share a small machine in CI, so that one may need a second try. */
const SOCKETS = [
  "test/{author,backtest,contract,e2e,hostile,kill-sweep,recorder,venue}/**/*.test.ts",
  "test/sim/servers/**/*.test.ts",
  "test/control/{daily-review,environment,requests,running-agent,watch-config}.test.ts",
  "test/daemon/{heartbeat,odd-gateway,recording}.test.ts",
  "test/faces/{cli,json-*,status-door,svc-*}.test.ts",
  "test/main/{init,journal-program,logs-program,operate,own-files,start,verify-program}.test.ts",
  "test/llm/gateway/gateway.test.ts",
  "test/{causes,client,docs,journal,net,news,ops,strategy,verify}/{causes,input-file,deploy,lease,http,socket,news-source,closed-pipe,log-file,outside,real-run}.test.ts",
];

/** Begun first among their like: a long one that begins last is waited for by all. */
const LONGEST = [
  "seeds/seeds",
  "e2e/deck",
  "e2e/never-by-accident",
  "e2e/broken-setups",
  "verify/real-run",
  "author/page",
  "e2e/daemon",
  "author/author",
  "hostile/sockets",
  "lab/contamination",
  "lab/backtest",
  "faces/json-answers",
  "lab/sweep",
  "docs/own-source",
  "lab/agreement",
  "lab/fast-run",
  "lab/report-page",
  "deliveries/deliveries",
  "seeds/switching-live",
  "seeds/sweep",
].map((name) => `/test/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const rank = ({ project, moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((end) => moduleId.endsWith(end));
      return projects.indexOf(project.name) * LONGEST.length * 2 + (at === -1 ? LONGEST.length : at);
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
    projects: [
      // Modules are loaded once a worker, not once a file: a third of the suite's time was that.
      {
        extends: true,
        test: {
          name: "together",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...APART, ...SOCKETS],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: "sockets", include: SOCKETS, isolate: false, retry: process.env["CI"] ? 2 : 0 },
      },
      { extends: true, test: { name: "apart", include: APART } },
    ],
  },
});
