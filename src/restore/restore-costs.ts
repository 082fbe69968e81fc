/** What earlier runs measured and predicted of the cost of orders, from the journal. */
import { COSTS_KEPT, type RestoredCosts } from "../agent/books/cost-book.ts";
import { COST_KINDS, type OrderCost, type Prediction } from "../agent/books/execution-cost.ts";
import { type Fields, fieldsOf, numberIn, textIn } from "../journal/fields.ts";
import type { JournalReader } from "../journal/reader.ts";
import { money, pastFill } from "./restore-trades.ts";

const INTENTS_READ = 300;
/** An order is measured seconds after its last fill, by this run or the next. */
const UNMEASURED_FOR_MS = 3_600_000;

/** Measured costs, the last predictions, and fills of the last hour that no run has measured yet. */
export function costsOf(reader: JournalReader, nowMs: number): RestoredCosts {
  const rows = reader.rows({ kinds: ["cost"], limit: COSTS_KEPT, newest: true });
  const intents = reader.rows({ kinds: ["intent"], limit: INTENTS_READ, newest: true });
  const measured = new Set(rows.map(({ body }) => textIn(body, "orderId")));
  return {
    atMs: nowMs,
    // An older order that was never measured is one that nothing was predicted of.
    fills: reader
      .rows({ kinds: ["fill"], sinceMs: nowMs - UNMEASURED_FOR_MS, limit: INTENTS_READ, newest: true })
      .filter(({ body }) => !measured.has(textIn(body, "orderId")))
      .map(({ body, atMs }) => {
        const { execution, leg, opening } = pastFill(fieldsOf(body), atMs);
        return { execution, leg, opening, triggers: null };
      }),
    measured: rows.flatMap((row) => measuredIn(fieldsOf(row.body))),
    predicted: intents.flatMap(({ body, decisionId }) => {
      const { clientOrderId, opening, predicted } = fieldsOf(body);
      const prediction = predictionIn(fieldsOf(predicted));
      if (typeof clientOrderId !== "string" || !prediction) return [];
      return [
        { clientOrderId, decisionId, what: opening === true ? ("open" as const) : ("reduce" as const), prediction },
      ];
    }),
  };
}

function measuredIn(body: Fields): readonly OrderCost[] {
  const what = COST_KINDS.find((kind) => kind === body["what"]);
  const [valueUsdt, feeUsdt, atMs] = [money(body["valueUsdt"]), money(body["feeUsdt"]), numberIn(body, "atMs")];
  if (!what || !valueUsdt || !feeUsdt || atMs === null) return [];
  return [
    {
      orderId: textIn(body, "orderId") ?? "",
      clientOrderId: textIn(body, "clientOrderId") ?? "",
      symbol: textIn(body, "symbol") ?? "",
      leg: textIn(body, "leg") ?? "",
      what,
      side: body["side"] === "SELL" ? "SELL" : "BUY",
      atMs,
      valueUsdt,
      feeUsdt,
      predictedFeeUsdt: money(body["predictedFeeUsdt"]),
      makerShare: numberIn(body, "makerShare") ?? 0,
      slippageBps: numberIn(body, "slippageBps"),
      predictedSlippageBps: numberIn(body, "predictedSlippageBps"),
      biasBps: numberIn(body, "biasBps"),
      noiseBps: numberIn(body, "noiseBps"),
    },
  ];
}

function predictionIn(body: Fields): Prediction | null {
  const [mid, price, slippageBps] = [
    numberIn(body, "midPrice"),
    numberIn(body, "price"),
    numberIn(body, "slippageBps"),
  ];
  const feeBps = numberIn(body, "feeBps");
  if (mid === null || price === null || slippageBps === null || feeBps === null) return null;
  return {
    mid,
    price,
    slippageBps,
    biasBps: numberIn(body, "biasBps") ?? 0,
    feeBps,
    liquidity: body["liquidity"] === "MAKER" ? "MAKER" : "TAKER",
    noiseBps: numberIn(body, "noiseBps") ?? 0,
    depthShare: numberIn(body, "depthShare") ?? 0,
  };
}
