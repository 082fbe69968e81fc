/**
 * `npm run kill-sweep`: crashes at every boundary of the journal in short stories, under all policies for repeated
 * client ids, and once more during recovery; the verifier judges the result. In one process on virtual time
 * (`test/seeds/sweep.ts`), or with `--real` in processes that are really killed (`scripts/kill/`).
 */
import { parseArgs } from "node:util";
import { outliveReaders } from "../src/ops/closed-pipe.ts";
import { runPlan } from "../test/seeds/run.ts";
import { boundaries, POLICIES, stories, type Story } from "../test/seeds/sweep.ts";
import { type DeathToken, MOMENTS, readToken } from "./kill/dying-disk.ts";
import { sweepReal, type Sweep } from "./kill/real.ts";
import { STORIES } from "./kill/stories.ts";

outliveReaders();

const REAL_STORIES = STORIES.map(({ name }) => name);

const USAGE = `npm run kill-sweep -- [--every N] [--story TEXT]
npm run kill-sweep -- --real [--every N] [--stories A,B] [--policies A,B] [--moments A,B] [--concurrency N] [--minutes N]

  --every N        each N-th boundary only (1)
  --story TEXT     stories whose name holds the text (all)
  --real           real processes, killed by SIGKILL, against services on real sockets
  --stories A,B    of ${REAL_STORIES.join(", ")}
  --policies A,B   of ${POLICIES.join(", ")}
  --moments A,B    of ${MOMENTS.join(", ")} a commit (before,after)
  --in-turns       one of the moments at each boundary, the next one for the next policy, in place of all
  --from N         the first boundary that is taken (1)
  --speed N        venue seconds a real second; on a busy machine what must happen within seconds comes late (2)
  --concurrency N  runs side by side; most of a run is waiting (6)
  --minutes N      begin nothing new after so long; says what was left out
  --at N:MOMENT    one boundary alone, and --again N:MOMENT where its recovery dies: replays a failure

Example: npm run kill-sweep -- --real --every 5 --stories open,close --policies accept
`;

interface Tally {
  runs: number;
  deaths: number;
  writes: number;
  readonly failed: string[];
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function sweep(story: Story, every: number, tally: Tally): Promise<void> {
  const whole = await runPlan(story.plan);
  for (const { name, plan } of [story, ...boundaries(story, whole.rows, every)]) {
    const { violations, deaths, writes } = plan === story.plan ? whole : await runPlan(plan);
    tally.runs += 1;
    tally.deaths += deaths;
    tally.writes += writes;
    if (violations.length === 0) continue;
    tally.failed.push(name);
    say(`\nVIOLATED ${name}`);
    for (const { id, what } of violations.slice(0, 10)) say(`  ${id}: ${what}`);
    say(`  plan: ${JSON.stringify(plan)}`);
  }
}

async function virtual(every: number, text: string): Promise<number> {
  const chosen = stories().filter(({ name }) => name.includes(text));
  const tally: Tally = { runs: 0, deaths: 0, writes: 0, failed: [] };
  for (const [at, story] of chosen.entries()) {
    await sweep(story, every, tally);
    const { runs, deaths, writes, failed } = tally;
    say(
      `${at + 1} of ${chosen.length} stories (${story.name}): ${runs} runs, ${deaths} deaths, ${writes} writes, ${failed.length} failed`,
    );
  }
  return tally.failed.length === 0 ? 0 : 1;
}

async function real(given: Omit<Sweep, "say">): Promise<number> {
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => process.exit(1));
  const { runs, deaths, writes, outlived, failed, late, left, diedAt, tookMs, cpuSeconds } = await sweepReal({
    ...given,
    say,
  });
  const kinds = [...diedAt].sort((a, b) => b[1] - a[1]).map(([kind, times]) => `${kind} ${times}`);
  say(`last row before a death: ${kinds.join(", ")}`);
  say(
    `${runs} runs, ${deaths} deaths, ${writes} writes, ${failed.length} failed, ${late.length} late for want of processor time; ${outlived} ended before their boundary came, ${left} left out; ${Math.round(tookMs / 1_000)} s, ${Math.round(cpuSeconds)} CPU s`,
  );
  return failed.length === 0 ? 0 : 1;
}

/** The entries of `all` that a list names; for an unknown name the error lists the valid ones. */
function listed<T extends string>(option: string, text: string | undefined, all: readonly T[]): readonly T[] {
  if (text === undefined) return all;
  const names = text.split(",");
  const unknown = names.find((name) => !all.some((each) => each === name));
  if (unknown !== undefined) throw new RangeError(`--${option} knows ${all.join(", ")}, found ${unknown}`);
  return all.filter((each) => names.includes(each));
}

function whole(option: string, text: string | undefined, otherwise: number): number {
  const value = Number(text ?? otherwise);
  if (!Number.isInteger(value) || value < 1)
    throw new RangeError(`--${option} must be a whole number of 1 or more, found ${String(text)}`);
  return value;
}

function token(option: string, text: string | undefined): DeathToken | null {
  const read = text === undefined ? null : readToken(text);
  if (text !== undefined && !read) throw new RangeError(`--${option} must be like 17:before, found ${text}`);
  return read;
}

const text = { type: "string" } as const;
const OPTIONS = {
  every: text,
  story: text,
  real: { type: "boolean" },
  stories: text,
  policies: text,
  moments: text,
  "in-turns": { type: "boolean" },
  from: text,
  speed: text,
  concurrency: text,
  minutes: text,
  at: text,
  again: text,
  help: { type: "boolean", short: "h" },
} as const;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const every = whole("every", values.every, 1);
  if (!values.real) return virtual(every, values.story ?? "");
  const names = listed("stories", values.stories, REAL_STORIES);
  return real({
    stories: STORIES.filter(({ name }) => names.includes(name)),
    policies: listed("policies", values.policies, POLICIES),
    moments: listed("moments", values.moments ?? "before,after", MOMENTS),
    inTurns: values["in-turns"] ?? false,
    every,
    from: whole("from", values.from, 1),
    concurrency: whole("concurrency", values.concurrency, 6),
    speed: whole("speed", values.speed, 2),
    at: token("at", values.at),
    again: token("again", values.again),
    withinMs: values.minutes === undefined ? Infinity : whole("minutes", values.minutes, 1) * 60_000,
  });
}

process.exitCode = await main().catch((cause: unknown) => {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n${USAGE}`);
  return 2;
});
