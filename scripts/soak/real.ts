/**
 * A soak in real time: the simulated service and the daemon, each in its own process, run unattended and are then
 * judged.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseDocument } from "yaml";
import { uptimeAt } from "../../src/agent/books/uptime.ts";
import { DEFAULT_WINDOW } from "../../src/agent/books/uptime.ts";
import { readJournal } from "../../src/journal/reader.ts";
import { restore } from "../../src/restore/restore.ts";
import { serviceEnv } from "../../test/support/service-env.ts";
import { type Line, leastSquares, lowestOf, MB, type Point, percent, quantile, slopeText } from "./figures.ts";

export interface RealSoak {
  readonly forMs: number;
  /** Receives everything: records, journal, logs. Must be empty. */
  readonly dir: string;
  /** Its venue and session are replaced. */
  readonly config: string;
  /** The compiled command. */
  readonly program: string;
  readonly say: (line: string) => void;
}

const HOUR_MS = 3_600_000;
const FIVE_MINUTES_H = 1 / 12;
const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 60_000;
/** By then caches that fill once are full. */
const WARM_SHARE = 0.2;
const WARM_MAX_MS = 10 * 60_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
}

function start(soak: RealSoak, args: readonly string[], env: Record<string, string>, log: string): Program {
  const child = spawn(process.execPath, [soak.program, ...args], {
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const file = createWriteStream(log);
  child.stdout.pipe(file, { end: false });
  child.stderr.pipe(file, { end: false });
  return { child, ended: new Promise((resolve) => child.once("close", resolve)) };
}

type Ready = Parameters<typeof serviceEnv>[0] & { readonly controlUrl: string };

function readyOf(sim: Program): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("the service is not ready")), READY_WITHIN_MS);
    const { stdout } = sim.child;
    if (!stdout) return reject(new Error("the service has no output"));
    createInterface({ input: stdout }).on("line", (line) => {
      if (!line.startsWith("{") || !line.includes("restUrl")) return;
      clearTimeout(late);
      resolve(JSON.parse(line) as Ready);
    });
  });
}

/** Resident memory of a process; null if the machine does not report it. */
function residentOf(pid: number | undefined): number | null {
  try {
    const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kb === undefined ? null : Number(kb) * 1_024;
  } catch {
    return null;
  }
}

const folderBytes = (dir: string): number =>
  existsSync(dir)
    ? readdirSync(dir, { recursive: true, encoding: "utf8" }).reduce((sum, name) => {
        const found = statSync(path.join(dir, name), { throwIfNoEntry: false });
        return sum + (found?.isFile() ? found.size : 0);
      }, 0)
    : 0;

/** Runs it and prints the findings; returns the exit code of the verification. */
export async function realSoak(soak: RealSoak): Promise<number> {
  const { dir, forMs, say } = soak;
  for (const name of ["record", "sinks", "data"]) mkdirSync(path.join(dir, name), { recursive: true });
  const sim = start(
    soak,
    [
      "sim",
      "--port",
      "0",
      "--control-port",
      "0",
      "--seed",
      "1",
      "--speed",
      "1",
      "--record",
      `${dir}/record`,
      "--log-format",
      "json",
      "--log-level",
      "warn",
    ],
    {},
    `${dir}/sim.log`,
  );
  const ready = await readyOf(sim);
  const agent = start(
    soak,
    [
      "run",
      "--config",
      serviceConfig(soak),
      "--data-dir",
      `${dir}/data`,
      "--log-format",
      "json",
      "--practice-clock",
      ready.controlUrl,
    ],
    serviceEnv(ready),
    `${dir}/sinks/agent.jsonl`,
  );
  const startedMs = Date.now();
  const simMemory: { x: number; y: number }[] = [];
  let died: number | null | undefined;
  void agent.ended.then((code) => (died = code));
  while (Date.now() - startedMs < forMs && died === undefined) {
    await sleep(Math.min(LOOK_EVERY_MS, forMs - (Date.now() - startedMs)));
    const rss = residentOf(sim.child.pid);
    if (rss !== null) simMemory.push({ x: (Date.now() - startedMs) / HOUR_MS, y: rss / MB });
  }
  if (died !== undefined) say(`the agent ended by itself with code ${String(died)}`);
  const outside = await outsideView(ready.controlUrl);
  agent.child.kill("SIGTERM");
  await Promise.race([agent.ended, sleep(STOP_WITHIN_MS)]);
  appendFileSync(`${dir}/record/venue.jsonl`, outside.map((report) => `${JSON.stringify(report)}\n`).join(""));
  sim.child.kill("SIGTERM");
  await Promise.race([sim.ended, sleep(STOP_WITHIN_MS)]);
  writeFileSync(`${dir}/secrets`, [ready.accessKey, ready.secretKey, ready.aiKey].join("\n"));
  report(soak, simMemory.slice(Math.floor(simMemory.length * WARM_SHARE)), outside);
  return judge(soak);
}

/** The account's uptime as the service saw it, in the form of the venue ledger. */
async function outsideView(controlUrl: string): Promise<readonly Record<string, unknown>[]> {
  const url = `${controlUrl.replace(/\/control\/?$/, "").replace(/\/+$/, "")}/control`;
  const ask = async (what: string): Promise<Record<string, unknown>> =>
    (await (await fetch(`${url}/${what}`)).json()) as Record<string, unknown>;
  const [{ nowMs }, { uptime }] = [await ask("clock"), await ask("scoreboard")];
  return (uptime as Record<string, unknown>[]).map((reported) => ({ fact: "uptime", atMs: nowMs, ...reported }));
}

/** The given settings at the service of this soak: an embedded venue would be judged by records of another one. */
function serviceConfig({ config, dir }: RealSoak): string {
  const settings = parseDocument(readFileSync(config, "utf8"));
  settings.set("venue", { kind: "service" });
  for (const [name, value] of Object.entries({
    consent: "My agent may trade in a soak: 400 USDT in one order, 20000 USDT in one session.",
    consentFor: "127.0.0.1",
    live: true,
    maxNotionalPerOrder: "400",
    maxTotalNotional: "20000",
  }))
    settings.setIn(["session", name], value);
  const file = path.join(dir, "agent.yaml");
  writeFileSync(file, settings.toString());
  return file;
}

interface Vitals {
  readonly [name: string]: number | null;
}

function report(
  { dir, forMs, say }: RealSoak,
  simMemory: readonly { x: number; y: number }[],
  outside: readonly Record<string, unknown>[],
): void {
  const reader = readJournal(`${dir}/data/journal.db`);
  const beats = reader.rows({ kinds: ["beat"] });
  const firstMs = beats[0]?.monoMs ?? 0;
  const warmMs = Math.min(WARM_MAX_MS, forMs * WARM_SHARE);
  const readings = beats.flatMap(({ monoMs, body }) => {
    const { vitals } = body as { vitals?: Vitals };
    return vitals && monoMs - firstMs >= warmMs ? [{ x: monoMs / HOUR_MS, vitals }] : [];
  });
  const points = (name: string, unit = 1): readonly Point[] =>
    readings.flatMap(({ x, vitals }) => (typeof vitals[name] === "number" ? [{ x, y: vitals[name] / unit }] : []));
  const line = (name: string, unit = 1): Line | null => leastSquares(points(name, unit));
  const values = (name: string): readonly number[] => readings.flatMap(({ vitals }) => vitals[name] ?? []);
  const range = (name: string, unit = 1): string =>
    `${(Math.min(...values(name)) / unit).toFixed(0)} to ${(Math.max(...values(name)) / unit).toFixed(0)}`;
  const hours = forMs / HOUR_MS;
  const last = beats.at(-1);
  const inside = uptimeAt(restore(reader, last?.atMs ?? 0).uptime, last?.atMs ?? 0, DEFAULT_WINDOW);
  say(`rows           ${reader.count()}, ${(reader.count() / hours).toFixed(0)} an hour`);
  say(`heap           ${slopeText(line("heapUsed", MB), "MB/h")}; ${range("heapUsed", MB)} MB`);
  say(
    `heap, lowest   ${slopeText(leastSquares(lowestOf(points("heapUsed", MB), FIVE_MINUTES_H)), "MB/h")} of each 5 minutes`,
  );
  say(`resident       ${slopeText(line("rss", MB), "MB/h")}; ${range("rss", MB)} MB`);
  say(`handles        ${slopeText(line("handles"), "an hour")}; ${range("handles")}`);
  say(`open files     ${slopeText(line("files"), "an hour")}; ${range("files")}`);
  say(
    `loop delay     p50 ${quantile(values("loopP50Ms"), 0.5).toFixed(1)} ms, p99 ${quantile(values("loopP99Ms"), 0.5).toFixed(1)} ms in the middle minute, ${Math.max(...values("loopP99Ms")).toFixed(1)} ms in the worst; longest ${Math.max(...values("loopMaxMs")).toFixed(0)} ms`,
  );
  say(
    `journal        ${((folderBytes(`${dir}/data`) - folderBytes(`${dir}/data/recording`) - folderBytes(`${dir}/data/pages`) - 4 * MB) / MB / hours).toFixed(2)} MB/h, pages ${(folderBytes(`${dir}/data/pages`) / MB / hours).toFixed(2)} MB/h, recording ${(folderBytes(`${dir}/data/recording`) / MB / hours).toFixed(2)} MB/h`,
  );
  say(`service        ${slopeText(leastSquares(simMemory), "MB/h resident")}`);
  say(`uptime inside  ${percent(inside.ratio)}, down ${(inside.downMs / 1_000).toFixed(0)} s`);
  for (const reported of outside.slice(0, 1)) {
    const door = (name: string): string =>
      percent((reported[name] as { upShare?: number | null } | undefined)?.upShare ?? null);
    say(`uptime outside user socket ${door("user")}, market socket ${door("market")}, REST ${door("rest")}`);
  }
  reader.close();
}

async function judge({ dir, program, say }: RealSoak): Promise<number> {
  const args = [
    "verify",
    "--journal",
    `${dir}/data/journal.db`,
    "--wire",
    `${dir}/record/wire.jsonl`,
    "--ledger",
    `${dir}/record/venue.jsonl`,
    "--model-ledger",
    `${dir}/record/model.jsonl`,
    "--sinks",
    `${dir}/sinks`,
    "--secrets",
    `${dir}/secrets`,
    "--skew",
    "500ms",
  ];
  const verify = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  createInterface({ input: verify.stdout }).on("line", (line) => lines.push(line));
  const code = await new Promise<number | null>((resolve) => verify.once("close", resolve));
  for (const line of lines.filter((text) => /VIOLATED|not judged|^ {6}|invariants:/.test(text))) say(line);
  return code ?? 1;
}
