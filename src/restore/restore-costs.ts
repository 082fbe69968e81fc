/** The predicted and measured order costs of earlier runs, from the journal. */
import { COSTS_KEPT, type RestoredCosts } from "../agent/books/cost-book.ts";
import type { Prediction } from "../agent/books/execution-cost.ts";
import type { JournalReader } from "../journal/reader.ts";
import { readCost } from "../rows/cost.ts";
import type { PredictionRow } from "../rows/fields.ts";
import { readFill } from "../rows/fill.ts";
import { readIntent } from "../rows/intent.ts";
import { pastFill } from "./restore-trades.ts";

const INTENTS_READ = 300;
/** An order is measured seconds after its last fill, by this run or the next. */
const UNMEASURED_FOR_MS = 3_600_000;

/** Measured costs, the last predictions, and fills of the last hour that no run has measured yet. */
export function costsOf(reader: JournalReader, nowMs: number): RestoredCosts {
  const measured = reader.rows({ kinds: ["cost"], limit: COSTS_KEPT, newest: true }).map(readCost);
  const orders = new Set(measured.map(({ orderId }) => orderId));
  const intents = reader.rows({ kinds: ["intent"], limit: INTENTS_READ, newest: true });
  return {
    atMs: nowMs,
    // An older order that was never measured had no prediction.
    fills: reader
      .rows({ kinds: ["fill"], sinceMs: nowMs - UNMEASURED_FOR_MS, limit: INTENTS_READ, newest: true })
      .map(readFill)
      .filter(({ orderId }) => !orders.has(orderId))
      .map((fill) => ({ ...pastFill(fill), triggers: null })),
    measured,
    predicted: intents.flatMap((row) => {
      const intent = readIntent(row);
      if (intent.event !== "open" || !intent.predicted) return [];
      const what = intent.opening ? ("open" as const) : ("reduce" as const);
      const { clientOrderId, predicted } = intent;
      return [{ clientOrderId, decisionId: row.decisionId, what, prediction: predictionOf(predicted) }];
    }),
  };
}

const predictionOf = ({ midPrice: mid, ...figures }: PredictionRow): Prediction => ({ mid, ...figures });
