/**
 * The program `ballast run`, whole, on a journal's disk that kills it: `child.js CONFIG DATA_FOLDER CONTROL_URL [TOKEN]`.
 * It leaves beside the journal how many commits its life had, where it lives to its end.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { realDisk } from "../../src/journal/committer.ts";
import { runProgram } from "../../src/main/run.ts";
import { dyingDisk, readToken } from "./dying-disk.ts";

function die(): never {
  process.kill(process.pid, "SIGKILL");
  // The signal is delivered before the call returns; nothing is to run if it ever is not.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const [config = "", dataDir = "", practiceClock = "", token = ""] = process.argv.slice(2);
const { disk, commits } = dyingDisk(realDisk, readToken(token), die);
process.exitCode = await runProgram({ config, dataDir, practiceClock, logFormat: "json", logLevel: "info" }, disk);
writeFileSync(path.join(dataDir, "commits"), String(commits()));
