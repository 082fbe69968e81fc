/**
 * `npm run mutation:seeds -- ROOM [--count 100] [--from 1]`: mutants that no unit test of a room noticed, each judged by
 * seeds instead. Reads the report of the room's last run, works in a copy of the tree, and lists what survives that too.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rooms } from "./rooms.mjs";

const USAGE = "npm run mutation:seeds -- ROOM [--count 100] [--from 1]   (after npm run mutation -- ROOM)";
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string", default: "100" }, from: { type: "string", default: "1" } },
});
const [room = ""] = positionals;
const root = fileURLToPath(new URL("../..", import.meta.url));
const report = `${root}coverage/mutation/${room}/report.json`;
const copy = `${root}coverage/mutation/seeds`;
const COPIED = ["src", "test", "scripts", "strategies", "config", "prompts", "package.json", "tsconfig.json"];

/** Each mutant that no unit test noticed, with the text of its file. */
function survivors() {
  const { files } = JSON.parse(readFileSync(report, "utf8"));
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => status === "Survived" || status === "NoCoverage")
      .map((mutant) => ({ file, source, ...mutant })),
  );
}

/** The offset of a place, whose line and column begin with 1. */
function offsetOf(source, { line, column }) {
  const before = source.split("\n").slice(0, line - 1);
  return before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
}

function changed({ source, location, replacement }) {
  const [from, to] = [offsetOf(source, location.start), offsetOf(source, location.end)];
  return { text: source.slice(0, from) + replacement + source.slice(to), was: source.slice(from, to) };
}

function makeCopy() {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  const isSource = (path) => !path.includes("/node_modules") && !path.includes("/coverage");
  for (const name of COPIED) cpSync(`${root}${name}`, `${copy}/${name}`, { recursive: true, filter: isSource });
  symlinkSync(`${root}node_modules`, `${copy}/node_modules`);
}

/** True if some seed fails. */
function noticed() {
  const command = ["--import", "tsx", "scripts/seeds.ts", "--count", values.count, "--from", values.from];
  return spawnSync(process.execPath, command, { cwd: copy, stdio: "ignore" }).status !== 0;
}

if (!Object.hasOwn(rooms, room) || !existsSync(report)) {
  console.error(`${USAGE}\nThere is no report of "${room}": run npm run mutation -- ROOM first.`);
  process.exit(2);
}
makeCopy();
if (noticed()) {
  console.error("Seeds fail on the unchanged tree: nothing can be judged.");
  process.exit(2);
}
const all = survivors();
let left = 0;
for (const [at, mutant] of all.entries()) {
  const { file, source, location, replacement } = mutant;
  const { text, was } = changed(mutant);
  writeFileSync(`${copy}/${file}`, text);
  const found = noticed();
  writeFileSync(`${copy}/${file}`, source);
  if (!found) left += 1;
  const place = `${file}:${location.start.line}`;
  console.log(`${at + 1}/${all.length} ${found ? "noticed " : "survived"} ${place}: ${was} -> ${replacement}`);
}
console.log(
  `${all.length - left} of ${all.length} noticed by ${values.count} seeds from ${values.from}, ${left} survive.`,
);
