/** Checks an author's file against the program's own types, if a compiler is installed. */
import { existsSync } from "node:fs";
import path from "node:path";
import type Compiler from "typescript";
import { PACKAGE_ROOT } from "../ops/paths.ts";
import { installedCompiler } from "../strategy/compiler.ts";

/** From sources the entry is the source itself; the compiled program carries its types. */
const doorOf = (name: string): string =>
  import.meta.url.endsWith(".ts")
    ? path.join(PACKAGE_ROOT, "src", "strategy", `${name}.ts`)
    : path.join(PACKAGE_ROOT, "dist", "src", "strategy", `${name}.d.ts`);

/** Problems as `file:line: text`; null if no compiler is installed. */
export function typeProblems(file: string): readonly string[] | null {
  const ts = file.endsWith(".ts") && existsSync(doorOf("authors")) ? installedCompiler() : null;
  if (!ts) return null;
  const options: Compiler.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] },
    paths: { "ballast/strategy": [doorOf("authors")], "ballast/testing": [doorOf("testing")] },
  };
  const program = ts.createProgram([file], options);
  const source = program.getSourceFile(file);
  if (!source) return [`${file} cannot be read`];
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  return found.filter((each) => !isLedElsewhere(ts, each)).map((each) => problemText(ts, source, each));
}

/** The loader maps `../src/...` to the program's own modules; the compiler looks for it beside the file. */
const isLedElsewhere = (ts: typeof Compiler, { messageText }: Compiler.Diagnostic): boolean =>
  /Cannot find module '(?:\.\.?\/)+src\//.test(ts.flattenDiagnosticMessageText(messageText, " "));

function problemText(
  ts: typeof Compiler,
  source: Compiler.SourceFile,
  { start, messageText }: Compiler.Diagnostic,
): string {
  const { line } = source.getLineAndCharacterOfPosition(start ?? 0);
  return `${path.basename(source.fileName)}:${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
}
