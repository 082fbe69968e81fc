/** What long work prints about its progress. */
import { expect, test } from "vitest";
import { leftText, progressLine } from "../../src/main/lab/progress-line.ts";

function shownOf(isTTY: boolean, atMs: readonly number[]): string {
  let nowMs = 0;
  let written = "";
  const line = progressLine({ isTTY, write: (text) => (written += text) }, () => nowMs);
  for (const ms of atMs) {
    nowMs = ms;
    line.show(() => `at ${ms}`);
  }
  line.end("done");
  return written;
}

test("a terminal has one line that is rewritten four times a second", () => {
  expect(shownOf(true, [10, 250, 300, 600])).toBe("\r\u001b[Kat 250\r\u001b[Kat 600\r\u001b[Kdone\n");
});

test("a pipe has a line every fifteen seconds, and the last one", () => {
  expect(shownOf(false, [250, 14_999, 15_000, 20_000, 31_000])).toBe("at 15000\nat 31000\ndone\n");
});

test("the rest takes as long as the pace so far says", () => {
  expect(leftText(30_000, 0.25)).toBe("1m 30s");
});
