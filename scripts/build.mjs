// Compiles the program into dist/. A production install has no compiler and needs none: it carries dist/ already.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

let compiler;
try {
  compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
} catch {
  if (existsSync("dist/src/main/ballast.js")) process.exit(0);
  console.error("The TypeScript compiler is not installed and dist/ is empty. Run: npm ci");
  process.exit(1);
}
const built = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], { stdio: "inherit" });
if (built.status !== 0) process.exit(built.status ?? 1);
for (const bin of ["dist/src/main/ballast.js", "dist/src/main/svc.js"]) {
  if (existsSync(bin)) chmodSync(bin, 0o755);
}
// The capability listing lies ready, so that `svc schema --json` answers without loading the client.
const { CAPABILITIES } = await import("../dist/src/faces/capabilities/all.js");
const { commandListing } = await import("../dist/src/faces/capabilities/listing.js");
writeFileSync("dist/svc-schema.json", JSON.stringify(commandListing(CAPABILITIES)));
