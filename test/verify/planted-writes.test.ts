/** Mistakes against the invariants of what is sent and how it ends, I1 to I3. */
import { describe } from "vitest";
import * as move from "./moves.ts";
import { drop, factsOfOrder, frameOf, plants, previewOf, put, the } from "./plant.ts";
import { type Body, BTC, ETH, fact, frame, orderIdOf, pass, row, SOL, type Story } from "./story.ts";

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
    ["a preview of another run", ({ btc }, story) => void (previewOf(story, btc.out).runId = "b0")],
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
      "a second wire-out row in a later run",
      ({ btc }, story) => {
        move.runStarts(story, "b2");
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
        move.runStarts(story, "b2");
        move.live(story, 60_000);
      },
    ],
  ]));
