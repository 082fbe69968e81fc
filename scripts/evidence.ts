/**
 * `npm run evidence -- --histories 1000000 --from 1`: draws histories of an account and tells them to the books of the agent, with
 * pushes lost, repeated and late, lists that lag, replies that never come, and deaths. At every instant the agent must count at
 * least what is held, and in the end exactly that. Each failure is printed with the command that replays it, and the exit code is 1.
 */
import { parseArgs } from "node:util";
import { outliveReaders } from "../src/ops/closed-pipe.ts";
import { isoTime } from "../src/core/time.ts";
import { counted } from "../src/core/words.ts";
import type { PositionMode } from "../src/domain/position.ts";
import { stopwatch } from "../src/harness/harness.ts";
import { modeOf } from "../test/evidence/account.ts";
import { playEvidence } from "../test/evidence/play.ts";
import type { Batch, BatchResult } from "./evidence/worker.ts";
import { handOut } from "./seeds/hand-out.ts";

outliveReaders();

const USAGE = `npm run evidence -- [--histories N] [--from SEED] [--mode BOTH|NET] [--nameless SHARE] [--workers N]
Without a mode, histories of odd numbers are in one-way mode (NET). One history is printed in full.
With --nameless, so many of the venue's records lack the client order id, as 0.3.
Examples: npm run evidence -- --histories 100000
          npm run evidence -- --histories 1 --from 178 --mode BOTH`;

const { values } = parseArgs({
  options: {
    histories: { type: "string", default: "10000" },
    from: { type: "string", default: "1" },
    mode: { type: "string" },
    nameless: { type: "string", default: "0" },
    workers: { type: "string", default: "2" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const BATCH = 500;
const SHOWN_EVERY_MS = 30_000;
/** Collecting often what lives for one history only takes a tenth of the time. */
const FLAGS = ["--min-semi-space-size=64", "--max-semi-space-size=64"];

function whole(name: "histories" | "from" | "workers"): number {
  const found = Number(values[name]);
  if (Number.isInteger(found) && found >= 1) return found;
  throw new RangeError(`--${name} must be a whole number of at least 1, found ${values[name]}`);
}

function modeAsked(): PositionMode | null {
  const { mode } = values;
  if (mode === undefined || mode === "BOTH" || mode === "NET") return mode ?? null;
  throw new RangeError(`--mode must be BOTH or NET, found ${mode}`);
}

function shareAsked(): number {
  const share = Number(values.nameless);
  if (share >= 0 && share <= 1) return share;
  throw new RangeError(`--nameless must be a share from 0 to 1, found ${values.nameless}`);
}

function* batchesOf(count: number, from: number): Generator<Batch> {
  const shared = { mode: modeAsked(), nameless: shareAsked() };
  for (let at = 0; at < count; at += BATCH) yield { ...shared, from: from + at, count: Math.min(BATCH, count - at) };
}

async function playAll(count: number, from: number): Promise<number> {
  const elapsed = stopwatch();
  let [done, wrong, deaths, messages, shownMs] = [0, 0, 0, 0, 0];
  const add = (result: BatchResult): void => {
    done += result.count;
    deaths += result.deaths;
    messages += result.messages;
    wrong += result.wrong.length;
    for (const { seed, mode, what } of result.wrong) {
      say(`WRONG history ${seed}: ${what.join("; ")}`);
      const nameless = shareAsked() > 0 ? ` --nameless ${shareAsked()}` : "";
      say(`  replay: npm run evidence -- --histories 1 --from ${seed} --mode ${mode}${nameless}`);
    }
    if (done < count && elapsed() - shownMs < SHOWN_EVERY_MS) return;
    shownMs = elapsed();
    const seconds = Math.round(shownMs / 1_000);
    say(
      `${done} of ${count} histories, ${wrong} wrong, ${messages} messages, ${counted(deaths, "death")}, ${seconds} s`,
    );
  };
  await handOut<Batch, BatchResult>({
    worker: "scripts/evidence/worker.ts",
    jobs: batchesOf(count, from),
    workers: Math.min(whole("workers"), Math.ceil(count / BATCH)),
    traced: false,
    flags: FLAGS,
    report: add,
  });
  return wrong;
}

function tell(seed: number): number {
  const { wrong } = playEvidence(seed, modeAsked() ?? modeOf(seed), {
    nameless: shareAsked(),
    report: (atMs, text) => say(`${isoTime(atMs)} ${text}`),
  });
  for (const what of wrong) say(`WRONG ${what}`);
  return wrong.length;
}

if (values.help) say(USAGE);
else {
  const [count, from] = [whole("histories"), whole("from")];
  process.exitCode = (count === 1 ? tell(from) : await playAll(count, from)) === 0 ? 0 : 1;
}
