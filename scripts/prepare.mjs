// What `npm ci` and the first `npx ballast` of a checkout run: a build, unless dist/ is newer than all that it is made of. Without
// that, `npx ballast status` would replace the files of a running agent.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

const SOURCES = ["src", "strategies", "scripts", "config", "package.json", "package-lock.json"];
/** The last file that a build writes. */
const LAST_BUILT = "dist/svc-help.txt";

const changedMs = (file) => statSync(file).mtimeMs;

function newestMs(at) {
  if (!statSync(at).isDirectory()) return changedMs(at);
  return Math.max(...readdirSync(at, { recursive: true }).map((name) => changedMs(path.join(at, name))), changedMs(at));
}

const settings = readdirSync(".").filter((name) => /^tsconfig.*\.json$/.test(name));
const isCurrent =
  existsSync(LAST_BUILT) &&
  [...SOURCES, ...settings].filter((at) => existsSync(at)).every((at) => newestMs(at) < changedMs(LAST_BUILT));
if (!isCurrent) process.exit(spawnSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" }).status ?? 1);
