import { expect, test } from "vitest";
import ts from "typescript";
import { keepLines } from "../../src/strategy/keep-lines.ts";

const SOURCE = `import { x } from "./x.ts";

interface Gone {
  readonly a: number;
}

// a comment
export const f = (value: number): string => {
  if (value > 1) return "large"; // why
  type Local = { readonly b: Gone };
  const kept = {
    a: value,
  } satisfies Record<string, number>;
  throw new Error(x + kept.a);
};
`;

test("lines of what is kept are those of the source", () => {
  const compilerOptions = { target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true, sourceMap: true };
  const { outputText, sourceMapText = "" } = ts.transpileModule(SOURCE, { compilerOptions });
  const lines = keepLines(outputText, sourceMapText).split("\n");
  const source = SOURCE.split("\n");
  for (const word of ["import {", "export const", "if (value", '"large"', "const kept", "a: value", "throw new"])
    expect(
      lines.findIndex((line) => line.includes(word)),
      word,
    ).toBe(source.findIndex((line) => line.includes(word)));
});
