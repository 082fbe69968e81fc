/**
 * Start-up of the built commands beside a bare Node, alternately, so that all of them meet the same load: without a
 * network, on a data folder, and a read from a simulated service. `--beside "node other-client.js account"` adds
 * another client's command to the run; its environment has the service's address and keys. Run `npm run build` first.
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
  node("svc market get-ticker BTC (network)", SVC, "market", "get-ticker", "BTC", "--json"),
  ...values.beside.map((text) => ({ name: text, command: text.split(" ") })),
];

const env = {
  ...process.env,
  SVC_STATE_DIR: folder,
  SVC_API_HOST: ready["restUrl"] ?? "",
  SVC_ACCESS_KEY: ready["accessKey"] ?? "",
  SVC_SECRET_KEY: ready["secretKey"] ?? "",
};
const times = CASES.map((): number[] => []);
for (let round = 0; round < rounds; round++)
  CASES.forEach(({ command: [program = "", ...args] }, at) => {
    const began = process.hrtime.bigint();
    spawnSync(program, args, { stdio: "ignore", env });
    times[at]?.push(Number(process.hrtime.bigint() - began) / 1e6);
  });
sim.kill("SIGTERM");
rmSync(folder, { recursive: true, force: true });

const middle = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0;
const sorted = times.map((of) => of.toSorted((a, b) => a - b));
const bare = sorted[0] ?? [];
console.log(`Node ${process.versions.node}, ${rounds} rounds in turns, milliseconds of wall clock`);
console.log(
  `${"command".padEnd(42)}${"best".padStart(9)}${"median".padStart(9)}${"best x".padStart(9)}${"median x".padStart(10)}`,
);
sorted.forEach((of, at) => {
  const [best, median] = [of[0] ?? 0, middle(of)];
  const shares = [best / (bare[0] ?? 1), median / middle(bare)].map((share) => share.toFixed(2));
  console.log(
    `${(CASES[at]?.name ?? "").padEnd(42)}${best.toFixed(0).padStart(9)}${median.toFixed(0).padStart(9)}${(shares[0] ?? "").padStart(9)}${(shares[1] ?? "").padStart(10)}`,
  );
});
