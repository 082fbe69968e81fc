/** Checks an author's file against the program's own types, if a compiler is installed. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { PACKAGE_ROOT } from "../ops/paths.ts";

/** From sources the entry is the source itself; the compiled program carries its types. */
const doorOf = (name: string): string =>
  import.meta.url.endsWith(".ts")
    ? path.join(PACKAGE_ROOT, "src", "strategy", `${name}.ts`)
    : path.join(PACKAGE_ROOT, "dist", "src", "strategy", `${name}.d.ts`);

/** The native compiler of a checkout, which checks a file in a second; null in a production install. */
function installedCompiler(): string | null {
  try {
    const facts = createRequire(import.meta.url).resolve("typescript-7/package.json");
    return path.join(path.dirname(facts), "bin", "tsc");
  } catch {
    return null;
  }
}

/** Problems as `file:line: text`; null if no compiler is installed. Throws if the compiler fails. */
export function typeProblems(file: string): readonly string[] | null {
  const compiler = file.endsWith(".ts") && existsSync(doorOf("authors")) ? installedCompiler() : null;
  if (compiler === null) return null;
  // Links are resolved, because the compiler names files by their real path.
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "ballast-types-")));
  try {
    const source = realpathSync(file);
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(projectOf(source)));
    const compiled = spawnSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
    });
    if (compiled.error || compiled.status === null) throw new Error(`the compiler failed: ${compiled.error?.message}`);
    const problems = problemsIn(compiled.stdout, folder);
    if (compiled.status !== 0 && problems.length === 0) throw new Error(`the compiler failed: ${compiled.stderr}`);
    return problems
      .filter((problem) => problem.file === null || problem.file === source)
      .filter(({ text }) => !isLedElsewhere(text))
      .map(({ line, text }) => (line === null ? text : `${path.basename(source)}:${line}: ${text}`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const projectOf = (source: string) => ({
  compilerOptions: {
    ...{ target: "ES2023", module: "NodeNext", moduleResolution: "NodeNext" },
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] },
    paths: { "ballast/strategy": [doorOf("authors")], "ballast/testing": [doorOf("testing")] },
  },
  files: [source],
});

/** A problem of the project as a whole has neither file nor line. */
interface Problem {
  readonly file: string | null;
  readonly line: string | null;
  readonly text: string;
}

/** `path(line,column): error TS1: text`; indented lines continue the text. */
function problemsIn(output: string, folder: string): readonly Problem[] {
  const problems: Problem[] = [];
  for (const row of output.split(/\r?\n/)) {
    const found = /^(?:(.+)\((\d+),\d+\): )?error TS\d+: (.*)$/.exec(row);
    if (found) {
      const [, file, line = null, text = ""] = found;
      problems.push({ file: file === undefined ? null : path.resolve(folder, file), line, text });
    } else if (/^\s+\S/.test(row)) {
      const last = problems.pop();
      if (last) problems.push({ ...last, text: `${last.text} ${row.trim()}` });
    }
  }
  return problems;
}

/** The loader maps `../src/...` to the program's own modules; the compiler looks for it beside the file. */
const isLedElsewhere = (text: string): boolean => /Cannot find module '(?:\.\.?\/)+src\//.test(text);
