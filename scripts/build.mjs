// Compiles the program into dist/. A production install has no compiler and needs none: it contains dist/.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

// TypeScript 7 is five times as fast; the import table, and strategies in TypeScript on Node 20, still need the interface of 6.
const compiler = path.resolve("node_modules/typescript-7/bin/tsc");
if (!existsSync(compiler)) {
  if (existsSync("dist/src/main/ballast.cjs")) process.exit(0);
  console.error("The TypeScript compiler is not installed and dist/ is empty. Run: npm ci");
  process.exit(1);
}
// Other options go to the compiler: `npm run build -- --noCheck` where types are checked separately.
const flags = ["-p", "tsconfig.build.json", ...process.argv.slice(2)];
const built = spawnSync(process.execPath, [compiler, ...flags], { stdio: "inherit" });
if (built.status !== 0) process.exit(built.status ?? 1);
// Type declarations of the entries for authors outside this tree: a few files, beside the code.
const typed = spawnSync(process.execPath, [compiler, "-p", "tsconfig.types.json"], { stdio: "inherit" });
if (typed.status !== 0) process.exit(typed.status ?? 1);
// Each program as a few files instead of a thousand: it starts in a fraction of the time, and every second of a restart
// costs uptime. Everything else stays in place, for external strategies that import it by name.
const { bundlePrograms } = await import("./bundle.mjs");
await bundlePrograms(process.cwd(), "dist");
const warmed = spawnSync(process.execPath, ["scripts/warm.mjs", "dist/src/main"], { stdio: "ignore" });
if (warmed.status !== 0) console.error("The commands start slower: they could not be compiled ahead");
const { buildWeb } = await import("./web.mjs");
await buildWeb("dist/web");
// Help and the capability listing are written ahead, so that `svc` prints them without loading the client.
const { CAPABILITIES } = await import("../dist/src/faces/capabilities/all.js");
const { commandListing } = await import("../dist/src/faces/capabilities/listing.js");
const { generalHelp } = await import("../dist/src/faces/svc/help.js");
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
// An earlier one must not be read here.
rmSync("dist/scoring.json", { force: true });
const { READ_AHEAD_FILE, readAhead } = await import("../dist/src/control/scoring-file.js");
writeFileSync(READ_AHEAD_FILE, JSON.stringify(readAhead()));
writeFileSync("dist/svc-schema.json", JSON.stringify(commandListing(CAPABILITIES)));
writeFileSync("dist/svc-help.txt", generalHelp(version));
