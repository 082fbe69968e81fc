/** The kill sweep in small: each story dies at one boundary. All of them: `npm run kill-sweep`. */
import { describe, expect, test } from "vitest";
import { runPlan } from "./run.ts";
import { dying, stories } from "./sweep.ts";

describe("a process that dies at a boundary of its journal", () => {
  test.each(stories().map((story, at) => [story.name, story, at] as const))(
    "%s",
    { timeout: 60_000 },
    async (_name, story, at) => {
      // The shortest first life has more rows than this.
      const append = at % 2 === 0 ? 9 + at : 38 + at;
      const when = at % 4 < 2 ? "before" : "after";
      const again = at % 3 === 0 ? { append: 3 + (at % 9), when: "after" as const } : null;
      const { name, plan } = dying(story, { append, when }, again);
      const { violations, deaths } = await runPlan(plan);
      expect(violations, name).toEqual([]);
      expect(deaths, name).toBeGreaterThan(0);
    },
  );
});
