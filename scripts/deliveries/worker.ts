/** A process that plays drawn histories, as `scripts/deliveries.ts` hands them out. */
import { judgeHistory } from "../../test/deliveries/histories.ts";
import { serve } from "../seeds/serve.ts";

/** Histories that follow each other. */
export interface Batch {
  readonly from: number;
  readonly count: number;
  readonly deaths: boolean;
}

export interface BatchResult {
  readonly count: number;
  readonly wrong: readonly { readonly seed: number; readonly what: readonly string[] }[];
  readonly bareMs: number;
}

function played(seed: number, deaths: boolean): Pick<ReturnType<typeof judgeHistory>, "wrong" | "bareMs"> {
  try {
    return judgeHistory(seed, { deaths });
  } catch (error) {
    return { wrong: [error instanceof Error ? (error.stack ?? error.message) : String(error)], bareMs: 0 };
  }
}

function play({ from, count, deaths }: Batch): BatchResult {
  const wrong: { seed: number; what: readonly string[] }[] = [];
  let bareMs = 0;
  for (let seed = from; seed < from + count; seed++) {
    const outcome = played(seed, deaths);
    bareMs = Math.max(bareMs, outcome.bareMs);
    if (outcome.wrong.length > 0) wrong.push({ seed, what: outcome.wrong });
  }
  return { count, wrong, bareMs };
}

serve((batch: Batch) => Promise.resolve(play(batch)));
