import { expect, test } from "vitest";
import { ruleText } from "../../src/core/issues.ts";
import { counted, trueMinus } from "../../src/core/words.ts";

test("a noun agrees with its count, also one whose plural takes more than an s", () => {
  expect([0, 1, 2].map((count) => counted(count, "order"))).toEqual(["0 orders", "1 order", "2 orders"]);
  expect([1, 2].map((count) => counted(count, "row is", "rows are"))).toEqual(["1 row is", "2 rows are"]);
});

test.each([
  ["-12.50", "\u221212.50"],
  ["-0.38 % (-3.76 USDT), from 1000.00 to 996.24", "\u22120.38 % (\u22123.76 USDT), from 1000.00 to 996.24"],
  ["-10.99 \u00b1 11.4; days 11-24 -0.38 %", "\u221210.99 \u00b1 11.4; days 11-24 \u22120.38 %"],
])("a figure below zero in %j has a true minus sign", (text, shown) => {
  expect(trueMinus(text)).toBe(shown);
});

test.each(["2026-01-31", "i-lostrun-1", "1-5", "--for 4d", "1e-8", "entryScore=-1", "pages/2026-01/-7.json", "- a"])(
  "the hyphen in %j stays",
  (text) => {
    expect(trueMinus(text)).toBe(text);
  },
);

test("zero has no sign, however it was rounded", () => {
  expect(trueMinus("-0.00 % and -0")).toBe("0.00 % and 0");
});

test.each([
  ["Too big: expected number to be <=1", "must be at most 1"],
  ["Too small: expected number to be >0", "must be more than 0"],
  ["Too small: expected string to have >=1 characters", "must have at least 1 character"],
  ["Too big: expected array to have <=2 items", "must have at most 2 items"],
  ["Invalid input: expected int, received number", "Invalid input: expected int, received number"],
])("the bound %j is said as %j", (message, said) => {
  expect(ruleText(message)).toBe(said);
});
