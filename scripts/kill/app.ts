/**
 * The program as a few files in their own folder, built once per sweep: starting it takes a third of the time that
 * sources need. The folder has the structure of an installed program, so that strategies and prompts are found as
 * usual.
 */
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { PACKAGE_ROOT } from "../../src/ops/paths.ts";
import { BUNDLE } from "../bundle.mjs";

/** Returns the file to start. */
export async function buildApp(folder: string): Promise<string> {
  const at = (...parts: readonly string[]): string => path.join(PACKAGE_ROOT, ...parts);
  mkdirSync(folder, { recursive: true });
  cpSync(at("package.json"), path.join(folder, "package.json"));
  cpSync(at("prompts"), path.join(folder, "prompts"), { recursive: true });
  cpSync(at("config", "scoring"), path.join(folder, "config", "scoring"), { recursive: true });
  symlinkSync(at("node_modules"), path.join(folder, "node_modules"));
  await build({
    entryPoints: [
      { in: at("scripts/kill/child.ts"), out: "src/main/child" },
      { in: at("strategies/hold.ts"), out: "strategies/hold" },
      { in: at("scripts/kill/scripted.ts"), out: "strategies/scripted" },
      { in: at("scripts/kill/scripted-model.ts"), out: "strategies/scripted-model" },
    ],
    outdir: path.join(folder, "dist"),
    chunkNames: "src/main/[name]-[hash]",
    ...BUNDLE,
    // Less to read at every start; names stay, because errors are recognised by them.
    minifyWhitespace: true,
    minifySyntax: true,
  });
  return path.join(folder, "dist/src/main/child.js");
}
