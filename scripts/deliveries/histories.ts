/** Drawn histories shared among processes, or one of them printed in full. */
import { isoTime } from "../../src/core/time.ts";
import { stopwatch } from "../../src/harness/harness.ts";
import { drawHistory, judgeHistory } from "../../test/deliveries/histories.ts";
import { handOut } from "../seeds/hand-out.ts";
import type { Batch, BatchResult } from "./worker.ts";

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** So few that no process waits long for another at the end, and so many that messages cost nothing. */
const BATCH = 50;
const SHOWN_EVERY_MS = 10_000;

export interface Asked {
  readonly count: number;
  readonly from: number;
  readonly deaths: boolean;
  readonly workers: number;
}

function* batchesOf({ count, from, deaths }: Asked): Generator<Batch> {
  for (let at = 0; at < count; at += BATCH) yield { from: from + at, count: Math.min(BATCH, count - at), deaths };
}

/** Plays them all. Returns how many were wrong. */
export async function histories(asked: Asked): Promise<number> {
  const { count, deaths, workers } = asked;
  const elapsed = stopwatch();
  let [done, wrong, bareMs, shownMs] = [0, 0, 0, 0];
  const add = (result: BatchResult): void => {
    done += result.count;
    wrong += result.wrong.length;
    bareMs = Math.max(bareMs, result.bareMs);
    for (const { seed, what } of result.wrong) {
      say(`WRONG history ${seed}: ${what.join("; ")}`);
      say(`  replay: npm run deliveries -- --histories 1 --from ${seed}${deaths ? " --deaths" : ""}`);
    }
    if (done < count && elapsed() - shownMs < SHOWN_EVERY_MS) return;
    shownMs = elapsed();
    say(
      `${done} of ${count} histories, ${wrong} wrong, longest without a stop ${bareMs / 1_000} s, ${Math.round(shownMs / 1_000)} s`,
    );
  };
  await handOut<Batch, BatchResult>({
    worker: "scripts/deliveries/worker.ts",
    jobs: batchesOf(asked),
    workers: Math.min(workers, Math.ceil(count / BATCH)),
    traced: false,
    flags: FLAGS,
    report: add,
  });
  return wrong;
}

/** Collecting often what lives for one step only takes a tenth of the time. */
const FLAGS = ["--min-semi-space-size=64", "--max-semi-space-size=64"];

/** With what was drawn, every log line of the agent and every push. */
export function tellHistory(seed: number, deaths: boolean): number {
  say(JSON.stringify(drawHistory(seed, deaths)));
  const outcome = judgeHistory(seed, { deaths, report: (atMs, text) => say(`${isoTime(atMs)} ${text}`) });
  for (const push of outcome.pushes) say(`push: ${push}`);
  for (const what of outcome.wrong) say(`WRONG ${what}`);
  return outcome.wrong.length;
}
