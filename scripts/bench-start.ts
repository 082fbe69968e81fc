/**
 * Start-up of the built commands beside a bare Node, alternately, so that all of them meet the same load: without a
 * network, on a data folder, and a read from a simulated service. `--data-dir` names a folder with a journal.
 * `--beside "node other-client.js account"` adds another client's command to the run; its environment has the service's
 * address and keys. Run `npm run build` first. Wall-clock time says something only on a quiet machine.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const SVC = "dist/src/main/svc.cjs";
const BALLAST = "dist/src/main/ballast.cjs";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "15" },
    "data-dir": { type: "string" },
    beside: { type: "string", multiple: true, default: [] },
  },
});
const rounds = Number(values.rounds);
if (!existsSync(SVC)) {
  console.error("dist/ is missing: run npm run build first");
  process.exit(1);
}

interface Case {
  readonly name: string;
  readonly command: readonly string[];
}
const node = (name: string, ...args: readonly string[]): Case => ({ name, command: [process.execPath, ...args] });

const folder = mkdtempSync(path.join(tmpdir(), "ballast-bench-"));
const dataDir = values["data-dir"] ?? folder;
const ofJournal = (name: string): Case => node(`ballast ${name}`, BALLAST, ...name.split(" "), "--data-dir", dataDir);

const sim = spawn(process.execPath, [BALLAST, "sim", "--port", "0", "--control-port", "0", "--log-level", "error"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const ready = await new Promise<Record<string, string>>((resolve) => {
  createInterface({ input: sim.stdout }).on("line", (line) => {
    if (line.includes("restUrl")) resolve(JSON.parse(line) as Record<string, string>);
  });
});

const CASES: readonly Case[] = [
  node("node -e 0", "-e", "0"),
  node("svc --version", SVC, "--version"),
  node("svc schema --json", SVC, "schema", "--json"),
  node("svc --help", SVC, "--help"),
  node("svc config list --json", SVC, "config", "list", "--json"),
  node("svc invocation check --json", SVC, "invocation", "check", "--json"),
  node("ballast --help", BALLAST, "--help"),
  ofJournal("status"),
  ofJournal("explain last"),
  ofJournal("budget"),
  ofJournal("why-not"),
  ofJournal("trades"),
  node("svc market get-ticker BTC (network)", SVC, "market", "get-ticker", "BTC", "--json"),
  ...values.beside.map((text) => ({ name: text, command: text.split(" ") })),
];

const env = {
  ...process.env,
  // Loading these certificates takes longer than a bare Node does, and would make every ratio look small.
  NODE_EXTRA_CA_CERTS: undefined,
  // The decimal point of the shell's figures.
  LC_ALL: "C",
  SVC_STATE_DIR: folder,
  SVC_API_HOST: ready["restUrl"] ?? "",
  SVC_ACCESS_KEY: ready["accessKey"] ?? "",
  SVC_SECRET_KEY: ready["secretKey"] ?? "",
};
/** Of one run of a command, in milliseconds: by the clock, and on a processor in user and system mode. */
interface Took {
  readonly wallMs: number;
  readonly busyMs: number;
}

/** Node does not report the processor time of a process that has ended; the shell of Linux and macOS alike does. */
const TIMED = 'TIMEFORMAT="%3R %3U %3S"; time "$@" >/dev/null 2>&1';

function timed(command: readonly string[]): Took {
  const { stderr, error } = spawnSync("bash", ["-c", TIMED, "bash", ...command], { env, encoding: "utf8" });
  if (error) throw error;
  const [wall = NaN, user = NaN, system = NaN] = stderr.trim().split(" ").map(Number);
  return { wallMs: wall * 1_000, busyMs: (user + system) * 1_000 };
}

const runs = CASES.map((): Took[] => []);
for (let round = 0; round < rounds; round++)
  CASES.forEach(({ command }, at) => {
    runs[at]?.push(timed(command));
  });
sim.kill("SIGTERM");
rmSync(folder, { recursive: true, force: true });

const COLUMNS = ["best", "x", "median", "x"];
const cells = (texts: readonly string[]): string => texts.map((text) => text.padStart(8)).join("");

/** Least and middle of a command, each with how many times that of a bare Node it is. */
function figures(of: readonly Took[], pick: (took: Took) => number): readonly string[] {
  const sorted = (from: readonly Took[]): readonly number[] => from.map(pick).toSorted((a, b) => a - b);
  const [own, bare] = [sorted(of), sorted(runs[0] ?? [])];
  return [0, Math.floor(own.length / 2)].flatMap((at) => {
    const ms = own[at] ?? NaN;
    return [ms.toFixed(0), (ms / (bare[at] ?? NaN)).toFixed(2)];
  });
}

console.log(`Node ${process.versions.node}, ${rounds} rounds in turns, milliseconds and times those of a bare Node`);
console.log(`${"".padEnd(38)}${"processor time".padStart(32)}${"wall-clock time".padStart(32)}`);
console.log(`${"command".padEnd(38)}${cells([...COLUMNS, ...COLUMNS])}`);
CASES.forEach(({ name }, at) => {
  const of = runs[at] ?? [];
  const shown = [...figures(of, ({ busyMs }) => busyMs), ...figures(of, ({ wallMs }) => wallMs)];
  console.log(`${name.padEnd(38)}${cells(shown)}`);
});
