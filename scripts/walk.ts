/**
 * A new owner's first minutes, as they are: a fresh clone of this commit, `npm ci`, `npm start`, and the page in a real
 * Chromium through the first trade, every command, a killed agent and its return. Prints what was seen, and when.
 * Run: npm run walk. It needs Chromium and npm's registry.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { CHROMIUM, openBrowser, watch } from "../test/support/browser.ts";
import {
  flatten,
  halt,
  resume,
  seeAccount,
  seePosition,
  seeRecovery,
  seeSilence,
  switchTo,
} from "../test/support/deck-walk.ts";

const TOKEN = "a-token-of-a-new-owner";
const ROOT = path.join(import.meta.dirname, "..");
const dir = path.join(mkdtempSync(path.join(tmpdir(), "ballast-walk-")), "ballast");

let since = performance.now();
/** Runs one step and prints how long it took. */
async function step<T>(name: string, take: () => Promise<T> | T): Promise<T> {
  const begun = performance.now();
  const taken = await take();
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
  process.stdout.write(
    `${name}: ${seconds(performance.now() - begun)}, ${seconds(performance.now() - since)} in all\n`,
  );
  return taken;
}

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly pid: number;
}

/** As typed by a person; npm's own child is the agent, and the page's state names the process. */
async function start(): Promise<Started> {
  const child = spawn("npm", ["start"], {
    cwd: dir,
    env: { ...process.env, BALLAST_STATUS_TOKEN: TOKEN },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  let url: string | null = null;
  for await (const line of createInterface({ input: child.stdout })) {
    url ??= /(?<=the page is at )http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? null;
    if (url !== null) break;
  }
  child.stdout.resume();
  if (url === null || child.pid === undefined) throw new Error("npm start ended without the address of a page");
  return { child, url, pid: child.pid };
}

/** npm, its shell and the agent: all that `npm start` began. */
async function kill({ child, pid }: Started): Promise<void> {
  const ended = once(child, "exit");
  process.kill(-pid, "SIGKILL");
  await ended;
}

if (CHROMIUM === null) throw new Error("no Chromium is installed: set CHROMIUM to the path of one");
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim();
process.stdout.write(`commit ${commit}, Node ${process.version}\n`);
await step("git clone", () => execFileSync("git", ["clone", "-q", ROOT, dir]));
await step("npm ci, which builds", () => execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: dir }));
const browser = await openBrowser();
let agent: Started | null = null;
try {
  since = performance.now();
  agent = await step("npm start, until it names its page", start);
  const { page, errors, foreign } = await watch(browser, `${agent.url}/`, [agent.url], { width: 1280 });
  await step("the page shows the account", () => seeAccount(page));
  await step("the first position", () => seePosition(page));
  await step("halt", () => halt(page, TOKEN));
  await step("resume", () => resume(page, TOKEN));
  await step("switch to momentum", () => switchTo(page, "momentum", TOKEN));
  await step("flatten", () => flatten(page, TOKEN));
  process.stdout.write(`errors on the page: ${errors.length}; requests elsewhere: ${foreign.length}\n`);
  await kill(agent);
  await step("killed; the page says that nobody answers", () => seeSilence(page));
  agent = await step("npm start again", start);
  await step("the page is back, and the agent still halted", () => seeRecovery(page));
  if (errors.some((text) => !/Failed to load resource|ERR_/.test(text)) || foreign.length > 0)
    throw new Error([...errors, ...foreign].join("\n"));
} finally {
  await browser.close();
  if (agent) await kill(agent);
  rmSync(path.dirname(dir), { recursive: true, force: true });
}
