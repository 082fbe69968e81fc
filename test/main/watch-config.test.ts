import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { folder } from "../support/process.ts";

/** Watches the file it is given, says so, and ends the watch at the first line that it reads. */
const WATCHER = `
import("./src/main/watch-config.ts").then(({ watchConfig, loadConfig }) => {
  const file = process.argv[1];
  const log = { event: () => undefined };
  const watch = watchConfig(file, loadConfig(file).value, { log, accept: () => Promise.resolve({ ok: true }) });
  setTimeout(() => console.log("watching"), 500);
  process.stdin.once("data", () => {
    process.stdin.destroy();
    watch.close().then(() => console.log("closed"));
  });
});
`;

test("a file that grows beside the configuration does not keep a process that has closed its watch", async () => {
  const made = folder();
  const config = made.file("agent.yaml", "universe: [BTC]\n");
  const noise = made.file("venue.jsonl", "");
  const child = spawn(process.execPath, ["--import", "tsx", "-e", WATCHER, config], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const growing = setInterval(() => appendFileSync(noise, "{}\n"), 10);
  onTestFinished(() => {
    clearInterval(growing);
    child.kill("SIGKILL");
    made.remove();
  });
  const lines = createInterface({ input: child.stdout });
  await once(lines, "line");
  child.stdin.write("stop\n");
  const [code] = (await once(child, "close")) as [number | null];
  expect(code).toBe(0);
}, 15_000);
