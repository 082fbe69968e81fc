/** Stryker's settings for one folder; `npm run mutation -- ROOM`. All its output is in coverage/mutation/. */
import { chosenRoom } from "./rooms.mjs";

const { name, mutate } = chosenRoom();
const reports = `coverage/mutation/${name}`;

export default {
  mutate,
  plugins: ["./scripts/mutation/runner.mjs"],
  testRunner: "vitest-sure",
  vitest: { configFile: "scripts/mutation/vitest.config.mjs", related: false },
  coverageAnalysis: "perTest",
  concurrency: 1,
  timeoutMS: 20_000,
  timeoutFactor: 3,
  incremental: true,
  incrementalFile: `${reports}/incremental.json`,
  tempDirName: "coverage/mutation/sandbox",
  ignorePatterns: ["dist", "data", "docs", "coverage"],
  reporters: ["clear-text", "progress-append-only", "json"],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `${reports}/report.json` },
  thresholds: { high: 95, low: 85, break: 85 },
};
