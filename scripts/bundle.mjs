// Bundles the programs into a few files each: for `dist/`, for the tests, and for the kill sweep's own copy.
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

/** `import { z }` includes the whole library with its fifty languages; a star import includes only what is used. */
const zodByParts = {
  name: "zod-by-parts",
  setup: (bundle) =>
    bundle.onLoad({ filter: /[\\/](src|strategies|scripts)[\\/].*\.ts$/ }, ({ path: file }) => ({
      contents: readFileSync(file, "utf8").replace('import { z } from "zod";', 'import * as z from "zod";'),
      loader: "ts",
    })),
};

const COMMON = {
  bundle: true,
  platform: "node",
  target: "node20",
  // Piscina starts its threads from a file of its own folder.
  external: ["better-sqlite3", "typescript", "piscina"],
  legalComments: "none",
  logLevel: "error",
};

/** Modules that share their common parts. */
export const BUNDLE = {
  ...COMMON,
  splitting: true,
  format: "esm",
  plugins: [zodByParts],
  // CommonJS packages look for this name.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
};

/** One script, whose compiled code `scripts/launcher.mjs` can cache. */
const SCRIPT = {
  ...COMMON,
  format: "cjs",
  define: { "import.meta.url": "moduleUrl" },
  // The wrapper function of every such module, in the file itself, so that nothing is compiled at a start.
  banner: {
    js: '(function (exports, require, module, __filename, __dirname, importModule) { const moduleUrl = require("node:url").pathToFileURL(__filename).href;',
  },
  footer: { js: "})" },
  // import.meta.resolve is used only where a loader was given, which a bundle does not need.
  logOverride: { "empty-import-meta": "silent" },
};

/**
 * The daemon has its own bundle with its strategies: a restart reads a dozen files, and every second of it costs
 * uptime.
 */
const DAEMON = "run";
/** Programs that include a venue, a model or a messenger. All others are in the script of `ballast` itself. */
const HEAVY = [
  "config-check",
  "config-show",
  "doctor",
  "init",
  "lab/backtest",
  "lab/report",
  "lab/sweep",
  "notify",
  "record",
  "sim",
  "strategy-author",
];

/** All programs lie side by side, so that code that locates files relative to itself works in each. */
const fileOf = (program) => program.replace("/", "-");

const programsApart = {
  name: "programs-apart",
  setup: (bundle) =>
    bundle.onResolve({ filter: /^\.\/.*\.ts$/ }, ({ path: wanted, kind }) => {
      const program = wanted.slice(2, -3);
      if (kind !== "dynamic-import" || ![DAEMON, ...HEAVY].includes(program)) return undefined;
      return { path: `./${fileOf(program)}.js`, external: true };
    }),
};

const PART = /^(part|daemon)-.*\.js$/;

/**
 * Bundles `ballast`, `svc` and all strategies of the package at `root` into `outdir`, with the structure of `dist/`.
 */
export async function bundlePrograms(root, outdir) {
  const main = path.join(outdir, "src/main");
  mkdirSync(main, { recursive: true });
  for (const file of readdirSync(main)) if (PART.test(file)) rmSync(path.join(main, file));
  const entry = (program) => ({ in: `src/main/${program}.ts`, out: `src/main/${fileOf(program)}` });
  const same = (file) => ({ in: `${file}.ts`, out: file });
  const strategies = readdirSync(path.join(root, "strategies")).filter((file) => file.endsWith(".ts"));
  const script = async (program, plugins) => {
    const [{ text }] = (
      await build({
        absWorkingDir: root,
        entryPoints: [`src/main/${program}.ts`],
        outfile: `${program}.cjs`,
        write: false,
        ...SCRIPT,
        plugins,
      })
    ).outputFiles;
    // A script run by hand may not use import() without a warning on the screen: its launcher does it.
    writeFileSync(path.join(main, `${program}.cjs`), text.replace(/\bimport\(/g, "importModule("));
  };
  const modules = (entryPoints, part) =>
    build({ absWorkingDir: root, entryPoints, outdir, chunkNames: `src/main/${part}-[hash]`, ...BUNDLE });
  await Promise.all([
    script("svc", [zodByParts]),
    script("ballast", [programsApart, zodByParts]),
    modules([entry(DAEMON), ...strategies.map((file) => same(`strategies/${file.slice(0, -3)}`))], "daemon"),
    modules([...HEAVY.map(entry), same("src/lab/sweep/worker")], "part"),
  ]);
  for (const program of ["ballast", "svc"]) {
    const launcher = path.join(main, `${program}.js`);
    copyFileSync(path.join(root, "scripts/launcher.mjs"), launcher);
    chmodSync(launcher, 0o755);
  }
}
