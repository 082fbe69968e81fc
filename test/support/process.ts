/** Real processes for tests: started, watched line by line, and always brought down. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach } from "vitest";
import { programArgs } from "./bundled-program.ts";

export interface Line {
  readonly evt: string;
  readonly msg: string;
  readonly level: string;
  readonly [field: string]: unknown;
}

export interface Running {
  readonly child: ChildProcess;
  readonly lines: Line[];
  /** Text that was no JSON line. */
  readonly text: string[];
  /** The first line that fits, past or to come; rejects when the process ends or `ms` pass without one. */
  until(fits: (line: Line) => boolean, ms: number, what: string): Promise<Line>;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
}

export function ballast(args: readonly string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [...programArgs("ballast"), ...args], {
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: Line[] = [];
  const text: string[] = [];
  const watchers = new Set<() => void>();
  const take = (raw: string): void => {
    try {
      lines.push(JSON.parse(raw) as Line);
    } catch {
      text.push(raw);
    }
    for (const watch of watchers) watch();
  };
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", take);
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once("close", (code, signal) => {
      resolve({ code, signal });
      for (const watch of watchers) watch();
    }),
  );
  let over = false;
  void ended.then(() => (over = true));
  return {
    child,
    lines,
    text,
    ended,
    until: (fits, ms, what) =>
      new Promise((resolve, reject) => {
        const done = (settle: () => void): void => {
          clearTimeout(timer);
          watchers.delete(look);
          settle();
        };
        const tail = (): string =>
          [...lines.slice(-12).map((line) => `${line.evt} ${line.msg}`), ...text.slice(-12)].join("\n  ");
        const look = (): void => {
          const found = lines.find(fits);
          if (found) done(() => resolve(found));
          else if (over || child.exitCode !== null)
            done(() => reject(new Error(`${what}: the process ended first\n  ${tail()}`)));
        };
        const timer = setTimeout(() => done(() => reject(new Error(`${what}: not within ${ms} ms\n  ${tail()}`))), ms);
        watchers.add(look);
        look();
      }),
  };
}

/** Runs a command to its end. */
export async function run(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string }> {
  const running = ballast(args, env);
  const { code } = await running.ended;
  return { code, out: [...running.text, ...running.lines.map((line) => JSON.stringify(line))].join("\n") };
}

export interface Folder {
  readonly dir: string;
  file(name: string, content: string): string;
  remove(): void;
}

export function folder(): Folder {
  const dir = mkdtempSync(path.join(tmpdir(), "ballast-test-"));
  return {
    dir,
    file: (name, content) => {
      const full = path.join(dir, name);
      writeFileSync(full, content);
      return full;
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** Kills what still runs; for `afterEach`. */
export async function bringDown(running: readonly Running[]): Promise<void> {
  for (const { child } of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGCONT");
    child.kill("SIGKILL");
  }
  await Promise.all(running.map(({ ended }) => ended));
}

export interface Ready {
  readonly restUrl: string;
  readonly marketWsUrl: string;
  readonly userWsUrl: string;
  readonly feedsWsUrl: string;
  readonly aiUrl: string;
  readonly controlUrl: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly aiKey: string;
}

/** A simulated service as a process of its own. */
export async function simProcess(args: readonly string[]): Promise<{ running: Running; ready: Ready }> {
  const running = ballast([
    "sim",
    "--port",
    "0",
    "--control-port",
    "0",
    "--log-format",
    "json",
    "--log-level",
    "warn",
    ...args,
  ]);
  const line = await running.until((found) => typeof found["restUrl"] === "string", 40_000, "the sim's ready line");
  return { running, ready: line as unknown as Ready };
}

export { serviceEnv } from "./service-env.ts";

/** An agent that acts soon, for tests: small universe, quick cadence. `speed` is for the embedded venue. */
export const quickConfig = (change: { strategy?: string; speed?: number; kind?: string } = {}): string => `
phase: 1
venue:
  kind: ${change.kind ?? "embedded"}
  embedded: { seed: 3, speed: ${change.speed ?? 5}, modelLatency: 50ms }
universe: [BTC, ETH, SOL, XRP, DOGE]
strategy:
  use: ${change.strategy ?? "momentum"}
  fallback: momentum
  handover: adopt
  settings:
    momentum: { horizon: fast, entryScore: 0.3, edgeOverCost: 0, confirmation: -1, minHoldMinutes: 30, maxPositions: 2 }
cadence: { every: 10s, minGap: 5s, firstAfter: 22s }
session:
  consentFor: ${change.kind === "service" ? "127.0.0.1" : "embedded"}
  live: true
  consent: I let this agent trade automatically in a test, up to 400 USDT an order and 20000 USDT in all.
  maxNotionalPerOrder: "400"
  maxTotalNotional: "20000"
`;

/** Lists to put processes and folders on: after each test of the file they are brought down and removed. */
export function takenDown(): { readonly started: Running[]; readonly folders: Folder[] } {
  const started: Running[] = [];
  const folders: Folder[] = [];
  afterEach(async () => {
    await bringDown(started.splice(0));
    for (const made of folders.splice(0)) made.remove();
  });
  return { started, folders };
}
