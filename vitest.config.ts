import { configDefaults, defineConfig } from "vitest/config";

/** Puts modules of its own in the place of ours, which others have loaded already. */
const MOCKS = ["test/seeds/planted-bugs.test.ts"];

/** Proofs over real sockets and processes. They share a small machine in CI, so that one may need a second try. */
const SOCKETS = [
  "test/{author,backtest,contract,e2e,hostile,kill-sweep,recorder,venue}/**/*.test.ts",
  "test/sim/servers/**/*.test.ts",
  "test/control/{daily-review,environment,requests,running-agent,watch-config}.test.ts",
  "test/daemon/{heartbeat,odd-gateway,recording}.test.ts",
  "test/faces/{cli,json-*,status-door,svc-*}.test.ts",
  "test/main/{init,journal-program,logs-program,operate,own-files,start,verify-program}.test.ts",
  "test/{causes,client,docs,journal,llm,net,news,ops,strategy,verify}/{causes,input-file,deploy,lease,gateway,http,socket,news-source,closed-pipe,log-file,outside,real-run}.test.ts",
];

export default defineConfig({
  test: {
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
          exclude: [...configDefaults.exclude, ...MOCKS, ...SOCKETS],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: "sockets", include: SOCKETS, isolate: false, retry: process.env["CI"] ? 2 : 0 },
      },
      { extends: true, test: { name: "apart", include: MOCKS } },
    ],
  },
});
