/**
 * `npm run market-days -- --count 10000 --from 1`: market days on the light profile (test/market-days), each with gaps
 * up to the declared size at its worst moments. `--beyond` uses larger gaps than declared and compares each loss with
 * its bound; `--paired` holds each coin long on one exchange and short on another; `--data DIR` plays the violent windows of recorded data; `--objective NAME` plays every day with that
 * objective's settings. Each failure is printed with the command that replays it, and the exit code is 1. `--log`
 * prints the agent's log, for one day.
 */
import { parseArgs } from "node:util";
import { outliveReaders } from "../src/ops/closed-pipe.ts";
import { type DayOutcome, runDay } from "../test/market-days/day.ts";
import { drawDay, drawPairedDay } from "../test/market-days/plan.ts";
import { addDay, newTally, summary } from "../test/market-days/tally.ts";
import { type Objective, OBJECTIVE_NAMES } from "../src/config/objectives.ts";
import { isoTime } from "../src/core/time.ts";
import { stopwatch } from "../src/harness/harness.ts";
import { playWindow, violentWindows } from "../test/market-days/recorded.ts";

outliveReaders();

const USAGE = `npm run market-days -- [--count N] [--from N] [--beyond | --paired] [--objective NAME] [--data DIR [--window TEXT]] [--log]
Example: npm run market-days -- --count 200 --from 1 --beyond`;
const PROGRESS_EVERY = 500;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "300" },
    from: { type: "string", default: "1" },
    beyond: { type: "boolean", default: false },
    paired: { type: "boolean", default: false },
    data: { type: "string" },
    window: { type: "string", default: "" },
    objective: { type: "string" },
    log: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const report = values.log ? (atMs: number, text: string): void => say(`${isoTime(atMs)} ${text}`) : undefined;

function whole(name: "count" | "from"): number {
  const found = Number(values[name]);
  if (Number.isInteger(found) && found > 0) return found;
  throw new RangeError(`--${name} must be a whole number of 1 or more, found ${values[name]}`);
}

function failed(name: string, { violations }: DayOutcome, replay: string): void {
  say(`FAILED ${name}`);
  for (const violation of violations) say(`  ${violation}`);
  say(`  replay: ${replay}`);
}

function objectiveAsked(): Objective | null {
  if (values.objective === undefined) return null;
  const found = OBJECTIVE_NAMES.find((name) => name === values.objective);
  if (found) return found;
  throw new RangeError(`--objective must be ${OBJECTIVE_NAMES.join(", ")}, found ${values.objective}`);
}

function days(): number {
  const objective = objectiveAsked();
  const [count, from] = [whole("count"), whole("from")];
  const elapsed = stopwatch();
  const tally = newTally();
  for (let number = from; number < from + count; number++) {
    const drawn = values.paired ? drawPairedDay(number) : drawDay(number, values.beyond);
    const outcome = runDay(objective === null ? drawn : { ...drawn, risk: objective }, report);
    addDay(tally, outcome);
    const beyond = `${values.beyond ? " --beyond" : ""}${values.paired ? " --paired" : ""}${objective === null ? "" : ` --objective ${objective}`}`;
    if (outcome.violations.length > 0)
      failed(`day ${number}`, outcome, `npm run market-days -- --from ${number} --count 1${beyond} --log`);
    if ((number - from + 1) % PROGRESS_EVERY === 0 && number < from + count - 1) say(summary(tally, elapsed()));
  }
  say(summary(tally, elapsed()));
  return tally.failed === 0 ? 0 : 1;
}

function recorded(dir: string): number {
  const windows = violentWindows(dir);
  if (!windows.ok) {
    process.stderr.write(`${windows.error}\n`);
    return 2;
  }
  let bad = 0;
  for (const window of windows.value.filter(({ name }) => name.includes(values.window))) {
    for (const leaning of ["LONG", "SHORT"] as const) {
      const outcome = playWindow(window, leaning, report);
      const { lowUsdt, endUsdt, worstFloor, orders, stops, leastLeft } = outcome;
      const least = Number.isFinite(leastLeft) ? leastLeft.toFixed(2) : "-";
      say(
        `${window.name}, ${leaning}: lowest equity ${lowUsdt.toFixed(2)}, at the end ${endUsdt.toFixed(2)}, ladder ${worstFloor}, ${orders} orders, ${stops} stops; a gap would have left ${least}`,
      );
      if (outcome.violations.length === 0) continue;
      bad += 1;
      failed(window.name, outcome, `npm run market-days -- --data ${dir} --window "${window.name}" --log`);
    }
  }
  return bad === 0 ? 0 : 1;
}

if (values.help) say(USAGE);
else process.exitCode = values.data === undefined ? days() : recorded(values.data);
