/**
 * The whole program `ballast run` on a journal disk that kills it: `child.js CONFIG DATA_FOLDER CONTROL_URL [TOKEN]`. A
 * run that ends normally records its number of commits beside the journal.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { realDisk } from "../../src/journal/committer.ts";
import { runProgram } from "../../src/main/run.ts";
import { dyingDisk, readToken } from "./dying-disk.ts";

function die(): never {
  process.kill(process.pid, "SIGKILL");
  // The signal arrives before the call returns; if it ever does not, nothing may run.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const [config = "", dataDir = "", practiceClock = "", token = ""] = process.argv.slice(2);
const { disk, commits } = dyingDisk(realDisk, readToken(token), die);
process.exitCode = await runProgram({ config, dataDir, practiceClock, logFormat: "json", logLevel: "info" }, { disk });
writeFileSync(path.join(dataDir, "commits"), String(commits()));
