/**
 * `npm run deliveries -- --mishaps 2 --pushes 8`: plays short stories of an account to the agent's core with every
 * combination in which up to this many of the first pushes are lost, repeated or late, in both position modes, with
 * lists that lag and that do not. `--histories 1000 --from 1` plays random histories instead, with mishaps throughout
 * and failing requests, shared among `--workers` processes; with `--deaths` the process is also killed once or twice.
 * Each failure is printed with the command that replays it, and the exit code is 1.
 */
import { parseArgs } from "node:util";
import { outliveReaders } from "../src/ops/closed-pipe.ts";
import { isoTime } from "../src/core/time.ts";
import { stopwatch } from "../src/harness/harness.ts";
import { fatesNamed, fatesOf, judge, lettersOf } from "../test/deliveries/fates.ts";
import { play, type Scenario } from "../test/deliveries/story.ts";
import { STORIES, type StoryName } from "../test/deliveries/plots.ts";
import { histories, tellHistory } from "./deliveries/histories.ts";

outliveReaders();

const USAGE = `npm run deliveries -- [--mishaps N] [--pushes N] [--story NAME] [--mode BOTH|NET] [--lag MS] [--fates LETTERS]
npm run deliveries -- --histories N [--from SEED] [--deaths] [--workers N]
Examples: npm run deliveries -- --story open --mode BOTH --lag 8000 --fates nnnd
          npm run deliveries -- --histories 1000 --from 1`;

const { values } = parseArgs({
  options: {
    mishaps: { type: "string", default: "2" },
    pushes: { type: "string", default: "8" },
    story: { type: "string" },
    mode: { type: "string" },
    lag: { type: "string" },
    fates: { type: "string" },
    histories: { type: "string" },
    from: { type: "string", default: "1" },
    deaths: { type: "boolean", default: false },
    workers: { type: "string", default: "2" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const NAMES = Object.keys(STORIES) as readonly StoryName[];
const MODES = ["BOTH", "NET"] as const;
const LAGS_MS = [0, 8_000];

function whole(name: "mishaps" | "pushes" | "histories" | "from" | "workers", text: string, least = 0): number {
  const found = Number(text);
  if (Number.isInteger(found) && found >= least) return found;
  throw new RangeError(`--${name} must be a whole number of at least ${least}, found ${text}`);
}

function among<T extends string>(name: string, allowed: readonly T[], found: string | undefined): readonly T[] {
  if (found === undefined) return allowed;
  const one = allowed.find((each) => each === found);
  if (one) return [one];
  throw new RangeError(`--${name} must be one of ${allowed.join(", ")}, found ${found}`);
}

interface Count {
  runs: number;
  wrong: number;
  bareMs: number;
}

function runOnce(scenario: Scenario, undisturbed: ReturnType<typeof play>, count: Count): void {
  const outcome = judge(scenario, undisturbed);
  count.runs += 1;
  count.bareMs = Math.max(count.bareMs, outcome.bareMs);
  if (outcome.wrong.length === 0) return;
  count.wrong += 1;
  const { story, mode, lagMs, fates } = scenario;
  say(`WRONG ${story}, ${mode}, lists ${lagMs} ms behind: ${outcome.wrong.join("; ")}`);
  say(
    `  replay: npm run deliveries -- --story ${story} --mode ${mode} --lag ${lagMs} --fates ${lettersOf(fates) || "n"}`,
  );
}

function replay(scenario: Scenario): number {
  const undisturbed = play({ ...scenario, fates: [] });
  const outcome = judge({ ...scenario, report: (atMs, text) => say(`${isoTime(atMs)} ${text}`) }, undisturbed);
  for (const push of outcome.pushes) say(`push: ${push}`);
  for (const what of outcome.wrong) say(`WRONG ${what}`);
  return outcome.wrong.length === 0 ? 0 : 1;
}

async function drawn(count: number): Promise<number> {
  const { deaths } = values;
  const [from, workers] = [whole("from", values.from), whole("workers", values.workers, 1)];
  const wrong = count === 1 ? tellHistory(from, deaths) : await histories({ count, from, deaths, workers });
  return wrong === 0 ? 0 : 1;
}

function stories(): number {
  const [mishaps, pushes] = [whole("mishaps", values.mishaps), whole("pushes", values.pushes)];
  const elapsed = stopwatch();
  const lags = values.lag === undefined ? LAGS_MS : [Number(values.lag)];
  const [stories, modes] = [among("story", NAMES, values.story), among("mode", MODES, values.mode)];
  const count: Count = { runs: 0, wrong: 0, bareMs: 0 };
  if (values.fates !== undefined) {
    const [story, mode, lagMs] = [stories[0], modes[0], lags[0]];
    if (story && mode && lagMs !== undefined) return replay({ story, mode, lagMs, fates: fatesNamed(values.fates) });
  }
  for (const story of stories)
    for (const mode of modes)
      for (const lagMs of lags) {
        const undisturbed = play({ story, mode, lagMs, fates: [] });
        for (const fates of fatesOf(pushes, mishaps)) runOnce({ story, mode, lagMs, fates }, undisturbed, count);
        const seconds = Math.round(elapsed() / 1_000);
        say(
          `${story}, ${mode}, lists ${lagMs} ms behind: ${count.runs} runs, ${count.wrong} wrong, longest without a stop ${count.bareMs / 1_000} s, ${seconds} s`,
        );
      }
  return count.wrong === 0 ? 0 : 1;
}

if (values.help) say(USAGE);
else if (values.histories !== undefined) process.exitCode = await drawn(whole("histories", values.histories));
else process.exitCode = stories();
