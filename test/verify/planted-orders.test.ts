/** Mistakes against the invariants of orders, I1 to I10. */
import { describe } from "vitest";
import { LONG_BTC } from "./base.ts";
import * as move from "./moves.ts";
import { drop, facts, factsOfOrder, frameOf, last, plants, previewOf, put, the } from "./plant.ts";
import { type Body, BTC, ETH, fact, frame, orderIdOf, pass, row, SOL, type Story } from "./story.ts";

const endOf = (story: Story, id: string) =>
  the(story, "intent", (body) => body["event"] === "end" && body["intentId"] === id);
const sessionBody = (story: Story): Body => the(story, "session").body["session"] as Body;

describe("I1", () =>
  plants("I1", [
    [
      "a frame without any row",
      (_run, story) => void frame(story, "POST /api/v1/trading/order", { sym: BTC, side: "BUY", clientOrderId: "x-1" }),
    ],
    ["a frame that came before its row", ({ btc }, story) => void (frameOf(story, btc.id)["atMs"] = btc.out.atMs - 1)],
    [
      "a frame with another quantity than its row",
      ({ btc }, story) => void ((frameOf(story, btc.id)["params"] as Body)["orderQty"] = "0.05"),
    ],
    ["a frame with another symbol", ({ eth }, story) => void ((frameOf(story, eth.id)["params"] as Body)["sym"] = SOL)],
    [
      "a preview of other parameters",
      ({ btc }, story) => void (previewOf(story, btc.out).body["paramsHash"] = "0".repeat(64)),
    ],
    [
      "a row whose hash is not of its parameters",
      ({ btc }, story) => {
        previewOf(story, btc.out).body["paramsHash"] = "f".repeat(64);
        btc.out.body["paramsHash"] = "f".repeat(64);
      },
    ],
    [
      "a preview that had expired",
      ({ btc }, story) => void (previewOf(story, btc.out).body["expiresAtMs"] = btc.out.atMs),
    ],
    [
      "a preview of another runtime",
      ({ btc }, story) => void (previewOf(story, btc.out).body["runtime"] = "command-line"),
    ],
    ["a preview of another boot", ({ btc }, story) => void (previewOf(story, btc.out).boot = "b0")],
    ["no preview", ({ btc }, story) => drop(story, previewOf(story, btc.out))],
    [
      "a verdict that denied",
      ({ btc }, story) =>
        void (the(story, "verdict", (body) => body["clientOrderId"] === btc.id).body["kind"] = "denied"),
    ],
    [
      "no intent",
      ({ btc }, story) =>
        drop(
          story,
          the(story, "intent", (body) => body["clientOrderId"] === btc.id),
        ),
    ],
    [
      "a session that was stopped",
      ({ btc }, story) =>
        void put(story, "before", previewOf(story, btc.out), {
          kind: "session",
          body: {
            event: "stopped",
            session: { ...sessionBody(story), status: "STOPPED", stoppedAtMs: btc.out.atMs - 50 },
          },
        }),
    ],
    ["a session that had expired", ({ btc }, story) => void (sessionBody(story)["expiresAtMs"] = btc.out.atMs)],
    ["a session without the symbol", (_run, story) => void (sessionBody(story)["symbols"] = [BTC])],
    ["a session without the action", (_run, story) => void (sessionBody(story)["allowedActions"] = ["order.cancel"])],
    ["a session without the order type", (_run, story) => void (sessionBody(story)["allowedOrderTypes"] = ["MARKET"])],
    [
      "an opening order without a session",
      ({ btc }, story) => {
        for (const entry of [btc.out, previewOf(story, btc.out)]) entry.body["automationSessionId"] = null;
      },
    ],
    [
      "the same frame a second time by the agent",
      ({ btc }, story) => void story.wire.push({ ...frameOf(story, btc.id), seq: 99 }),
    ],
    [
      "a cancel that no row announced",
      (_run, story) => void frame(story, "DELETE /api/v1/trading/order", { clientOrderId: "x-9" }),
    ],
  ]));

describe("I2", () =>
  plants("I2", [
    [
      "an opening order sent again after a timeout",
      ({ btc }, story) => void story.wire.push({ ...frameOf(story, btc.id), seq: 99, atMs: story.nowMs }),
    ],
    [
      "a second wire-out row of one intent",
      ({ btc }, story) =>
        void put(story, "after", btc.out, { kind: "wire-out", body: { ...btc.out.body, previewId: "rpv_again" } }),
    ],
    [
      "a second wire-out row in a later boot",
      ({ btc }, story) => {
        move.boot(story, "b2");
        row(story, "wire-out", { ...btc.out.body, previewId: "rpv_later" });
      },
    ],
    [
      "two orders of one id at the venue",
      ({ btc }, story) =>
        void fact(story, "order", { ...factsOfOrder(story, btc)[0], atMs: story.nowMs, orderId: orderIdOf(story) }),
    ],
    [
      "more filled than was promised",
      ({ btc }, story) => {
        const [, , filled] = factsOfOrder(story, btc);
        if (filled) filled["executedQty"] = "0.006";
      },
    ],
    [
      "an intent promised twice",
      ({ btc }, story) => {
        const open = the(story, "intent", (body) => body["clientOrderId"] === btc.id);
        put(story, "after", open, { kind: "intent", body: open.body });
      },
    ],
    [
      "two intents with one client order id",
      ({ btc, eth }, story) =>
        void (the(story, "intent", (body) => body["clientOrderId"] === eth.id).body["clientOrderId"] = btc.id),
    ],
    [
      "a duplicate by the transport and no halt",
      ({ btc }, story) => {
        fact(story, "faults", { accountId: null, atMs: btc.out.atMs, on: ["duplicate-delivery"] });
        story.venue.unshift(...story.venue.splice(-1));
        fact(story, "order", { ...factsOfOrder(story, btc)[0], atMs: btc.out.atMs + 900, orderId: orderIdOf(story) });
      },
    ],
    [
      "a duplicate by the transport that fills beyond both",
      ({ btc }, story) => {
        fact(story, "faults", { accountId: null, atMs: btc.out.atMs, on: ["duplicate-delivery"] });
        story.venue.unshift(...story.venue.splice(-1));
        fact(story, "order", {
          ...factsOfOrder(story, btc)[0],
          atMs: btc.out.atMs + 900,
          orderId: orderIdOf(story),
          executedQty: "0.011",
        });
      },
    ],
  ]));

const externalOrder = (story: Story, change: Body = {}): Body =>
  fact(story, "order", {
    orderId: "2190999999999999",
    clientOrderId: "by-hand",
    algoOrderId: null,
    sym: SOL,
    side: "BUY",
    positionSide: "LONG",
    orderQty: "1",
    limitPrice: "140",
    orderState: "OPEN",
    executedQty: "0",
    reduceOnly: "FALSE",
    ...change,
  });

describe("I3", () =>
  plants("I3", [
    [
      "a foreign order that nobody tagged",
      (_run, story) => {
        externalOrder(story);
        move.live(story, 60_000);
      },
    ],
    [
      "a foreign order tagged too late",
      (_run, story) => {
        externalOrder(story);
        move.live(story, 40_000);
        row(story, "reconcile", {
          event: "external-order",
          orderId: "2190999999999999",
          clientOrderId: "by-hand",
          symbol: SOL,
        });
        move.live(story, 20_000);
      },
    ],
    [
      "the tag of another order",
      (_run, story) => {
        externalOrder(story);
        row(story, "reconcile", {
          event: "external-order",
          orderId: "2190999999999998",
          clientOrderId: "by-hand",
          symbol: SOL,
        });
        move.live(story, 60_000);
      },
    ],
    [
      "an opening in its symbol while it lives",
      (_run, story) => {
        externalOrder(story, { sym: ETH });
        row(story, "reconcile", {
          event: "external-order",
          orderId: "2190999999999999",
          clientOrderId: "by-hand",
          symbol: ETH,
        });
        move.live(story, 20_000);
        move.place(story, { symbol: ETH, leg: "LONG", qty: "0.1", price: "3000" });
      },
    ],
    [
      "an order of ours whose intent is gone",
      ({ eth }, story) => {
        for (const entry of story.entries.filter(
          ({ body }) => body["clientOrderId"] === eth.id || body["intentId"] === eth.id,
        ))
          drop(story, entry);
      },
    ],
    [
      "a market order that no close asked for",
      (_run, story) => {
        externalOrder(story, {
          orderId: "2190888888888888",
          clientOrderId: "2190888888888888",
          exchangeOrderType: "MARKET",
          sym: BTC,
          orderState: "FILLED",
          executedQty: "1",
        });
        move.live(story, 60_000);
      },
    ],
    [
      "a foreign order found after a restart and left untagged",
      (_run, story) => {
        externalOrder(story);
        pass(story, 5_000);
        move.boot(story, "b2");
        move.live(story, 60_000);
      },
    ],
  ]));

describe("I4", () =>
  plants("I4", [
    ["a timeout taken for an end", ({ btc }, story) => void (endOf(story, btc.id).body["how"] = "timeout")],
    [
      "a server error taken for a refusal",
      ({ eth }, story) =>
        void Object.assign(endOf(story, eth.id).body, { how: "refused", code: "503", message: "unavailable" }),
    ],
    [
      "a refusal without a code",
      ({ eth }, story) => void Object.assign(endOf(story, eth.id).body, { how: "refused", message: "no" }),
    ],
    ["terminal in a state that is not", ({ eth }, story) => void (endOf(story, eth.id).body["state"] = "OPEN")],
    ["terminal without an order", ({ eth }, story) => void (endOf(story, eth.id).body["orderId"] = "")],
    ["absent after two misses", ({ eth }, story) => void (endOf(story, eth.id).body = absent(eth.id, { misses: 2 }))],
    [
      "absent within ten seconds",
      ({ eth }, story) => void (endOf(story, eth.id).body = absent(eth.id, { spreadMs: 10_000 })),
    ],
    [
      "absent without a look at the executions",
      ({ eth }, story) => void (endOf(story, eth.id).body = absent(eth.id, { executionsEmpty: false })),
    ],
    ["absent while the venue has it", ({ btc }, story) => void (endOf(story, btc.id).body = absent(btc.id))],
    [
      "not sent, though the venue had answered",
      ({ eth }, story) =>
        void (endOf(story, eth.id).body = { event: "end", intentId: eth.id, how: "not-sent", reason: "?" }),
    ],
    [
      "filled another quantity than at the venue",
      ({ btc }, story) => void (endOf(story, btc.id).body["executedQty"] = "0.004"),
    ],
    [
      "cancelled in the journal, filled at the venue",
      ({ btc }, story) => void (endOf(story, btc.id).body["state"] = "CANCELLED"),
    ],
    ["ended before the venue had ended it", ({ eth }, story) => void (endOf(story, eth.id).atMs -= 5_000)],
    [
      "an end of what was never promised",
      ({ btc }, story) =>
        drop(
          story,
          the(story, "intent", (body) => body["event"] === "open" && body["intentId"] === btc.id),
        ),
    ],
  ]));

const absent = (intentId: string, change: Body = {}): Body => ({
  event: "end",
  intentId,
  how: "absent",
  misses: 4,
  spreadMs: 31_000,
  openOrdersEmpty: true,
  executionsEmpty: true,
  positionUnchanged: true,
  ...change,
});

describe("I5", () =>
  plants("I5", [
    ["a fill that was never written", (_run, story) => drop(story, the(story, "fill"))],
    [
      "a fill written twice",
      (_run, story) => {
        const fill = the(story, "fill");
        put(story, "after", fill, { kind: "fill", body: fill.body });
      },
    ],
    [
      "a fill that the venue does not know",
      (_run, story) => void (the(story, "fill").body["transactionId"] = "2199000000009999"),
    ],
    ["a fill of another quantity", (_run, story) => void (the(story, "fill").body["qty"] = "0.003")],
    ["a fill at another price", (_run, story) => void (the(story, "fill").body["price"] = "60101")],
    ["a fee that differs in the last digit", (_run, story) => void (the(story, "fill").body["fee"] = "0.06010001")],
    ["another realised result", (_run, story) => void (last(story, "fill").body["realizedPnl"] = "0.4")],
    ["a fill of the other side", (_run, story) => void (the(story, "fill").body["side"] = "SELL")],
    [
      "a position that is not flat at the venue",
      (_run, story) =>
        void (
          (facts(story, "position").at(-1) as Body | undefined) &&
          Object.assign(facts(story, "position").at(-1) ?? {}, { positionQty: "0.001" })
        ),
    ],
    [
      "a position of another size, which funding reports again at the end",
      (_run, story) => {
        const held = facts(story, "position").at(-1) ?? {};
        Object.assign(held, { positionQty: "0.001" });
        story.venue.push({ ...held, atMs: (story.entries.at(-1)?.atMs ?? 0) - 1_000 });
      },
    ],
    [
      "a position that only the journal has",
      (_run, story) => {
        row(story, "position", { leg: `${SOL}|LONG`, symbol: SOL, side: "LONG", qty: "1", kind: "opened" });
        move.live(story, 60_000);
      },
    ],
  ]));

describe("I6", () =>
  plants("I6", [
    [
      "an executed quantity that falls at the venue",
      ({ btc }, story) => void Object.assign(factsOfOrder(story, btc)[1] ?? {}, { executedQty: "0.0055" }),
    ],
    ["an order that lives again after its end", ({ eth }, story) => void move.order(story, eth, "OPEN", "0")],
    ["an order cancelled after it was filled", ({ btc }, story) => void move.order(story, btc, "CANCELLED", "0.005")],
    ["a fill after the cancel", ({ eth }, story) => void move.order(story, eth, "FILLED", "0.1")],
    [
      "two ends of one order in the journal",
      ({ btc }, story) => {
        const over = the(story, "order", (body) => body["orderId"] === btc.orderId);
        put(story, "after", over, { kind: "order", body: { ...over.body, state: "CANCELLED" } });
      },
    ],
    [
      "an executed quantity that falls in the journal",
      ({ btc }, story) => {
        const over = the(story, "order", (body) => body["orderId"] === btc.orderId);
        put(story, "after", over, { kind: "order", body: { ...over.body, executedQty: "0.002" } });
      },
    ],
    ["more executed after the end", ({ btc }, story) => void move.order(story, btc, "FILLED", "0.006")],
  ]));

const sol: move.Wanted = { symbol: SOL, leg: "LONG", qty: "1", price: "150" };
/** A resting order that is being cancelled while another one opens. */
const meanwhile = (story: Story, counted: "none" | "other" | "wrong"): void => {
  const resting = move.place(story, { ...sol, resting: true });
  move.order(story, resting, "OPEN", "0");
  pass(story, 5_000);
  move.askCancel(story, resting);
  pass(story, 5_000);
  const named = { none: [], other: ["i-b1-999"], wrong: [resting.orderId] }[counted];
  move.place(story, { ...LONG_BTC, qty: "0.001", counted: named });
};

describe("I7", () =>
  plants("I7", [
    ["an order being cancelled that nobody counts", (_run, story) => meanwhile(story, "none")],
    ["another order counted in its place", (_run, story) => meanwhile(story, "other")],
    ["counted by an id that is not its client id", (_run, story) => meanwhile(story, "wrong")],
    [
      "forgotten though only the request row stands",
      (_run, story) => {
        const resting = move.place(story, { ...sol, resting: true });
        row(story, "order", { cancel: resting.id, why: "late" });
        pass(story, 6_000);
        move.place(story, { ...LONG_BTC, qty: "0.001" });
      },
    ],
    [
      "forgotten after a restart",
      (_run, story) => {
        const resting = move.place(story, { ...sol, resting: true });
        move.askCancel(story, resting);
        move.boot(story, "b2");
        move.place(story, { ...LONG_BTC, qty: "0.001" });
      },
    ],
    [
      "forgotten when it was cancelled by the venue's id",
      (_run, story) => {
        const resting = move.place(story, { ...sol, resting: true });
        pass(story, 5_000);
        move.write(story, "order.cancel", { orderId: resting.orderId });
        frame(story, "DELETE /api/v1/trading/order", { orderId: resting.orderId });
        move.answer(story, "done");
        pass(story, 5_000);
        move.place(story, { ...LONG_BTC, qty: "0.001" });
      },
    ],
    [
      "an opening that does not say what it counted",
      (_run, story) => {
        const resting = move.place(story, { ...sol, resting: true });
        pass(story, 5_000);
        move.askCancel(story, resting);
        pass(story, 5_000);
        const blind = move.place(story, { ...LONG_BTC, qty: "0.001", counted: [resting.id] });
        blind.out.body["seen"] = null;
      },
    ],
    [
      "counted by the first of two openings alone",
      (_run, story) => {
        const resting = move.place(story, { ...sol, resting: true });
        pass(story, 5_000);
        move.askCancel(story, resting);
        pass(story, 5_000);
        move.place(story, { ...LONG_BTC, qty: "0.001", counted: [resting.id] });
        pass(story, 5_000);
        move.place(story, { ...LONG_BTC, qty: "0.001" });
      },
    ],
  ]));

/** An execution of a reducing order that does not reduce. */
const misreduced = (story: Story, change: { order?: Body; execution?: Body; held?: string; leg?: string }): void => {
  const base = { orderId: "2190777777777777", clientOrderId: "2190777777777777", sym: SOL };
  fact(story, "position", { sym: SOL, positionSide: change.leg ?? "LONG", positionQty: change.held ?? "1" });
  fact(story, "order", {
    ...base,
    algoOrderId: null,
    side: "SELL",
    positionSide: "LONG",
    orderQty: "1",
    limitPrice: "",
    orderState: "FILLED",
    executedQty: "1",
    reduceOnly: "FALSE",
    ...change.order,
  });
  fact(story, "execution", {
    ...base,
    transactionId: "2199777777777777",
    side: "SELL",
    quantity: "1",
    price: "150",
    fee: "0",
    rpnl: "0",
    ...change.execution,
  });
};

describe("I8", () =>
  plants("I8", [
    ["a close that sells more than is held", (_run, story) => misreduced(story, { execution: { quantity: "3" } })],
    ["a close that turns the position around", (_run, story) => misreduced(story, { execution: { quantity: "1.5" } })],
    ["a close of a position that is flat", (_run, story) => misreduced(story, { held: "0" })],
    ["a close that buys more", (_run, story) => misreduced(story, { execution: { side: "BUY" } })],
    [
      "a short's close that sells",
      (_run, story) => misreduced(story, { leg: "SHORT", order: { side: "BUY", positionSide: "SHORT" } }),
    ],
    [
      "a reduce-only order that opens in one-way mode",
      (_run, story) =>
        misreduced(story, { leg: "NONE", held: "-1", order: { positionSide: "NONE", reduceOnly: "TRUE" } }),
    ],
    [
      "a reduce-only order that flips in one-way mode",
      (_run, story) =>
        misreduced(story, {
          leg: "NONE",
          order: { positionSide: "NONE", reduceOnly: "TRUE" },
          execution: { quantity: "2.5" },
        }),
    ],
  ]));

describe("I9", () =>
  plants("I9", [
    [
      "a position without a stop",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.live(story, 40_000);
      },
    ],
    [
      "a stop that came after 20 s",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.live(story, 20_000);
        move.protect(story, sol);
        move.live(story, 20_000);
      },
    ],
    [
      "a stop for a part of its position",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.protect(story, { ...sol, qty: "0.4" });
        move.live(story, 40_000);
      },
    ],
    [
      "a stop for a part, not watched again 20 s after an outage",
      (_run, story) => {
        move.partThroughOutage(story, sol);
        move.live(story, 20_000);
        move.supervise(story, sol, 60_000);
        move.live(story, 20_000);
      },
    ],
    [
      "a stop for the other position",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.protect(story, { ...sol, leg: "SHORT" });
        move.live(story, 40_000);
      },
    ],
    [
      "a stop in another symbol",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.protect(story, { ...sol, symbol: ETH });
        move.live(story, 40_000);
      },
    ],
    [
      "a stop that was rejected",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.algo(story, move.protect(story, sol), "REJECTED");
        move.live(story, 40_000);
      },
    ],
    [
      "a stop that outlives its position",
      ({ stop }, story) => {
        for (const gone of facts(story, "algo", (known) => known["orderState"] === "CANCELLED"))
          story.venue.splice(story.venue.indexOf(gone), 1);
        move.live(story, 40_000);
        void stop;
      },
    ],
    [
      "a supervision that ended too soon",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.supervise(story, sol, 20_000);
        move.live(story, 60_000);
      },
    ],
    [
      "a supervision that is not taken up again after a restart",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.supervise(story, sol, 60_000);
        move.live(story, 40_000);
        pass(story, 30_000);
        move.boot(story, "b2", { positions: [{ leg: `${SOL}|LONG`, qty: "1" }] });
        move.live(story, 10_000);
        move.protect(story, sol);
        move.live(story, 20_000);
      },
    ],
    [
      "only a target and no stop",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        const stop = move.protect(story, sol);
        Object.assign(facts(story, "algo", (known) => known["algoOrderId"] === stop.algoOrderId)[0] ?? {}, {
          conditionalTriggerPrice: "",
          tpTriggerPrice: "170",
        });
        move.live(story, 40_000);
      },
    ],
  ]));

const burst = (story: Story, call: string, { times, apartMs }: { times: number; apartMs: number }): void => {
  for (let sent = 0; sent < times; sent++) {
    frame(story, call, { sym: BTC, at: sent });
    pass(story, apartMs);
  }
};

describe("I10", () =>
  plants("I10", [
    [
      "two orders within 5 s",
      (_run, story) => burst(story, "POST /api/v1/trading/order", { times: 2, apartMs: 4_900 }),
    ],
    [
      "two cancels within 5 s",
      (_run, story) => burst(story, "DELETE /api/v1/trading/order", { times: 2, apartMs: 1_000 }),
    ],
    [
      "two amendments within 5 s",
      (_run, story) => burst(story, "PUT /api/v1/trading/order", { times: 2, apartMs: 10 }),
    ],
    ["four stops within 50 s", (_run, story) => burst(story, "POST /api/v1/algo/order", { times: 4, apartMs: 16_000 })],
    [
      "two close-alls within 10 s",
      (_run, story) => burst(story, "DELETE /api/v1/trading/positions", { times: 2, apartMs: 9_999 }),
    ],
    [
      "eleven closes within 10 s",
      (_run, story) => burst(story, "DELETE /api/v1/trading/position", { times: 11, apartMs: 900 }),
    ],
    [
      "seven leverage settings within a second",
      (_run, story) => burst(story, "POST /api/v1/trading/position/leverage", { times: 7, apartMs: 150 }),
    ],
    [
      "orders on both sides of a restart",
      (_run, story) => {
        burst(story, "POST /api/v1/trading/order", { times: 1, apartMs: 1_000 });
        move.boot(story, "b2");
        burst(story, "POST /api/v1/trading/order", { times: 1, apartMs: 1_000 });
      },
    ],
    [
      "301 amendments on the stream in a minute",
      (_run, story) => burst(story, "replace_order", { times: 301, apartMs: 190 }),
    ],
  ]));
