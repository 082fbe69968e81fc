/**
 * `npm run interleavings -- --depth 4`: a small model checker. One order, its position and its stop at a venue whose
 * messages arrive in every sequence, are lost, or come twice, with a list from before and a death at any point. Each
 * failure is printed with the command that replays it, and the exit code is 1.
 */
import { parseArgs } from "node:util";
import { outliveReaders } from "../src/ops/closed-pipe.ts";
import { stopwatch } from "../src/harness/harness.ts";
import { explore, type Failure, type Limits } from "../test/interleavings/explore.ts";
import { type Choice, play } from "../test/interleavings/play.ts";
import { STORIES, type StoryName } from "../test/interleavings/scene.ts";

outliveReaders();

const USAGE = `npm run interleavings -- [options]
  --story NAME      one of ${STORIES.join(", ")}; default all
  --depth N         choices of a history at most, default 4: a message, a repeat, the old list or the death
  --messages N      how many messages of a story have a fate, default 8
  --no-repeats      no message comes twice
  --no-deaths       the process does not die
  --no-old-lists    no list from before the story comes
  --from "A, B"     only histories that begin with these choices
  --replay "A, B"   this history alone, with the agent's view after each choice
Examples: npm run interleavings -- --story open --depth 8 --no-repeats --no-deaths
          npm run interleavings -- --story open --replay "> fill, death, again fill"`;

const { values } = parseArgs({
  options: {
    story: { type: "string" },
    depth: { type: "string", default: "4" },
    messages: { type: "string", default: "8" },
    "no-repeats": { type: "boolean", default: false },
    "no-deaths": { type: "boolean", default: false },
    "no-old-lists": { type: "boolean", default: false },
    from: { type: "string" },
    replay: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const SHOWN_EVERY = 1_000;
const FAILURES_SHOWN = 20;

function whole(name: "depth" | "messages"): number {
  const found = Number(values[name]);
  if (Number.isInteger(found) && found >= 0) return found;
  throw new RangeError(`--${name} must be a whole number of 0 or more, found ${values[name]}`);
}

function stories(): readonly StoryName[] {
  if (values.story === undefined) return STORIES;
  const one = STORIES.find((name) => name === values.story);
  if (one) return [one];
  throw new RangeError(`--story must be one of ${STORIES.join(", ")}, found ${values.story}`);
}

const choicesIn = (text: string | undefined): readonly Choice[] =>
  (text ?? "").split(",").flatMap((each) => (each.trim() === "" ? [] : [each.trim() as Choice]));

function replay(story: StoryName, choices: readonly Choice[], limits: Limits): boolean {
  for (let count = 0; count <= choices.length; count++) {
    const { state, next, problems } = play(story, choices.slice(0, count), limits);
    say(`${count === 0 ? story : (choices[count - 1] ?? "")}: ${state}`);
    say(`  next: ${next.join(", ")}`);
    for (const problem of problems) say(`  WRONG ${problem}`);
    if (count === choices.length) return problems.length === 0;
  }
  return true;
}

function report({ story, choices, problems }: Failure): void {
  say(`WRONG ${story}: ${problems.join("; ")}`);
  say(`  replay: npm run interleavings -- --story ${story} --replay "${choices.join(", ")}"`);
}

function exploreOne(story: StoryName, limits: Limits): boolean {
  const elapsed = stopwatch();
  const heard = (count: number): void => {
    if (count % SHOWN_EVERY === 0) say(`${story}: ${count} histories, ${Math.round(elapsed() / 1_000)} s`);
  };
  const { histories, states, failures } = explore(story, limits, { from: choicesIn(values.from), heard });
  for (const failure of failures.slice(0, FAILURES_SHOWN)) report(failure);
  say(
    `${story}: ${histories} histories of at most ${limits.depth} choices, ${states} states, ${failures.length} wrong, ${Math.round(elapsed() / 1_000)} s`,
  );
  return failures.length === 0;
}

if (values.help) say(USAGE);
else {
  const limits: Limits = {
    messages: whole("messages"),
    depth: whole("depth"),
    repeats: !values["no-repeats"],
    deaths: !values["no-deaths"],
    oldLists: !values["no-old-lists"],
  };
  const sound = stories().map((story) =>
    values.replay === undefined ? exploreOne(story, limits) : replay(story, choicesIn(values.replay), limits),
  );
  process.exitCode = sound.every(Boolean) ? 0 : 1;
}
