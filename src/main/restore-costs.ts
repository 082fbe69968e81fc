/** What earlier runs measured and predicted of the cost of orders, from the journal. */
import { COSTS_KEPT, type RestoredCosts } from "../agent/cost-book.ts";
import { COST_KINDS, type OrderCost, type Prediction } from "../agent/execution-cost.ts";
import { dec, DECIMAL_PATTERN, type Decimal } from "../core/decimal.ts";
import { pastFill } from "./restore-trades.ts";
import type { JournalReader } from "../journal/reader.ts";

const INTENTS_READ = 300;
/** An order is measured seconds after its last fill, by this run or the next. */
const UNMEASURED_FOR_MS = 3_600_000;

type Body = Readonly<Record<string, unknown>>;
const bodyOf = (body: unknown): Body => (typeof body === "object" && body !== null ? (body as Body) : {});
const money = (value: unknown): Decimal | null =>
  typeof value === "string" && DECIMAL_PATTERN.test(value) ? dec(value) : null;
const figure = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);

export function costsOf(reader: JournalReader, nowMs: number): RestoredCosts {
  const rows = reader.rows({ kinds: ["cost"], limit: COSTS_KEPT, newest: true });
  const intents = reader.rows({ kinds: ["intent"], limit: INTENTS_READ, newest: true });
  const measured = new Set(rows.map(({ body }) => bodyOf(body)["orderId"]));
  return {
    atMs: nowMs,
    // An older order that was never measured is one that nothing was predicted of.
    fills: reader
      .rows({ kinds: ["fill"], sinceMs: nowMs - UNMEASURED_FOR_MS, limit: INTENTS_READ, newest: true })
      .filter(({ body }) => !measured.has(bodyOf(body)["orderId"]))
      .map(({ body, atMs }) => {
        const { execution, leg, opening } = pastFill(bodyOf(body), atMs);
        return { execution, leg, opening, triggers: null };
      }),
    measured: rows.flatMap((row) => measuredIn(bodyOf(row.body))),
    predicted: intents.flatMap(({ body, decisionId }) => {
      const { clientOrderId, opening, predicted } = bodyOf(body);
      const prediction = predictionIn(bodyOf(predicted));
      if (typeof clientOrderId !== "string" || !prediction) return [];
      return [
        { clientOrderId, decisionId, what: opening === true ? ("open" as const) : ("reduce" as const), prediction },
      ];
    }),
  };
}

function measuredIn(body: Body): readonly OrderCost[] {
  const what = COST_KINDS.find((kind) => kind === body["what"]);
  const [valueUsdt, feeUsdt, atMs] = [money(body["valueUsdt"]), money(body["feeUsdt"]), figure(body["atMs"])];
  if (!what || !valueUsdt || !feeUsdt || atMs === null) return [];
  const text = (name: string): string => (typeof body[name] === "string" ? body[name] : "");
  return [
    {
      orderId: text("orderId"),
      clientOrderId: text("clientOrderId"),
      symbol: text("symbol"),
      leg: text("leg"),
      what,
      side: body["side"] === "SELL" ? "SELL" : "BUY",
      atMs,
      valueUsdt,
      feeUsdt,
      predictedFeeUsdt: money(body["predictedFeeUsdt"]),
      makerShare: figure(body["makerShare"]) ?? 0,
      slippageBps: figure(body["slippageBps"]),
      predictedSlippageBps: figure(body["predictedSlippageBps"]),
      biasBps: figure(body["biasBps"]),
      noiseBps: figure(body["noiseBps"]),
    },
  ];
}

function predictionIn(body: Body): Prediction | null {
  const [mid, price, slippageBps] = [figure(body["midPrice"]), figure(body["price"]), figure(body["slippageBps"])];
  const feeBps = figure(body["feeBps"]);
  if (mid === null || price === null || slippageBps === null || feeBps === null) return null;
  return {
    mid,
    price,
    slippageBps,
    biasBps: figure(body["biasBps"]) ?? 0,
    feeBps,
    liquidity: body["liquidity"] === "MAKER" ? "MAKER" : "TAKER",
    noiseBps: figure(body["noiseBps"]) ?? 0,
    depthShare: figure(body["depthShare"]) ?? 0,
  };
}
