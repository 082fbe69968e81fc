/** The program `ballast`: reads the command line and runs one of the programs beside it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { runBallastCli } from "../faces/cli/ballast-cli.ts";
import { leaveAtOnce, outliveReaders } from "../ops/closed-pipe.ts";
import { complain } from "../ops/complaint.ts";
import { EXIT, EXIT_MEANING, Refused } from "../ops/exit-codes.ts";
import { reloadSignal } from "../ops/reload-signal.ts";
import { openFilesProblem } from "../ops/process-stats.ts";
import { OWN_STRATEGIES_DIR, PACKAGE_ROOT } from "../ops/paths.ts";

const { version } = JSON.parse(readFileSync(path.join(PACKAGE_ROOT, "package.json"), "utf8")) as { version: string };
const exitCodes = Object.entries(EXIT)
  .map(([name, code]) => `  ${code}  ${EXIT_MEANING[name as keyof typeof EXIT]}`)
  .join("\n");

const isNamed = (cause: unknown, name: string): cause is Error => cause instanceof Error && cause.name === name;

/** Time for the last output lines to be flushed. */
const LINGERS_MS = 250;

outliveReaders();
// Programs are loaded when they are called, so that `--help` and `status` answer at once.
void runBallastCli(
  process.argv.slice(2),
  {
    init: async (dir, options) => (await import("./init.ts")).initProgram(dir, options),
    run: async (options) => {
      const few = openFilesProblem();
      if (few !== null) throw new Refused(EXIT.config, few);
      const reloads = reloadSignal();
      return (await import("./run.ts")).runProgram(options, { reloads });
    },
    sim: async (options) => (await import("./sim.ts")).simProgram(options),
    backtest: async (options) => (await import("./lab/backtest.ts")).backtestProgram(options),
    labReport: async (folders, options) => (await import("./lab/report.ts")).labReportProgram(folders, options),
    counterfactual: async (folder, options) =>
      (await import("./lab/counterfactual.ts")).counterfactualProgram(folder, options),
    dataImport: async (files, options) => (await import("./data.ts")).dataImportProgram(files, options),
    dataList: async (dir, options) => (await import("./data.ts")).dataListProgram(dir, options),
    dataCheck: async (dir, options) => (await import("./data.ts")).dataCheckProgram(dir, options),
    dataMake: async (kind, options) => (await import("./data.ts")).dataMakeProgram(kind, options),
    sweep: async (options) => (await import("./lab/sweep.ts")).sweepProgram(options),
    record: async (options) => (await import("./record.ts")).recordProgram(options),
    status: async (options) => (await import("./status.ts")).statusProgram(options),
    logs: async (file, options) => (await import("./logs.ts")).logsProgram(file, options),
    explain: async (decision, options) => (await import("./explain.ts")).explainProgram(decision, options),
    why: async (id, options) => (await import("./why.ts")).whyProgram(id, options),
    whyNot: async (options) => (await import("./why-not.ts")).whyNotProgram(options),
    reasons: async (options) => (await import("./listings.ts")).reasonsProgram(options),
    trades: async (options) => (await import("./listings.ts")).tradesProgram(options),
    budget: async (options) => (await import("./budget.ts")).budgetProgram(options),
    report: async (options) => (await import("./listings.ts")).reportProgram(options),
    exportTable: async (name, options) => (await import("./listings.ts")).exportProgram(name, options),
    promptDiff: async (options) => (await import("./prompt-diff.ts")).promptDiffProgram(options),
    open: async (options) => (await import("./status.ts")).openProgram(options),
    flatten: async (options) => (await import("./operate.ts")).flattenProgram(options),
    operate: async (command, options) => (await import("./operate.ts")).operateProgram(command, options),
    strategyUse: async (name, options) => (await import("./strategy.ts")).strategyUseProgram(name, options),
    strategyList: async (options) => (await import("./strategy.ts")).strategyListProgram(options),
    strategyNew: async (name, options) => (await import("./strategy-author.ts")).strategyNewProgram(name, options),
    strategyCheck: async (name, options) => (await import("./strategy-author.ts")).strategyCheckProgram(name, options),
    strategyShadows: async (options) => (await import("./strategy.ts")).strategyShadowsProgram(options),
    lessons: async (options) => (await import("./strategy.ts")).lessonsProgram(options),
    lessonsForget: async (id, options) => (await import("./strategy.ts")).lessonsForgetProgram(id, options),
    lessonsReview: async (options) => (await import("./strategy.ts")).lessonsReviewProgram(options),
    verify: async (options) => (await import("./verify.ts")).verifyProgram(options),
    journalExport: async (options) => (await import("./journal.ts")).journalExportProgram(options),
    journalArchive: async (options) => (await import("./journal.ts")).journalArchiveProgram(options),
    backup: async (file, options) => (await import("./journal.ts")).backupProgram(file, options),
    notify: async (options) => (await import("./notify.ts")).notifyProgram(options),
    configCheck: async (file, options) => (await import("./config-check.ts")).configCheckProgram(file, options),
    completion: async (write) => {
      const { listStrategies } = await import("../strategy/registry.ts");
      process.stdout.write(write(listStrategies(OWN_STRATEGIES_DIR)));
      return EXIT.ok;
    },
    configShow: async (file, options) => (await import("./config-show.ts")).configShowProgram(file, options),
    doctor: async (options) => (await import("./doctor.ts")).doctorProgram(options),
    configSchema: async () => (await import("./config-check.ts")).configSchemaProgram(),
  },
  { version, exitCodes },
)
  .catch((cause: unknown) => {
    // By name: each program has its own copy of these classes.
    if (isNamed(cause, "Refused")) return complain(cause.message, (cause as Refused).code);
    if (isNamed(cause, "RowError"))
      return complain(`this build cannot read the journal: ${cause.message}`, EXIT.journal);
    return complain(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  })
  .then((code) => {
    process.exitCode = code;
    leaveAtOnce();
    // A request that still waits for a rate-limit slot no longer matters and must not keep the process alive.
    setTimeout(() => process.exit(), LINGERS_MS).unref();
  });
