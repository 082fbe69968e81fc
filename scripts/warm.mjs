// Caches the compiled code of a program's script for this Node, see scripts/launcher.mjs. Only functions that ran are
// included, so the commands that people wait for run first, in temporary folders.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import vm from "node:vm";

const RUNS = {
  ballast: [["--help"], ["status"], ["budget"], ["explain", "last"], ["trades", "--json"], ["why-not"]],
  svc: [["--help"], ["config", "list", "--json"], ["invocation", "check"], ["portfolio", "overview", "--json"]],
};

const file = path.resolve(process.argv[2]);
const program = path.basename(file, ".cjs");
const folder = mkdtempSync(path.join(tmpdir(), "ballast-warm-"));
Object.assign(process.env, { BALLAST_DATA_DIR: folder, SVC_STATE_DIR: folder });
// The programs exit after their reply; here the next one follows.
process.exit = () => undefined;

const script = new vm.Script(readFileSync(file, "latin1"), { filename: file });
const start = script.runInThisContext();
const runs = [...RUNS[program]];
process.on("beforeExit", () => {
  const run = runs.shift();
  if (run !== undefined) {
    process.argv = [process.execPath, file, ...run];
    const module = { exports: {} };
    start(module.exports, createRequire(file), module, file, path.dirname(file), (name) => import(name));
    // Keeps the process from ending early when a run waited for nothing.
    setImmediate(() => undefined);
    return;
  }
  writeFileSync(`${file}.code`, script.createCachedData());
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = 0;
  process.removeAllListeners("beforeExit");
});
