/** The language that the chart libraries are given, which is the browser's where `Intl` knows it. */
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

/** Not in the import itself: only pages are checked with the types of a browser. */
const FILE = "../../src/web/parts/language.ts";

test.each([
  ["en-US@posix", "en-US"],
  ["", "en-US"],
  ["de-CH", "de-CH"],
])("a browser that says %j formats as %j", async (said, language) => {
  vi.resetModules();
  const navigator = { language: said };
  vi.stubGlobal("navigator", navigator);
  await import(FILE);
  expect(navigator.language).toBe(language);
});
