/** Tricky but legal histories: the verifier must be silent about every one of them. */
import { expect, test } from "vitest";
import { honestRun } from "./base.ts";
import { findingsOf, history } from "./story.ts";

test("an honest run", () => {
  expect([...findingsOf(history(honestRun().story))]).toEqual([]);
});
