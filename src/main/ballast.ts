#!/usr/bin/env node
/** The program `ballast`: reads the command line and runs one of the programs beside it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { runBallastCli } from "../faces/cli/ballast-cli.ts";
import { outliveReaders } from "./closed-pipe.ts";
import { EXIT, EXIT_MEANING, Refused } from "./exit-codes.ts";
import { PACKAGE_ROOT } from "./places.ts";

const { version } = JSON.parse(readFileSync(path.join(PACKAGE_ROOT, "package.json"), "utf8")) as { version: string };
const exitCodes = Object.entries(EXIT)
  .map(([name, code]) => `  ${code}  ${EXIT_MEANING[name as keyof typeof EXIT]}`)
  .join("\n");

/** Enough for the last lines to leave. */
const LINGERS_MS = 250;

outliveReaders();
// Programs are loaded when they are called, so that `--help` and `status` answer at once.
const code = await runBallastCli(
  process.argv.slice(2),
  {
    run: async (options) => (await import("./programs/run.ts")).runProgram(options),
    sim: async (options) => (await import("./programs/sim.ts")).simProgram(options),
    backtest: async (options) => (await import("./programs/backtest.ts")).backtestProgram(options),
    record: async (options) => (await import("./programs/record.ts")).recordProgram(options),
    status: async (options) => (await import("./programs/status.ts")).statusProgram(options),
    logs: async (file, options) => (await import("./programs/logs.ts")).logsProgram(file, options),
    explain: async (decision, options) => (await import("./programs/explain.ts")).explainProgram(decision, options),
    why: async (id, options) => (await import("./programs/why.ts")).whyProgram(id, options),
    whyNot: async (options) => (await import("./programs/why-not.ts")).whyNotProgram(options),
    reasons: async (options) => (await import("./programs/reasons.ts")).reasonsProgram(options),
    budget: async (options) => (await import("./programs/budget.ts")).budgetProgram(options),
    promptDiff: async (options) => (await import("./programs/prompt-diff.ts")).promptDiffProgram(options),
    operate: async (command, options) => (await import("./programs/operate.ts")).operateProgram(command, options),
    strategyUse: async (name, options) => (await import("./programs/strategy.ts")).strategyUseProgram(name, options),
    strategyList: async (options) => (await import("./programs/strategy.ts")).strategyListProgram(options),
    strategyNew: async (name, options) =>
      (await import("./programs/strategy-author.ts")).strategyNewProgram(name, options),
    strategyCheck: async (name, options) =>
      (await import("./programs/strategy-author.ts")).strategyCheckProgram(name, options),
    strategyShadows: async (options) => (await import("./programs/strategy.ts")).strategyShadowsProgram(options),
    lessons: async (options) => (await import("./programs/lessons.ts")).lessonsProgram(options),
    lessonsForget: async (id, options) => (await import("./programs/lessons.ts")).lessonsForgetProgram(id, options),
    lessonsReview: async (options) => (await import("./programs/lessons.ts")).lessonsReviewProgram(options),
    verify: async (options) => (await import("./programs/verify.ts")).verifyProgram(options),
    journalExport: async (options) => (await import("./programs/journal.ts")).journalExportProgram(options),
    journalArchive: async (options) => (await import("./programs/journal.ts")).journalArchiveProgram(options),
    configCheck: async (file, options) =>
      (await import("./programs/config-check.ts")).configCheckProgram(file, options),
    doctor: async (options) => (await import("./programs/doctor.ts")).doctorProgram(options),
    configSchema: async () => (await import("./programs/config-check.ts")).configSchemaProgram(),
  },
  { version, exitCodes },
).catch((cause: unknown) => {
  if (cause instanceof Refused) {
    process.stderr.write(`ballast: ${cause.message}\n`);
    return cause.code;
  }
  process.stderr.write(`ballast: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`);
  return EXIT.failed;
});
process.exitCode = code;
// What still waits for its turn at the venue has nobody left to answer to, and must not keep the process.
setTimeout(() => process.exit(), LINGERS_MS).unref();
