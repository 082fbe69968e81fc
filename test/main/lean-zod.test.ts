/** What the build changes in zod is found by its text, which a new version may write otherwise. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { CHANGES } from "../../scripts/lean-zod.mjs";

const ZOD = path.dirname(createRequire(import.meta.url).resolve("zod/v4"));

test.each(Object.entries(CHANGES))("%s of the installed zod has the place that is changed", (file, change) => {
  const text = readFileSync(path.join(ZOD, `${file}.js`), "utf8");
  expect(change(text)).not.toBe(text);
});
