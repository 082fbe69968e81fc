import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    maxWorkers: 2,
    // Modules are loaded once a worker, not once a file: a third of the suite's time was that. No test mocks a module.
    isolate: false,
    // Proofs over real sockets and processes share a small machine in CI. One that needs a second try is told as such.
    retry: process.env["CI"] ? 2 : 0,
  },
});
