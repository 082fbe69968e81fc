/**
 * `npm run mutation -- ROOM [Stryker's own options]`. Stryker is installed beside this file when first needed, by its
 * own lock file: no other task needs its 65 MB.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rooms } from "./rooms.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const stryker = `${here}node_modules/@stryker-mutator/core/bin/stryker.js`;
const [room = "", ...options] = process.argv.slice(2);

function run(command, args, cwd) {
  const env = { ...process.env, MUTATION_ROOM: room };
  const { status } = spawnSync(command, args, { stdio: "inherit", cwd, env });
  if (status !== 0) process.exit(status ?? 1);
}

if (!Object.hasOwn(rooms, room)) {
  console.error(`Which room? One of ${Object.keys(rooms).join(", ")}.`);
  process.exit(2);
}
if (!existsSync(stryker)) run("npm", ["ci"], here);
run(process.execPath, [stryker, "run", `${here}stryker.config.mjs`, ...options], root);
