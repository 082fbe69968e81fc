#!/usr/bin/env node
// Starts the program of the same name beside it, from code compiled at build time: compiling takes longer than most
// commands do. With another Node than the builder's, it compiles itself. The build copies this file, see
// scripts/bundle.mjs. It imports nothing, because an import of a built-in module copies all of its names.
const { readFileSync } = process.getBuiltinModule("node:fs");
const { createRequire } = process.getBuiltinModule("node:module");
const { Script } = process.getBuiltinModule("node:vm");

const folder = import.meta.dirname;
const modules = createRequire(import.meta.filename);
const loaded = new Map();

function compiled(file) {
  try {
    return readFileSync(`${file}.code`);
  } catch {
    return undefined;
  }
}

/** Runs a script of this folder once. */
function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const file = `${folder}/${name}`;
  const script = new Script(readFileSync(file, "latin1"), { filename: file, cachedData: compiled(file) });
  const module = { exports: {} };
  loaded.set(name, module);
  script.runInThisContext()(module.exports, require, module, file, folder, importModule);
  return module.exports;
}

const isScript = (name) => name.endsWith(".cjs");
const require = Object.assign((name) => (isScript(name) ? load(name.slice(2)) : modules(name)), modules);
async function importModule(name) {
  if (!isScript(name)) return import(name);
  const exports = load(name.slice(2));
  return { default: exports, ...exports };
}

load(import.meta.filename.slice(folder.length + 1).replace(/\.js$/, ".cjs"));
