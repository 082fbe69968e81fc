/** Post-mortems are counted with their interval, and nothing follows from a few. */
import { expect, test } from "vitest";
import { postMortemCounts, postMortemsText } from "../../../src/report/strategies/post-mortems.ts";
import type { JournalReader } from "../../../src/journal/reader.ts";
import { wholeRows } from "../../support/rows.ts";

const readerOf = (replies: readonly string[], purpose = "post-mortem") =>
  ({
    rows: () =>
      wholeRows(
        replies.map((replyText, at) => ({
          ...{ kind: "question", atMs: at },
          body: { prompt: "p", fingerprint: "f", purpose, outcome: { kind: "answered", replyText } },
        })),
      ),
  }) as unknown as JournalReader;
const reply = (cause: string, again = false) => JSON.stringify({ why: "W.", cause, again, echo: "e" });

test("causes are counted with their share and its interval, the most frequent first", () => {
  const fenced = `Here it is:\n\`\`\`json\n${reply("costs")}\n\`\`\``;
  const counts = postMortemCounts(readerOf([reply("costs", true), reply("noise"), fenced, "no JSON", reply("magic")]));
  expect(counts).toMatchObject([
    { cause: "costs", count: 2, share: 2 / 3, again: 1 },
    { cause: "noise", count: 1, again: 0 },
  ]);
  expect(counts[0]?.low).toBeCloseTo(0.208, 3);
  expect(postMortemsText(counts)).toContain("3 closes are too few to conclude anything");
});

test("without post-mortems nothing is said; other questions do not count", () => {
  expect(postMortemsText(postMortemCounts(readerOf([reply("costs")], "debate")))).toBe("");
  const many = Array.from({ length: 10 }, () => reply("stop-too-near"));
  expect(postMortemsText(postMortemCounts(readerOf(many)))).not.toContain("too few");
});
