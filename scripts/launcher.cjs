#!/usr/bin/env node
// Starts the script of the same name beside it, from code compiled at build time: compiling takes longer than most
// commands do. With another Node than the builder's, it compiles itself. The build copies this file, see
// scripts/bundle.mjs. CommonJS, because loading a first ES module takes longer than loading this one.
"use strict";
const { readFileSync } = require("node:fs");
const { Script } = require("node:vm");

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
