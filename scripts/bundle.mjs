// Bundles the programs into a few files each: for `dist/`, for the tests, and for the kill sweep's own copy.
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { driverAsScript, driverOf, driverOptions, DRIVER_SCRIPT } from "./driver-script.mjs";
import { HELPERS, lazyModules } from "./lazy-modules.mjs";

/** `import { z }` includes the whole library with its fifty languages; a star import includes only what is used. */
const zodByParts = {
  name: "zod-by-parts",
  setup: (bundle) =>
    bundle.onLoad({ filter: /[\\/](src|strategies|scripts)[\\/].*\.ts$/ }, ({ path: file }) => ({
      contents: readFileSync(file, "utf8").replace('import { z } from "zod";', 'import * as z from "zod";'),
      loader: "ts",
    })),
};

/** The client of grammy brings URLs of its own for a Node without them; they make a newer Node print a warning. */
const urlsOfNode = {
  name: "urls-of-node",
  setup: (bundle) =>
    bundle.onLoad({ filter: /[\\/]whatwg-url[\\/]lib[\\/]public-api\.js$/ }, () => ({
      contents: "exports.URL = URL; exports.URLSearchParams = URLSearchParams;",
    })),
};

const COMMON = {
  bundle: true,
  platform: "node",
  target: "node20",
  // Piscina starts its threads from a file of its own folder.
  external: ["typescript", "piscina"],
  legalComments: "none",
  logLevel: "error",
};

/** Modules that share their common parts. */
export const BUNDLE = {
  ...COMMON,
  splitting: true,
  // Fewer bytes to read at a start; short lines, so that the stack of an error still says where.
  minifyWhitespace: true,
  lineLimit: 160,
  format: "esm",
  plugins: [zodByParts, urlsOfNode],
  // CommonJS packages look for this name.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
};

/** A script has no import.meta; its banner has this instead. */
const IMPORT_META = { "import.meta.url": "moduleUrl" };

/** A script, whose compiled code `scripts/launcher.cjs` can cache. */
const SCRIPT = {
  ...COMMON,
  format: "cjs",
  // Fewer bytes to read; names stay, for the stack of an error.
  minifyWhitespace: true,
  define: IMPORT_META,
  // The wrapper function of every such module, in the file itself, so that nothing is compiled at a start.
  banner: {
    js: '(function (exports, require, module, __filename, __dirname, importModule) { const moduleUrl = require("node:url").pathToFileURL(__filename).href;',
  },
  footer: { js: "})" },
  // import.meta.resolve is used only where a loader was given, which a bundle does not need.
  logOverride: { "empty-import-meta": "silent" },
};

const PROGRAM = { ...SCRIPT, banner: { js: `${SCRIPT.banner.js} ${HELPERS}` } };

/** Libraries with scripts of their own: a command reads and loads those that it uses. */
const LIBRARIES = {
  bottleneck: ["bottleneck"],
  mcp: ["@modelcontextprotocol/server", "@modelcontextprotocol/server/stdio"],
  pino: ["pino"],
  "pino-pretty": ["pino-pretty"],
  undici: ["undici"],
  ws: ["ws"],
  yaml: ["yaml"],
  zod: ["zod"],
};

/** How a script reads a member of zod, see scripts/lazy-modules.mjs. */
const OF_ZOD = /\bimport_zod\w*\(\)\.z\.(\w+)/g;
const ZOD_NAMES = "zod-names";

/** Zod with the members that scripts name: building all of it takes longer than most commands do. */
const zodOf = (names) => ({
  name: "zod-of-names",
  setup: (bundle) => {
    bundle.onResolve({ filter: /^zod-names$/ }, ({ path: wanted }) => ({ path: wanted, namespace: ZOD_NAMES }));
    bundle.onLoad({ filter: /.*/, namespace: ZOD_NAMES }, () => ({
      contents: `export { ${[...names].sort().join(", ")} } from "zod";`,
      resolveDir: import.meta.dirname,
    }));
  },
});

/** Leaves every library but the script's own to its own script. */
const librariesApart = (own) => ({
  name: "libraries-apart",
  setup: (bundle) =>
    bundle.onResolve({ filter: /^[^.]/ }, ({ path: wanted }) => {
      const found = Object.keys(LIBRARIES).find((name) => LIBRARIES[name].includes(wanted));
      return found === undefined || found === own ? undefined : { path: `./lib-${found}.cjs`, external: true };
    }),
});

/** Every emoji has such a character. */
export const MAY_HAVE_EMOJI = /[\u00a9\u00ae\u203c-\u3299\ufe0f\ud83c-\udbff]/;

/** What libraries load for uses that no script makes of them. */
const lean = {
  name: "lean",
  setup: (bundle) => {
    // Loaded as a whole, it would bring its fifty languages.
    bundle.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
    // All that src/net/http.ts uses of it: no fetch, cookies and WebSockets beside those of Node.
    bundle.onLoad({ filter: /[\\/]undici[\\/]index\.js$/ }, () => ({
      contents: 'exports.Agent = require("./lib/dispatcher/agent.js");',
    }));
    // Compiling its pattern of all emoji takes as long as drawing a table: only text that may have one is worth it.
    bundle.onLoad({ filter: /[\\/]string-width[\\/]index\.js$/ }, ({ path: file }) => ({
      contents: readFileSync(file, "utf8").replace(
        "string = string",
        `if (${MAY_HAVE_EMOJI}.test(string)) string = string`,
      ),
    }));
    // For subcommands that are programs of their own.
    bundle.onLoad({ filter: /[\\/]commander[\\/]lib[\\/]command\.js$/ }, ({ path: file }) => ({
      contents: readFileSync(file, "utf8")
        .replace("const childProcess = require('node:child_process');", "")
        .replaceAll("childProcess.", "require('node:child_process')."),
    }));
  },
};

/**
 * The daemon has its own bundle with its strategies: a restart reads a dozen files, and every second of it costs
 * uptime.
 */
const DAEMON = "run";
/** Programs that include a venue, a model or a messenger: modules. */
const HEAVY = [
  "config-check",
  "config-show",
  "doctor",
  "init",
  "lab/backtest",
  "lab/counterfactual",
  "lab/report",
  "lab/sweep",
  "notify",
  "record",
  "sim",
  "strategy-author",
];
/**
 * Programs that people wait for, each with a script of its own: it reads no code of another, and V8 loads the whole
 * compiled code of a script, however little of it runs.
 */
const QUICK = [
  "budget",
  "data",
  "explain",
  "journal",
  "listings",
  "logs",
  "operate",
  "prompt-diff",
  "status",
  "strategy",
  "verify",
  "why",
  "why-not",
];

/** All programs lie side by side, so that code that locates files relative to itself works in each. */
const fileOf = (program) => program.replace("/", "-");
const scriptOf = (program) => `script-${fileOf(program)}`;

const programsApart = {
  name: "programs-apart",
  setup: (bundle) =>
    bundle.onResolve({ filter: /^\.\/.*\.ts$/ }, ({ path: wanted, kind }) => {
      const program = wanted.slice(2, -3);
      if (kind !== "dynamic-import") return undefined;
      if (QUICK.includes(program)) return { path: `./${scriptOf(program)}.cjs`, external: true };
      return [DAEMON, ...HEAVY].includes(program) ? { path: `./${fileOf(program)}.js`, external: true } : undefined;
    }),
};

/** What a build leaves under names that the next may not use, and compiled code of another script. */
const STALE = /^(part|daemon)-.*\.js$|^(script|lib)-.*\.cjs$|\.code$/;

/**
 * Bundles `ballast`, `svc` and all strategies of the package at `root` into `outdir`, with the structure of `dist/`.
 */
export async function bundlePrograms(root, outdir) {
  const main = path.join(outdir, "src/main");
  mkdirSync(main, { recursive: true });
  for (const file of readdirSync(main)) if (STALE.test(file)) rmSync(path.join(main, file));
  const entry = (program) => ({ in: `src/main/${program}.ts`, out: `src/main/${fileOf(program)}` });
  const same = (file) => ({ in: `${file}.ts`, out: file });
  const strategies = readdirSync(path.join(root, "strategies")).filter((file) => file.endsWith(".ts"));
  const script = async (name, options) => {
    const made = await build({ absWorkingDir: root, outfile: `${name}.cjs`, write: false, ...options });
    const [{ text }] = made.outputFiles;
    // A script run by hand may not use import() without a warning on the screen: its launcher does it.
    writeFileSync(path.join(main, `${name}.cjs`), text.replace(/\bimport\(/g, "importModule("));
    return text;
  };
  const driver = driverOf(root);
  const program = (name, ...more) => {
    const plugins = [...more, driverAsScript(driver), librariesApart(null), lean, lazyModules(IMPORT_META)];
    return script(scriptOf(name), { ...PROGRAM, entryPoints: [`src/main/${name}.ts`], plugins });
  };
  const zod = (texts) => {
    const names = new Set(texts.flatMap((text) => [...text.matchAll(OF_ZOD)].map(([, member]) => member)));
    const stdin = { contents: `export * as z from "${ZOD_NAMES}";`, resolveDir: root };
    return script("lib-zod", { ...SCRIPT, stdin, plugins: [zodOf(names), lean] });
  };
  const library = ([name, modules]) => {
    const external = SCRIPT.external.filter((module) => !modules.includes(module));
    const contents = modules.map((module) => `export * from "${module}";`).join("");
    const entry = modules.length === 1 ? { entryPoints: modules } : { stdin: { contents, resolveDir: root } };
    return script(`lib-${name}`, { ...SCRIPT, ...entry, external, plugins: [librariesApart(name), lean] });
  };
  const modules = (entryPoints, part) =>
    build({ absWorkingDir: root, entryPoints, outdir, chunkNames: `src/main/${part}-[hash]`, ...BUNDLE });
  await Promise.all([
    Promise.all([program("svc"), program("ballast", programsApart), ...QUICK.map((name) => program(name))]).then(zod),
    ...Object.entries(LIBRARIES)
      .filter(([name]) => name !== "zod")
      .map(library),
    ...(driver === null ? [] : [script(DRIVER_SCRIPT, { ...SCRIPT, ...driverOptions(driver, SCRIPT) })]),
    modules([entry(DAEMON), ...strategies.map((file) => same(`strategies/${file.slice(0, -3)}`))], "daemon"),
    modules([...HEAVY.map(entry), same("src/lab/sweep/worker")], "part"),
  ]);
  for (const program of ["ballast", "svc"]) {
    const launcher = path.join(main, `${program}.cjs`);
    copyFileSync(path.join(root, "scripts/launcher.cjs"), launcher);
    // The path of the program in services and aliases of earlier versions.
    const earlier = path.join(main, `${program}.js`);
    writeFileSync(earlier, `#!/usr/bin/env node\nimport "./${program}.cjs";\n`);
    for (const file of [launcher, earlier]) chmodSync(file, 0o755);
  }
}
