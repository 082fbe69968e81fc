/** The real kill sweep in small: a few boundaries, each with a real process. All of them: `npm run kill-sweep -- --real`. */
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "../../scripts/kill/app.ts";
import { type Case, nameOf, runCase } from "../../scripts/kill/run.ts";
import { STORIES } from "../../scripts/kill/stories.ts";
import { lengthOf } from "../support/lengths.ts";
import { folder } from "../support/process.ts";

const storyOf = (name: string): Case["story"] => {
  const story = STORIES.find((each) => each.name === name);
  if (!story) throw new Error(`no story ${name}`);
  return story;
};

/** Faster than life, so that a proof of absence takes ten seconds; a machine in CI must keep up with it. */
const SPEED = 3;

/** A promise written and not sent; an order on its way; a fill not written down; a close without an answer. */
const CASES: readonly Case[] = [
  {
    story: storyOf("open"),
    policy: "accept",
    first: { commit: 18, when: "after" },
    again: { commit: 5, when: "before" },
  },
  {
    story: storyOf("close"),
    policy: "refuse-while-open",
    first: { commit: 21, when: "soon" },
    again: { commit: 3, when: "after" },
  },
  {
    story: storyOf("close"),
    policy: "refuse-always",
    first: { commit: 24, when: "before" },
    again: { commit: 8, when: "soon" },
  },
  { story: storyOf("close"), policy: "accept", first: { commit: 37, when: "soon" }, again: null },
].map((given) => ({ ...given, speed: SPEED }) as Case);

describe("a real process, killed at a commit of its journal", () => {
  const made = folder();
  let app = "";
  beforeAll(async () => {
    app = await buildApp(path.join(made.dir, "app"));
  });
  afterAll(() => made.remove());

  test.concurrent.each(CASES.slice(0, lengthOf(1, CASES.length)).map((given) => [nameOf(given), given] as const))(
    "%s",
    { timeout: 120_000 },
    async (_name, given) => {
      const { problems, deaths } = await runCase(given, app, made.dir);
      expect(problems).toEqual([]);
      expect(deaths).toBeGreaterThan(0);
    },
  );
});
