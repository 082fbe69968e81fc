// Removes from an installed node_modules what no program needs at run time: build objects, maps, tests, pages. node
// scripts/image/slim.mjs node_modules
import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

/** Only beside a package.json: deeper folders of these names may contain code. */
const FOLDERS = new Set(["test", "tests", "__tests__", "docs", "example", "examples", "benchmark", "benchmarks"]);
const FILES = /(\.map|\.tsbuildinfo|^(readme|changelog|history|contributing|security)[^/]*\.(md|markdown))$/i;
/** The driver brings compiled code for every system, and the sources of it all: a few of thirty megabytes are needed. */
const DRIVER = "better-sqlite3";

const root = process.argv[2];
if (root === undefined || !existsSync(root)) {
  process.stderr.write("usage: node scripts/image/slim.mjs NODE_MODULES\n");
  process.exit(2);
}
let removed = 0;
const remove = (target) => {
  rmSync(target, { recursive: true, force: true });
  removed += 1;
};

function slim(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const isPackage = entries.some(({ name }) => name === "package.json");
  for (const entry of entries) {
    const target = path.join(folder, entry.name);
    if (entry.isSymbolicLink()) continue;
    if (entry.isFile() ? FILES.test(entry.name) : isPackage && FOLDERS.has(entry.name)) remove(target);
    else if (entry.isDirectory()) slim(target);
  }
}

function slimDriver() {
  const folder = path.join(root, DRIVER);
  if (!existsSync(folder)) return;
  for (const name of ["deps", "src", "binding.gyp"]) remove(path.join(folder, name));
  const compiled = path.join(folder, "prebuilds");
  const fits = new RegExp(`^${process.platform}(musl)?-${process.arch}\\.node$`);
  for (const name of readdirSync(compiled)) if (!fits.test(name)) remove(path.join(compiled, name));
}

slimDriver();
slim(root);
process.stdout.write(`${removed} files and folders removed from ${root}\n`);
