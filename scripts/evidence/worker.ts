/** A process that plays drawn histories of an account, as `scripts/evidence.ts` hands them out. */
import { type History, playEvidence } from "../../test/evidence/play.ts";
import { serve } from "../seeds/serve.ts";

/** Histories that follow each other. */
export interface Batch {
  readonly from: number;
  readonly count: number;
}

export interface BatchResult {
  readonly count: number;
  readonly deaths: number;
  readonly messages: number;
  readonly wrong: readonly { readonly seed: number; readonly what: readonly string[] }[];
}

function played(seed: number): History {
  try {
    return playEvidence(seed);
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { wrong: [what], messages: 0, deaths: 0 };
  }
}

function play({ from, count }: Batch): BatchResult {
  const wrong: { seed: number; what: readonly string[] }[] = [];
  let [deaths, messages] = [0, 0];
  for (let seed = from; seed < from + count; seed++) {
    const history = played(seed);
    deaths += history.deaths;
    messages += history.messages;
    if (history.wrong.length > 0) wrong.push({ seed, what: history.wrong });
  }
  return { count, deaths, messages, wrong };
}

serve((batch: Batch) => Promise.resolve(play(batch)));
