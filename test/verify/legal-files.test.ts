/** Legal histories stand in one file a subject. A file that goes missing would take its share of them along unnoticed. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const SUBJECTS = [
  "consent-and-floor",
  "doubles-and-others",
  "order-ends",
  "orders",
  "protection-and-money",
  "records",
  "restarts",
];
const here = new URL("./", import.meta.url);

test("every subject of legal histories has its file, with 90 or more histories in all", () => {
  const files = readdirSync(here).filter((name) => /^legal-.*\.test\.ts$/.test(name) && name !== "legal-files.test.ts");
  expect(files.sort()).toEqual(SUBJECTS.map((subject) => `legal-${subject}.test.ts`));
  const histories = files.flatMap((name) => readFileSync(new URL(name, here), "utf8").match(/^  legal\("/gm) ?? []);
  expect(histories.length).toBeGreaterThanOrEqual(90);
});
