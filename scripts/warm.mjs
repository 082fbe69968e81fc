// Keeps what a program's script compiles to on this Node, see scripts/launcher.mjs. Only functions that ran are compiled ahead,
// so the commands that people wait for are run first, on folders that end with this process.
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
// The programs end their process when they have answered; here the next one follows.
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
    // A run that waited for nothing would let the process end without another turn.
    setImmediate(() => undefined);
    return;
  }
  writeFileSync(`${file}.code`, script.createCachedData());
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = 0;
  process.removeAllListeners("beforeExit");
});
