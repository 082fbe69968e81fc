/** `ballast lab counterfactual`: recorded decisions of an agent, replayed with other stops, sizes and settings. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { withJournal } from "../../control/past-journal.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { resultTable } from "../../faces/cli/result-table.ts";
import type { CounterfactualCliOptions } from "../../faces/cli/lab-command.ts";
import { alternativesOf } from "../../lab/replay/alternatives.ts";
import { counterfactual, replayBars } from "../../lab/replay/counterfactual.ts";
import { counterfactualText } from "../../lab/replay/counterfactual-text.ts";
import { recordedRun } from "../../lab/replay/recorded-run.ts";
import { parseVariation, type Variation } from "../../lab/sweep/variation.ts";
import { complain, print } from "../../ops/complaint.ts";
import { EXIT } from "../../ops/exit-codes.ts";
import { ownRecording } from "../../lab/runs/bars-for.ts";

/** Exit code 1 if there is nothing to replay, no bars of its time, or the base replay does not repeat the record. */
export function counterfactualProgram(folder: string, options: CounterfactualCliOptions): Promise<number> {
  const { from: fromMs = 0, to: toMs = Infinity, window } = options;
  if (fromMs >= toMs) return Promise.resolve(complain("--from must be before --to", EXIT.usage));
  const variations = variationsOf(options);
  if (!variations.ok) return Promise.resolve(complain(variations.error, EXIT.usage));
  return withJournal({ dataDir: folder }, ({ reader }) => {
    const run = recordedRun(reader, { fromMs, toMs });
    const text = textOf(options, run.config);
    if (!text.ok) return complain(text.error, EXIT.config);
    const data = options.data ?? ownRecording(folder);
    if (data === null)
      return complain(
        `${path.join(folder, "recording")} does not contain exactly one recording; name a folder of bars with --data`,
      );
    const alternatives = alternativesOf(variations.value);
    const bars = replayBars(text.value, data, window);
    if (!bars.ok) return complain(bars.error);
    const found = counterfactual(run, { text: text.value, bars: bars.value, alternatives });
    if (!found.ok) return complain(found.error);
    if (options.format === "json") print(JSON.stringify(found.value, null, 2));
    else {
      const { headings, rows, words } = counterfactualText(found.value);
      print(`${resultTable(headings, rows)}\n${words.join("\n")}`);
    }
    return found.value.fidelity.repeats ? EXIT.ok : EXIT.failed;
  });
}

function variationsOf({ vary = [] }: CounterfactualCliOptions): Result<readonly Variation[], string> {
  const found: Variation[] = [];
  for (const text of vary) {
    const variation = parseVariation(text);
    if (!variation.ok) return variation;
    found.push(variation.value);
  }
  return ok(found);
}

function textOf({ config }: CounterfactualCliOptions, inForce: string | null): Result<string, string> {
  if (config === undefined)
    return inForce === null ? err("the journal contains no configuration; name a file with --config") : ok(inForce);
  try {
    return ok(readFileSync(config, "utf8"));
  } catch {
    return err(`${config} cannot be read; give another with --config`);
  }
}
