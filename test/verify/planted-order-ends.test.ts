/** Mistakes against the invariants of fills and the states of orders, I4 to I7. */
import { describe } from "vitest";
import { LONG_BTC } from "./base.ts";
import * as move from "./moves.ts";
import { drop, facts, factsOfOrder, last, plants, put, the } from "./plant.ts";
import { sol } from "./legal-histories.ts";
import { type Body, frame, pass, row, SOL, type Story } from "./story.ts";

const endOf = (story: Story, id: string) =>
  the(story, "intent", (body) => body["event"] === "end" && body["intentId"] === id);

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
        move.runStarts(story, "b2");
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
