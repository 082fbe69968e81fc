/**
 * Loads a strategy file from outside the program: TypeScript or JavaScript, beside the program's own or mounted into
 * the container. Types are stripped and imports resolve to the program's own modules, so one file needs no build. It
 * may import `ballast/strategy`, `zod`, `trading-signals`, the rooms that shipped strategies may import, and files
 * beside it. This is no sandbox: the file is the operator's own code. Faults O7, A8.
 */
import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, extname, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { sha256 } from "../core/hash.ts";
import { err, ok, type Result } from "../core/result.ts";
import { withoutLater } from "./at-once.ts";
import { installedCompiler } from "./compiler.ts";
import { keepLines } from "./keep-lines.ts";

const FILE_BYTES_MAX = 256 * 1024;
const FILES_MAX = 20;
const NO_MAP = '{"mappings":""}';
/** The package's entries, wherever the file is and whether or not the package is installed there. */
const DOORS: Readonly<Record<string, string>> = { "ballast/strategy": "authors", "ballast/testing": "testing" };
const LIBRARIES: ReadonlySet<string> = new Set(["zod", "trading-signals"]);
/** Rooms that a strategy may import, as in the architecture's table. */
const ROOMS: readonly string[] = ["core", "domain", "context", "strategy"];
const OWN_EXTENSION = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
const OWN_SOURCES = fileURLToPath(new URL("../", import.meta.url));
/** `import ... from "x"`, `export ... from "x"`, `import "x"` at the start of a line. */
const IMPORT = /^(\s*(?:import\s*|(?:import|export)\b[^"';=]*?\bfrom\s*))(["'])([^"'\n]+)\2/gm;

interface Loading {
  readonly root: string;
  readonly strip: (text: string) => string;
  /** Files being read, to detect import cycles. */
  readonly open: readonly string[];
  count: number;
}

/** `code` is equal only for the same text of the file and of all files beside it that it imports. */
export interface ForeignModule {
  readonly exports: unknown;
  readonly code: string;
}

/** The error names the file and the problem; nothing runs before every file is checked. */
export async function importForeign(path: string, root: string): Promise<Result<ForeignModule, string>> {
  try {
    const loading: Loading = { root: realpathSync(root), strip: await stripper(), open: [], count: 0 };
    const address = addressOf(path, loading);
    return ok({ exports: (await import(address)) as unknown, code: sha256(address) });
  } catch (error) {
    return err((error instanceof Error ? error.message : String(error)).slice(0, 300));
  }
}

/** A data URL with the file's text: a changed file is a new module, regardless of earlier loads. */
function addressOf(path: string, loading: Loading): string {
  const real = realpathSync(path);
  const name = relative(loading.root, real);
  if (!real.startsWith(loading.root + sep)) throw new Error(`${path} is outside the folder of strategies`);
  const facts = lstatSync(real);
  if (!facts.isFile()) throw new Error(`${name} is not a regular file`);
  if (facts.size > FILE_BYTES_MAX) throw new Error(`${name} is larger than ${FILE_BYTES_MAX} bytes`);
  if (loading.open.includes(real)) throw new Error(`${name} imports itself in a cycle`);
  if (++loading.count > FILES_MAX) throw new Error(`more than ${FILES_MAX} files`);
  const text = readFileSync(real, "utf8");
  const code = extname(real) === ".ts" ? loading.strip(text) : text;
  const inner = { ...loading, open: [...loading.open, real] };
  const led = code.replace(IMPORT, (_whole, before: string, quote: string, wanted: string) => {
    const address = resolveImport(wanted, real, inner);
    return `${before}${quote}${address}${quote}`;
  });
  loading.count = inner.count;
  return `data:text/javascript;charset=utf-8,${encodeURIComponent(`${led}\n${withoutLater(led)}\n//# sourceURL=${name}`)}`;
}

/** Resolves an import of a strategy file. Throws if it is not allowed. */
function resolveImport(wanted: string, from: string, loading: Loading): string {
  if (LIBRARIES.has(wanted)) return import.meta.resolve(wanted);
  const door = DOORS[wanted];
  if (door !== undefined) return pathToFileURL(resolve(OWN_SOURCES, `strategy/${door}${OWN_EXTENSION}`)).href;
  const name = relative(loading.root, from);
  const own = /^(?:\.\.?\/)+src\/((\w+)\/[\w/-]+)\.(?:ts|js)$/.exec(wanted);
  if (own) {
    if (!ROOMS.includes(own[2] ?? ""))
      throw new Error(`${name} imports ${wanted}: a strategy must not import that folder`);
    return pathToFileURL(resolve(OWN_SOURCES, `${own[1] ?? ""}${OWN_EXTENSION}`)).href;
  }
  if (wanted.startsWith("./")) return addressOf(resolve(dirname(from), wanted), loading);
  throw new Error(
    `${name} imports ${JSON.stringify(wanted)}; a strategy imports ballast/strategy, ${[...LIBRARIES].join(", ")}, ../src/{${ROOMS.join(",")}}/ and ./ files`,
  );
}

/** Node's own stripper if available (from 22.13), otherwise the compiler of a checkout. */
async function stripper(): Promise<(text: string) => string> {
  const node = (await import("node:module")) as { stripTypeScriptTypes?: (text: string) => string };
  const { stripTypeScriptTypes: strip } = node;
  if (strip) return (text) => lineNamed(() => strip(text));
  const ts = installedCompiler();
  if (!ts) return needsCompiler;
  const compilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    sourceMap: true,
  };
  return (text) => {
    const { outputText, sourceMapText, diagnostics } = ts.transpileModule(text, {
      compilerOptions,
      reportDiagnostics: true,
    });
    const [first] = diagnostics ?? [];
    if (first) {
      const line = text.slice(0, first.start ?? 0).split("\n").length;
      throw new SyntaxError(`line ${line}: ${ts.flattenDiagnosticMessageText(first.messageText, " ")}`);
    }
    return keepLines(outputText.replace(/\n\/\/# sourceMappingURL=.*\s*$/, ""), sourceMapText ?? NO_MAP);
  };
}

/** Node says where the syntax is wrong in the first line of the stack alone: `FILE:LINE`, without a file here. */
function lineNamed(strip: () => string): string {
  try {
    return strip();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const line = /^:(\d+)\n/.exec(error.stack ?? "")?.[1];
    throw line === undefined ? error : new SyntaxError(`line ${line}: ${error.message}`, { cause: error });
  }
}

/** JavaScript files need no compiler. */
function needsCompiler(): never {
  throw new Error(
    `TypeScript files need Node 22.13 or newer here (this is ${process.version}), or the compiler (npm ci); or write it as .mjs`,
  );
}
