/**
 * `npm run kill-sweep`: dies at every boundary of the journal in each story of `test/seeds/sweep.ts`, under all policies for
 * repeated client ids, and once more while it recovers; the verifier judges what is left. `--every 5` takes each fifth row.
 */
import { parseArgs } from "node:util";
import { runPlan } from "../test/seeds/run.ts";
import { boundaries, stories, type Story } from "../test/seeds/sweep.ts";

const USAGE =
  "npm run kill-sweep -- [--every N] [--story TEXT]\nExample: npm run kill-sweep -- --every 10 --story restart";

interface Tally {
  runs: number;
  deaths: number;
  writes: number;
  readonly failed: string[];
}

async function sweep(story: Story, every: number, tally: Tally): Promise<void> {
  const whole = await runPlan(story.plan);
  for (const { name, plan } of [story, ...boundaries(story, whole.rows, every)]) {
    const { violations, deaths, writes } = plan === story.plan ? whole : await runPlan(plan);
    tally.runs += 1;
    tally.deaths += deaths;
    tally.writes += writes;
    if (violations.length === 0) continue;
    tally.failed.push(name);
    process.stdout.write(`\nVIOLATED ${name}\n`);
    for (const { id, what } of violations.slice(0, 10)) process.stdout.write(`  ${id}: ${what}\n`);
    process.stdout.write(`  plan: ${JSON.stringify(plan)}\n`);
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { every: { type: "string" }, story: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const every = Number(values.every ?? "1");
  if (!Number.isInteger(every) || every < 1) {
    process.stderr.write(`--every must be a whole number of 1 or more, found ${String(values.every)}\n${USAGE}\n`);
    return 2;
  }
  const chosen = stories().filter(({ name }) => name.includes(values.story ?? ""));
  const tally: Tally = { runs: 0, deaths: 0, writes: 0, failed: [] };
  for (const [at, story] of chosen.entries()) {
    await sweep(story, every, tally);
    const { runs, deaths, writes, failed } = tally;
    process.stdout.write(
      `${at + 1} of ${chosen.length} stories (${story.name}): ${runs} runs, ${deaths} deaths, ${writes} writes, ${failed.length} failed\n`,
    );
  }
  return tally.failed.length === 0 ? 0 : 1;
}

process.exitCode = await main();
