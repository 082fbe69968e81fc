// Caches the compiled code of the scripts in a folder for this Node, see scripts/launcher.cjs. Only functions that ran are
// included, so the commands that people wait for run first, in temporary folders: on the journal of a simulated quarter of
// an hour, and against a practice service.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import vm from "node:vm";

const BALLAST = [
  ["status"],
  ["status", "--json"],
  ["budget"],
  ["budget", "--json"],
  ["explain", "last"],
  ["explain", "last", "--json"],
  ["trades"],
  ["trades", "--json"],
  ["reasons"],
  ["report"],
  ["why-not"],
  ["logs"],
  ["strategy", "list"],
  ["strategy", "shadows"],
  ["lessons"],
  ["verify"],
];
const SVC = [["--help"], ["config", "list", "--json"], ["invocation", "check"], ["portfolio", "overview", "--json"]];
const RUNS = [
  ...BALLAST.map((words) => ({ program: "script-ballast.cjs", words })),
  ...SVC.map((words) => ({ program: "script-svc.cjs", words })),
];

/** For each of the three steps; a build goes on without compiled commands, and later than this never. */
const STEP_MS = 120_000;

const [given = "dist/src/main", prepared] = process.argv.slice(2);
const main = path.resolve(given);
if (prepared === undefined) process.exit(await prepare());

/** Simulates a run and serves what the commands look at, and runs them in a process of their own, which may die as it likes. */
async function prepare() {
  const folder = mkdtempSync(path.join(tmpdir(), "ballast-warm-"));
  const ballast = path.join(main, "ballast.cjs");
  const options = { stdio: "ignore", timeout: STEP_MS, killSignal: "SIGKILL" };
  const simulated = ["--fidelity", "full", "--strategies", "momentum", "--symbols", "BTC,ETH", "--for", "15m"];
  spawnSync(process.execPath, [ballast, "backtest", ...simulated, "--keep", folder], options);
  const words = [ballast, "sim", "--port", "0", "--control-port", "0", "--log-level", "error"];
  const service = spawn(process.execPath, words, { ...options, stdio: ["ignore", "pipe", "ignore"] });
  try {
    const ready = await addressesOf(service);
    const env = {
      ...process.env,
      BALLAST_DATA_DIR: path.join(folder, "momentum"),
      SVC_STATE_DIR: folder,
      SVC_API_HOST: ready.restUrl ?? "",
      SVC_ACCESS_KEY: ready.accessKey ?? "",
      SVC_SECRET_KEY: ready.secretKey ?? "",
    };
    return spawnSync(process.execPath, [process.argv[1], main, folder], { ...options, env }).status ?? 1;
  } finally {
    service.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the service prints once it listens; nothing if it ends first. */
function addressesOf(service) {
  return new Promise((resolve) => {
    service.on("exit", () => resolve({}));
    createInterface({ input: service.stdout }).on("line", (line) => {
      if (line.includes("restUrl")) resolve(JSON.parse(line));
    });
  });
}

// The programs exit after their reply; here the next one follows.
process.exit = () => undefined;

const scripts = new Map();
function scriptOf(name) {
  const known = scripts.get(name);
  if (known !== undefined) return known;
  const file = path.join(main, name);
  const script = new vm.Script(readFileSync(file, "latin1"), { filename: file });
  const made = { file, script, start: script.runInThisContext() };
  scripts.set(name, made);
  return made;
}

/** One run with modules of its own, loaded as by the launcher. */
function run(program) {
  const modules = createRequire(path.join(main, program));
  const loaded = new Map();
  const load = (name) => {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const { file, start } = scriptOf(name);
    start(module.exports, require, module, file, main, importModule);
    return module.exports;
  };
  const require = Object.assign((name) => (name.endsWith(".cjs") ? load(name.slice(2)) : modules(name)), modules);
  const importModule = async (name) => {
    if (!name.endsWith(".cjs")) return import(path.resolve(main, name));
    const exports = load(name.slice(2));
    return { default: exports, ...exports };
  };
  load(program);
}

const runs = [...RUNS];
process.on("beforeExit", () => {
  const next = runs.shift();
  if (next !== undefined) {
    process.argv = [process.execPath, path.join(main, next.program), ...next.words];
    run(next.program);
    // Keeps the process from ending early when a run waited for nothing.
    setImmediate(() => undefined);
    return;
  }
  for (const { file, script } of scripts.values()) {
    const code = script.createCachedData();
    // Twice, so that its reader sees damage.
    writeFileSync(`${file}.code`, Buffer.concat([code, code]));
  }
  process.exitCode = 0;
  process.removeAllListeners("beforeExit");
});
