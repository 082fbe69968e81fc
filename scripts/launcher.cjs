#!/usr/bin/env node
// Starts the script of the same name beside it, from code compiled at build time: compiling takes longer than most
// commands do. With another Node than the builder's, it compiles itself. The build copies this file, see
// scripts/bundle.mjs. CommonJS, because loading a first ES module takes longer than loading this one.
"use strict";
const { readFileSync } = require("node:fs");
const { Script } = require("node:vm");

const loaded = new Map();

/**
 * The code stands twice in its file, and counts only if both are alike: V8 refuses code of another version or length, but
 * crashes on damaged code. Comparing takes a tenth of the time of a checksum, for which Node would load its cryptography.
 */
function compiled(file) {
  try {
    const both = readFileSync(`${file}.code`);
    const code = both.subarray(0, both.length >> 1);
    return code.equals(both.subarray(code.length)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Runs a script of this folder once. */
function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const file = `${__dirname}/${name}`;
  const script = new Script(readFileSync(file, "latin1"), { filename: file, cachedData: compiled(file) });
  const module = { exports: {} };
  loaded.set(name, module);
  script.runInThisContext()(module.exports, requireAny, module, file, __dirname, importAny);
  return module.exports;
}

const isScript = (name) => name.endsWith(".cjs");
const requireAny = Object.assign((name) => (isScript(name) ? load(name.slice(2)) : require(name)), require);
async function importAny(name) {
  if (!isScript(name)) return import(name);
  const exports = load(name.slice(2));
  return { default: exports, ...exports };
}

load(`script-${__filename.slice(__dirname.length + 1)}`);
