// Makes a saved strategy a new module, also in a process that has loaded it before: the address of a file in `strategies/`
// ends with a hash of its text and of the files that it imports from there. A strategy that nobody has changed stays the
// same module. Files of `own/` need none of this: the program loads them by their text.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

// Hooks live in a thread of their own, which loads this same file.
if (isMainThread) register(import.meta.url);

const FOLDER = new URL("../../strategies/", import.meta.url).href;
const IMPORTED = /\bfrom\s+"(\.\/[^"]+)"/g;

export async function resolve(wanted, context, next) {
  const found = await next(wanted, context);
  if (!found.url.startsWith(FOLDER) || found.url.includes("?")) return found;
  return { ...found, url: `${found.url}?text=${hashOf(found.url)}` };
}

function hashOf(url) {
  const text = readFileSync(new URL(url), "utf8");
  const imported = [...text.matchAll(IMPORTED)].map(([, path]) => hashOf(new URL(path, url).href));
  return createHash("sha256")
    .update([text, ...imported].join())
    .digest("hex")
    .slice(0, 16);
}
