// Cold start of the compiled commands beside a bare Node: median and best of a few runs each. Run `npm run build` first.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const RUNS = 15;
const SVC = "dist/src/main/svc.js";
const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ["node -e 0", ["-e", "0"]],
  ["svc --version", [SVC, "--version"]],
  ["svc schema --json", [SVC, "schema", "--json"]],
  ["svc --help", [SVC, "--help"]],
  ["svc config list --json", [SVC, "config", "list", "--json"]],
  ["svc invocation check --json", [SVC, "invocation", "check", "--json"]],
];

if (!existsSync(SVC)) {
  console.error("dist/ is missing: run npm run build first");
  process.exit(1);
}

function timesOf(args: readonly string[]): number[] {
  return Array.from({ length: RUNS }, () => {
    const began = process.hrtime.bigint();
    spawnSync(process.execPath, args, { stdio: "ignore", env: { ...process.env, SVC_STATE_DIR: "/tmp/svc-bench" } });
    return Number(process.hrtime.bigint() - began) / 1e6;
  }).sort((a, b) => a - b);
}

let bare = 0;
console.log(`${"command".padEnd(30)}${"best ms".padStart(9)}${"median ms".padStart(11)}${"x node".padStart(9)}`);
for (const [name, args] of COMMANDS) {
  const times = timesOf(args);
  const best = times[0] ?? 0;
  const median = times[Math.floor(RUNS / 2)] ?? 0;
  if (bare === 0) bare = median;
  console.log(
    `${name.padEnd(30)}${best.toFixed(1).padStart(9)}${median.toFixed(1).padStart(11)}${(median / bare).toFixed(2).padStart(9)}`,
  );
}
