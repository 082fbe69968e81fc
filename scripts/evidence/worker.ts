/** A process that plays drawn histories of an account, as `scripts/evidence.ts` hands them out. */
import { modeOf } from "../../test/evidence/account.ts";
import type { History } from "../../test/evidence/history.ts";
import { playEvidence } from "../../test/evidence/play.ts";
import type { PositionMode } from "../../src/domain/position.ts";
import { serve } from "../seeds/serve.ts";

/** Histories that follow each other; without a mode, those of odd numbers are in one-way mode. */
export interface Batch {
  readonly mode: PositionMode | null;
  readonly from: number;
  readonly count: number;
  /** The share of records that lack the client's name of an order. */
  readonly nameless: number;
}

export interface BatchResult {
  readonly count: number;
  readonly deaths: number;
  readonly messages: number;
  readonly wrong: readonly { readonly seed: number; readonly mode: PositionMode; readonly what: readonly string[] }[];
}

function played(seed: number, mode: PositionMode, nameless: number): History {
  try {
    return playEvidence(seed, mode, { nameless });
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { wrong: [what], messages: 0, deaths: 0 };
  }
}

function play({ mode: asked, from, count, nameless }: Batch): BatchResult {
  const wrong: { seed: number; mode: PositionMode; what: readonly string[] }[] = [];
  let [deaths, messages] = [0, 0];
  for (let seed = from; seed < from + count; seed++) {
    const mode = asked ?? modeOf(seed);
    const history = played(seed, mode, nameless);
    deaths += history.deaths;
    messages += history.messages;
    if (history.wrong.length > 0) wrong.push({ seed, mode, what: history.wrong });
  }
  return { count, deaths, messages, wrong };
}

serve((batch: Batch) => Promise.resolve(play(batch)));
