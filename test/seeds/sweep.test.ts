/** The kill sweep in small: two stories of five die, each at one boundary. All of them at each of theirs: `npm run kill-sweep`. */
import { describe, expect, test } from "vitest";
import { isLong } from "../support/lengths.ts";
import { runPlan } from "./run.ts";
import { dying, stories } from "./sweep.ts";

const inTurn = stories().map((story, at) => [story.name, story, at] as const);

describe("a process that dies at a boundary of its journal", () => {
  test.each(inTurn.filter(([, , at]) => isLong || [0, 2].includes(at % 5)))(
    "%s",
    { timeout: 60_000 },
    async (_name, story, at) => {
      // The shortest first life has more rows than this.
      const append = at % 2 === 0 ? 9 + at : 12 + at;
      const when = at % 4 < 2 ? "before" : "after";
      const again = at % 3 === 0 ? { append: 3 + (at % 9), when: "after" as const } : null;
      const { name, plan } = dying(story, { append, when }, again);
      const { violations, deaths } = await runPlan(plan);
      expect(violations, name).toEqual([]);
      expect(deaths, name).toBeGreaterThan(0);
    },
  );
});
