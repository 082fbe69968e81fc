import { configDefaults, defineConfig } from "vitest/config";

/** Puts modules of its own in the place of ours, which others have loaded already. */
const MOCKS = ["test/seeds/planted-bugs.test.ts"];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    globalSetup: ["test/support/bundled-program.ts"],
    pool: "forks",
    // Most tests over real processes wait more than they work: one more than there are cores.
    maxWorkers: 3,
    // Proofs over real sockets and processes share a small machine in CI. One that needs a second try is told as such.
    retry: process.env["CI"] ? 2 : 0,
    projects: [
      // Modules are loaded once a worker, not once a file: a third of the suite's time was that.
      {
        extends: true,
        test: {
          name: "together",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...MOCKS],
          isolate: false,
        },
      },
      { extends: true, test: { name: "apart", include: MOCKS } },
    ],
  },
});
