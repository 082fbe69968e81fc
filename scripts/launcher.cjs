#!/usr/bin/env node
// Starts the script of the same name beside it, from code compiled at build time: compiling takes longer than most
// commands do. With another Node than the builder's, it compiles itself. The build copies this file, see
// scripts/bundle.mjs. CommonJS, because loading a first ES module takes longer than loading this one.
"use strict";
const { closeSync, fstatSync, openSync, readSync } = require("node:fs");
const { Script } = require("node:vm");

/** Every file is read into the same memory: to touch memory for the first time takes longer than to read into it. */
let memory = Buffer.allocUnsafeSlow(1 << 20);
const piece = Buffer.allocUnsafeSlow(1 << 16);

/** What `use` makes of an open file and its size. */
function withFile(name, use) {
  const file = openSync(name);
  try {
    return use(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

/** The next bytes of an open file, until something else is read. */
function bytes(file, length) {
  if (memory.length < length) memory = Buffer.allocUnsafeSlow(length);
  return memory.subarray(0, readSync(file, memory, 0, length));
}

/**
 * The code stands twice in its file, and counts only if both are alike: V8 refuses code of another version or length, but
 * crashes on damaged code. Comparing takes a tenth of the time of a checksum, for which Node would load its cryptography.
 */
function compiled(file, size) {
  const code = bytes(file, size >> 1);
  for (let at = 0; at < code.length; at += piece.length) {
    const length = readSync(file, piece, 0, Math.min(piece.length, code.length - at));
    if (piece.compare(code, at, at + length, 0, length) !== 0) return undefined;
  }
  return code;
}

function compiledFor(name) {
  try {
    return withFile(`${name}.code`, compiled);
  } catch {
    return undefined;
  }
}

const sourceOf = (name) => withFile(name, (file, size) => bytes(file, size).latin1Slice());

const loaded = new Map();

/** Runs a script of this folder once. */
function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const file = `${__dirname}/${name}`;
  // In this order: the source is copied into a string, the code is not.
  const source = sourceOf(file);
  const script = new Script(source, { filename: file, cachedData: compiledFor(file) });
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
