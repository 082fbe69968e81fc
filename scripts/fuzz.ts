/**
 * `npm run fuzz -- --count 10000 --seed 1`: tries this many mutated model replies, frames of each stream and
 * configuration files. Anything that throws, and every order outside the limits, is printed with its input, and the
 * exit code is 1.
 */
import { parseArgs } from "node:util";
import { stopwatch } from "../src/harness/harness.ts";
import { fuzzConfigs } from "../test/fuzz/configs.ts";
import { fuzzFrames } from "../test/fuzz/frames.ts";
import type { Fuzzed } from "../test/fuzz/fuzzed.ts";
import { fuzzReplies } from "../test/fuzz/replies.ts";

const USAGE = `npm run fuzz -- [--count N] [--seed N] [--only replies|configs|frames]
Example: npm run fuzz -- --count 500 --seed 7 --only replies`;
const SHOWN = 20;
/** Frames per run: an account that has met bad frames for hours restrains itself. */
const FRAMES_A_RUN = 1_000;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);

function whole(name: "count" | "seed"): number {
  const found = Number(values[name]);
  if (Number.isInteger(found) && found > 0) return found;
  throw new RangeError(`--${name} must be a whole number above 0, found ${values[name]}`);
}

async function frames(count: number, seed: number): Promise<Fuzzed> {
  const all: Fuzzed = { tried: 0, accepted: 0, problems: [] };
  let [sum, orders] = [all, 0];
  for (let done = 0; done < count; done += FRAMES_A_RUN) {
    const run = await fuzzFrames(Math.min(FRAMES_A_RUN, count - done), seed + done);
    orders += run.orders;
    const { tried, accepted, problems } = run;
    sum = {
      tried: sum.tried + tried,
      accepted: sum.accepted + accepted,
      problems: [...sum.problems, ...problems.map((what) => `seed ${seed + done}: ${what}`)],
    };
  }
  say(`frames: ${orders} orders were sent meanwhile`);
  return sum;
}

const KINDS: Readonly<Record<string, (count: number, seed: number) => Promise<Fuzzed>>> = {
  replies: fuzzReplies,
  configs: (count, seed) => Promise.resolve(fuzzConfigs(count, seed)),
  frames,
};

async function all(): Promise<number> {
  const [count, seed, { only }] = [whole("count"), whole("seed"), values];
  if (only !== undefined && !Object.hasOwn(KINDS, only))
    throw new RangeError(`--only must be one of ${Object.keys(KINDS).join(", ")}, found ${only}`);
  let wrong = 0;
  for (const [kind, fuzz] of Object.entries(KINDS)) {
    if (only !== undefined && kind !== only) continue;
    const elapsed = stopwatch();
    const { tried, accepted, problems } = await fuzz(count, seed);
    wrong += problems.length;
    for (const what of problems.slice(0, SHOWN)) say(`WRONG ${kind}: ${what}`);
    say(
      `${kind}: ${tried} tried, ${accepted} handed on, ${problems.length} wrong, ${Math.round(elapsed() / 1_000)} s, seed ${seed}`,
    );
  }
  return wrong === 0 ? 0 : 1;
}

if (values.help) say(USAGE);
else process.exitCode = await all();
