// Makes the modules of a script load when they are first used. A command then builds the schemas, and opens the
// libraries, of what it does, and not of everything that it might do.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { transform } from "esbuild";

/** What each file would carry: esbuild's own helpers for such modules, once for all files. For a script's banner. */
export const HELPERS = `const __members = (to, from, except) => {
  for (const key of Object.getOwnPropertyNames(from))
    if (key !== except && !Object.hasOwn(to, key)) Object.defineProperty(to, key, { get: () => from[key], enumerable: true });
  return to;
};
const __export = (target, all) => {
  for (const name in all) Object.defineProperty(target, name, { get: all[name], enumerable: true });
};
const __toCommonJS = (module) => Object.defineProperty(module, "__esModule", { value: true });
const __reExport = (target, from, second) => (__members(target, from, "default"), second && __members(second, from, "default"));
const __toESM = (module) =>
  module.__esModule ? module : __members(Object.defineProperty({}, "default", { value: module, enumerable: true }), module);
`;

/** How esbuild begins a file: the helpers, up to the names that the file exports or imports. */
const PREFACE = /^(?:"use strict";\n)?(?:var __[\s\S]*?\n)(?=var (?:stdin_exports|import_\w+) =|$)/;
/** How esbuild writes an import of names; it chooses variable names that occur nowhere else in the file. */
const IMPORTED = /^var (import_\w+) = ((?:__toESM\()?require\("[^"]+"\)\)?);$/gm;

/** Replaces each import by a function that loads the module, and calls it wherever a name of the module is used. */
export function loadedWhenUsed(code) {
  const names = [];
  const loading = code.replace(PREFACE, "").replace(IMPORTED, (_, name, load) => {
    names.push(name);
    return `var ${name}_kept; var ${name} = () => ${name}_kept ??= ${load};`;
  });
  if (names.length === 0) return loading;
  const any = `\\b(${names.join("|")})`;
  // `new a().B()` would make an `a`.
  return loading
    .replace(new RegExp(`\\bnew ${any}((?:\\.\\w+)+)`, "g"), "new ($1()$2)")
    .replace(new RegExp(`${any}\\.`, "g"), "$1().");
}

const NAMESPACE = "lazy";

/** Only our own files: their modules have no effect but their exports. `define` as in the script's own options. */
export const lazyModules = (define) => ({
  name: "lazy-modules",
  setup: (bundle) => {
    // In a namespace of its own a file is what its text says, a CommonJS module, and not what package.json says.
    bundle.onResolve({ filter: /\.ts$/ }, ({ path: wanted, resolveDir }) => ({
      path: path.resolve(resolveDir, wanted),
      namespace: NAMESPACE,
    }));
    // A library is the same one for our files and for other libraries.
    bundle.onResolve({ filter: /^[^.]/, namespace: NAMESPACE }, ({ path: wanted, resolveDir, kind }) =>
      kind === "require-call" ? bundle.resolve(wanted, { resolveDir, kind: "import-statement" }) : undefined,
    );
    bundle.onLoad({ filter: /\.ts$/, namespace: NAMESPACE }, async ({ path: file }) => {
      const source = await readFile(file, "utf8");
      const { code } = await transform(source, {
        loader: "ts",
        format: "cjs",
        platform: "node",
        target: "node20",
        define,
        logOverride: { "empty-import-meta": "silent" },
      });
      return { contents: loadedWhenUsed(code), loader: "js", resolveDir: path.dirname(file) };
    });
  },
});
