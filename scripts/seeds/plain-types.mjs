// Loads TypeScript in a worker of seeds: types are removed and nothing is added. The loader of the other scripts wraps
// each function to keep its name, which costs a tenth of a campaign.
import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";
import { transform } from "esbuild";

// Hooks live in a thread of their own, which loads this same file.
if (isMainThread) register(import.meta.url);

export async function load(url, context, next) {
  if (!url.startsWith("file:")) return next(url, context);
  const file = new URL(url);
  if (!file.pathname.endsWith(".ts")) return next(url, context);
  const source = await readFile(file, "utf8");
  const { code } = await transform(source, {
    loader: "ts",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    sourcefile: url,
  });
  return { format: "module", source: code, shortCircuit: true };
}
