// `npm run dev:lab`: a backtest again at every save. One process stays: it keeps the market in memory and its code warm, and
// loads a saved strategy or configuration afresh. Only a saved file of the program itself needs a new process.
import { spawn } from "node:child_process";
import { onSave } from "./dev-lab/saved-files.mjs";

const LOOK_EVERY_MS = 1_000;
const FLAGS = ["--import=./scripts/seeds/plain-types.mjs", "--import=./scripts/dev-lab/fresh-strategies.mjs"];
const FAILED = 1;

const start = () => {
  const child = spawn(process.execPath, [...FLAGS, "scripts/dev-lab/repeat.ts", ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  child.on("exit", (code) => {
    if (child.killed) running = start();
    else if (code === FAILED) process.stderr.write("waiting for a saved file of the program\n");
    else process.exit(code ?? FAILED);
  });
  return child;
};

let running = start();
onSave(["src"], LOOK_EVERY_MS, ([first]) => {
  process.stderr.write(`\n${first} was saved: the program starts again\n`);
  if (running.exitCode === null) running.kill();
  else running = start();
});

process.on("exit", () => running.kill());
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit());
