import { expect, test } from "vitest";
import { isStray } from "../../src/daemon/stray-failures.ts";

const stack = (...lines: readonly string[]): Error =>
  Object.assign(new Error("x"), { stack: ["Error: x", ...lines.map((line) => `    at ${line}`)].join("\n") });

test.each([
  [
    "a strategy's own",
    stack("pinger.mjs:1:108", "Object.decide (pinger.mjs:1:126)", "file:///app/src/a.js:4:11"),
    true,
  ],
  ["one after an await in a helper of a strategy", stack("node:internal/x:1:13", "async helpers/x.ts:1:253"), true],
  ["a request's that nobody knows", stack("node:internal/deps/undici/undici:14976:13"), true],
  ["a plain text", "no reason", true],
  ["what has no text", Object.create(null), true],
  ["the program's", stack("new Promise (<anonymous>)", "Loop.run (/app/my dir/loop.cjs:4:11)"), false],
  ["the program's after an await", stack("node:internal/x:1:13", "async file:///app/src/loop.js:4:11"), false],
] as const)("of a rejection that nobody awaited: %s", (_whose, cause: unknown, expected) => {
  expect(isStray(cause)).toBe(expected);
});

test("a real error of the program is its own", () => {
  expect(isStray(new Error("x"))).toBe(false);
});
