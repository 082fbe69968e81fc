/** docs/DEPENDENCIES.md against package.json, and the licence list. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { licencesOf } from "../../scripts/sbom.mjs";

const ROOT = path.join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

test("every production dependency has a line that says why it stays, and no other library has one", () => {
  type Versions = Record<string, string>;
  const { dependencies, optionalDependencies } = JSON.parse(read("package.json")) as {
    dependencies: Versions;
    optionalDependencies: Versions;
  };
  const rows = read("docs/DEPENDENCIES.md").matchAll(/^\| ([@a-z][\w@/.-]*) +\| (.{10,}?) *\| (.+?) *\|$/gm);
  const named = [...rows].map(([, library = ""]) => library).filter((library) => library !== "library");
  expect(named).toEqual(Object.keys({ ...dependencies, ...optionalDependencies }).sort());
});

test("a licence that nobody has looked at is named with its packages", () => {
  const component = (name: string, licence: object) => ({ name, version: "1.0.0", licenses: [licence] });
  const components = [
    component("good", { license: { id: "MIT" } }),
    component("both", { expression: "(MIT OR WTFPL)" }),
    component("bad", { license: { id: "AGPL-3.0" } }),
    { name: "silent", version: "2.0.0" },
  ];
  const { count, unknown } = licencesOf(JSON.stringify({ components }));
  expect(count).toBe(4);
  expect(unknown).toEqual([
    ["AGPL-3.0", ["bad 1.0.0"]],
    ["none stated", ["silent 2.0.0"]],
  ]);
});
