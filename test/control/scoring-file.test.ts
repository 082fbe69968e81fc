import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadScoring, readAhead, SCORING_FILE } from "../../src/control/scoring-file.ts";

test("what the build reads ahead is the file as it stands and what reading it says", () => {
  const { text, scoring } = JSON.parse(JSON.stringify(readAhead())) as ReturnType<typeof readAhead>;
  expect(text).toBe(readFileSync(SCORING_FILE, "utf8"));
  expect(loadScoring(SCORING_FILE)).toEqual({ ok: true, value: scoring });
});
