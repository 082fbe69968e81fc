#!/usr/bin/env node
// Starts the program of the same name beside it, from code compiled at build time: compiling takes longer than most
// commands do. With another Node than the builder's, it compiles itself. The build copies this file, see
// scripts/bundle.mjs.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

const file = fileURLToPath(import.meta.url).replace(/\.js$/, ".cjs");

function compiled() {
  try {
    return readFileSync(`${file}.code`);
  } catch {
    return undefined;
  }
}

const script = new vm.Script(readFileSync(file, "latin1"), { filename: file, cachedData: compiled() });
const module = { exports: {} };
script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file), (name) => import(name));
