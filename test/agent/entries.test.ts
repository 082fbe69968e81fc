/** How an opening goes to the book: post-only entries that chase and give up, amending, slices, and what a refusal teaches. */
import { describe, expect, test } from "vitest";
import { dec, sumDecimals, ZERO } from "../../src/core/decimal.ts";
import type { Order } from "../../src/domain/order.ts";
import type { AgentSettings } from "../../src/agent/contract/settings.ts";
import type { Effect } from "../../src/agent/contract/effects.ts";
import type { JournalReader } from "../../src/journal/reader.ts";
import { restore } from "../../src/restore/restore.ts";
import { rejected } from "../../src/protocol/codes.ts";
import type { TargetPosition } from "../../src/strategy/strategy.ts";
import { readerOf } from "../support/reader-of.ts";
import {
  BTC,
  holding,
  position,
  ready,
  rulesOf,
  scripted,
  settingsOf,
  standingStop,
  START_MS,
  update,
  target,
  type World,
} from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { whole } from "../support/rows.ts";

type Execution = AgentSettings["execution"];
type Place = Extract<Effect, { kind: "place" }>;
type Amend = Extract<Effect, { kind: "amend" }>;

const plain = settingsOf().execution;

/** A ready agent whose strategy wants what `targets` holds at the moment. */
function begin(execution: Partial<Execution> = {}, first: readonly TargetPosition[] = [target({ urgency: "rest" })]) {
  const deciding = { targets: first };
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets: deciding.targets, note: "" }));
  const settings = settingsOf({ execution: { ...plain, ...execution } });
  const w = ready({ strategies: { chosen, fallback: holding() }, settings });
  w.tick(1_000);
  return { w, mind: deciding };
}

let ids = 0;
/** The venue takes the order and lets it rest. */
function rest(w: World, effect: Place): string {
  const orderId = `21900000000${String(10_000 + ids++)}`;
  const { clientOrderId } = effect.intent;
  w.feed({ kind: "placed", clientOrderId, sent: { kind: "done", value: { orderId } } });
  w.feed({ kind: "order", update: update(effect, { orderId, state: "OPEN" }) });
  return orderId;
}

const orderOf = (w: World, effect: Place, change: Partial<Order>): Order => ({
  ...effect.intent.draft.order,
  timeInForce: effect.intent.draft.order.timeInForce ?? "GTC",
  orderId: "",
  state: "OPEN",
  executedQty: ZERO,
  avgPrice: ZERO,
  fee: ZERO,
  reason: "",
  cancelPending: false,
  createdAtMs: w.nowMs,
  updatedAtMs: w.nowMs,
  ...change,
});

/** Lets time pass in ticks of a second, reading the account as it goes. */
function pass(w: World, ms: number, shown: Parameters<World["account"]>[0] = {}): void {
  for (let gone = 0; gone < ms; gone += 1_000) {
    w.account(shown);
    w.tick(1_000);
  }
}

const rows = (w: World, kind: string): readonly Record<string, unknown>[] =>
  w.effects.flatMap((effect) => (effect.kind === "record" && effect.row === kind ? [effect.body] : []));
const amendRows = (w: World, event: string) => rows(w, "intent").filter((body) => body["event"] === event);
const dropped = (w: World): string => w.logs("order.dropped").join("\n");

function amended(w: World, place: Place, amend: Amend, orderId: string): void {
  const { clientOrderId, intentId, price, qty } = amend.intent;
  w.feed({ kind: "amend-sent", clientOrderId, intentId, sent: { kind: "done", value: { state: "OPEN" } } });
  w.feed({ kind: "order", update: update(place, { orderId, limitPrice: price, qty }) });
}

describe("a post-only entry", () => {
  test("follows a price that moves away by amending: one write, its own intent, the same order", () => {
    const { w } = begin();
    const place = w.last("place");
    expect(place.intent.draft.order).toMatchObject({ timeInForce: "GTX", limitPrice: dec("59997") });
    const orderId = rest(w, place);
    w.price(BTC, 60_030);
    pass(w, 3_000);
    expect(w.of("amend")).toHaveLength(0);
    pass(w, 3_000);
    const amend = w.last("amend");
    expect(amend.intent).toMatchObject({ clientOrderId: place.intent.clientOrderId, known: { orderId } });
    expect(amend.intent.price.toNumber()).toBeCloseTo(60_027, 0);
    expect(amendRows(w, "amend")[0]).toMatchObject({
      intentId: amend.intent.intentId,
      orderId,
      before: { price: "59997" },
    });
    amended(w, place, amend, orderId);
    expect(amendRows(w, "amend-end")).toMatchObject([{ how: "amended", intentId: amend.intent.intentId }]);
    expect(w.of("place")).toHaveLength(1);
    expect(w.of("cancel")).toHaveLength(0);
  });

  test("stays where it is while the price comes to it", () => {
    const { w } = begin();
    story(
      `rest
       price 59970
       15 s with lists`,
      w,
    );
    expect(w.of("amend")).toHaveLength(0);
  });

  test("gives up when the price ran beyond its bound, and when it was followed often enough", () => {
    const far = begin();
    story(
      `rest
       price 60200
       1 s with lists    -> cancels order`,
      far.w,
    );
    expect(far.w.of("amend")).toHaveLength(0);
    expect(far.w.last("cancel").known.symbol).toBe(BTC);

    const often = begin({ entry: { ...plain.entry, chases: 1 } });
    story(
      `rest
       price 60010
       6 s with lists    -> amends order
       amend done
       order OPEN amended
       price 60020
       6 s with lists    -> cancels order
       order CANCELLED
       0.25 s            -> nothing`,
      often.w,
    );
    expect(often.w.of("amend")).toHaveLength(1);
    expect(often.w.of("cancel")).toHaveLength(1);
    expect(often.w.of("place")).toHaveLength(1);
    expect(dropped(often.w)).toContain("it followed the price 1 time");
  });

  test("takes what is left when it may, no further than its bound, and only once the resting order has ended", () => {
    const { w } = begin({ entry: { ...plain.entry, then: "cross" } });
    const place = w.last("place");
    const orderId = rest(w, place);
    pass(w, 31_000);
    expect(w.of("cancel")).toHaveLength(1);
    expect(w.of("place")).toHaveLength(1);
    w.feed({ kind: "order", update: update(place, { orderId, state: "CANCELLED", executedQty: dec("0.001") }) });
    w.account();
    w.tick();
    const taking = w.last("place").intent.draft.order;
    expect(w.of("place")).toHaveLength(2);
    expect(taking.timeInForce).toBe("IOC");
    expect(taking.qty.add("0.001").eq(place.intent.draft.order.qty)).toBe(true);
    expect(taking.limitPrice?.toNumber()).toBeLessThanOrEqual(59_997 * 1.002);
  });

  test("that would have taken is put again at the price of then: a fact of the market, no alarm", () => {
    const { w } = begin();
    const place = w.last("place");
    w.feed({ kind: "order", update: update(place, { state: "REJECTED", reason: "a post-only order would take" }) });
    w.tick();
    expect(w.of("place")).toHaveLength(2);
    expect(w.logs("order.rejected")).toHaveLength(0);
    expect(w.of("load-rules")).toHaveLength(1);
    for (let i = 0; i < 6; i++) {
      w.feed({
        kind: "order",
        update: update(w.last("place"), { state: "REJECTED", orderId: `21900000000000${20 + i}` }),
      });
      w.tick();
    }
    expect(w.of("place")).toHaveLength(1 + plain.entry.chases);
    expect(dropped(w)).toContain("the price kept coming to it");
  });

  test("is what every target becomes when the style says so, and none when it says the other", () => {
    const made = begin({ entry: { ...plain.entry, style: "post-only" } }, [target({ urgency: "take" })]);
    expect(made.w.last("place").intent.draft.order.timeInForce).toBe("GTX");
    const taken = begin({ entry: { ...plain.entry, style: "cross" } }, [target({ urgency: "rest" })]);
    expect(taken.w.last("place").intent.draft.order.timeInForce).toBe("IOC");
  });
});

describe("a newer target about an order that rests", () => {
  test("of another size amends it, larger or smaller, in place of a second order", () => {
    const { w, mind: deciding } = begin({ restFor: 600_000 });
    const place = w.last("place");
    const orderId = rest(w, place);
    deciding.targets = [target({ urgency: "rest", size: 0.9 })];
    pass(w, 61_000);
    const larger = w.last("amend");
    expect(larger.intent.qty.gt(place.intent.draft.order.qty)).toBe(true);
    amended(w, place, larger, orderId);
    deciding.targets = [target({ urgency: "rest", size: 0.3 })];
    pass(w, 61_000);
    const smaller = w.last("amend");
    expect(smaller.intent.qty.lt(place.intent.draft.order.qty)).toBe(true);
    expect(w.of("place")).toHaveLength(1);
    expect(w.of("cancel")).toHaveLength(0);
  });

  test("the other way round withdraws it first and opens nothing beside it", () => {
    const { w, mind: deciding } = begin({ restFor: 600_000 });
    rest(w, w.last("place"));
    deciding.targets = [target({ urgency: "rest", leg: "SHORT" })];
    pass(w, 61_000);
    expect(w.of("cancel")).toHaveLength(1);
    expect(w.of("place")).toHaveLength(1);
  });

  test("without a session that allows changes it stays, or is cancelled if the target is smaller", () => {
    const { w, mind: deciding } = begin({ restFor: 600_000 });
    const session = { ...w.agent.status(w.nowMs).session };
    expect(session.active).toBe(true);
    rest(w, w.last("place"));
    w.feed({ kind: "session", session: placesOnly(w), reason: "" });
    deciding.targets = [target({ urgency: "rest", size: 0.2 })];
    pass(w, 61_000);
    expect(w.of("amend")).toHaveLength(0);
    expect(w.of("cancel")).toHaveLength(1);
  });
});

const placesOnly = (w: World) => ({
  id: "ras_test",
  active: true,
  expiresAtMs: w.nowMs + 86_400_000,
  symbols: [BTC],
  allowedActions: ["order.place"],
  allowedOrderTypes: ["LIMIT"],
  maxNotionalPerOrder: dec("400"),
  maxTotalNotional: dec("20000"),
  usedNotional: ZERO,
});

describe("an amendment whose answer did not come", () => {
  function lostReply() {
    const { w, mind: deciding } = begin({ restFor: 600_000 });
    const place = w.last("place");
    const orderId = rest(w, place);
    deciding.targets = [target({ urgency: "rest", size: 0.9 })];
    pass(w, 61_000);
    deciding.targets = [];
    const amend = w.last("amend");
    const { clientOrderId, intentId } = amend.intent;
    w.feed({ kind: "amend-sent", clientOrderId, intentId, sent: { kind: "unknown", message: "time-out" } });
    return { w, place, amend, orderId, clientOrderId };
  }

  test("is read back and never sent again; until then the larger order counts", () => {
    const { w, place, amend, orderId, clientOrderId } = lostReply();
    const facts = w.agent.wireFacts(BTC, w.nowMs);
    expect(facts?.stakes.find((stake) => stake.clientOrderId === clientOrderId)?.qty).toEqual(amend.intent.qty);
    w.tick(1_000);
    expect(w.last("look-up").clientOrderId).toBe(clientOrderId);
    const { price: limitPrice, qty } = amend.intent;
    w.feed({
      kind: "looked-up",
      clientOrderId,
      found: { kind: "done", value: orderOf(w, place, { orderId, limitPrice, qty }) },
    });
    expect(amendRows(w, "amend-end")).toMatchObject([{ how: "amended" }]);
    expect(w.of("amend")).toHaveLength(1);
  });

  test("counts as never made only after look-ups over half a minute that show the order as it was", () => {
    const { w, place, amend, orderId, clientOrderId } = lostReply();
    const look = (): void =>
      void w.feed({
        kind: "looked-up",
        clientOrderId,
        found: { kind: "done", value: orderOf(w, place, { orderId }) },
      });
    for (let i = 0; i < 10; i++) look();
    expect(amendRows(w, "amend-end")).toHaveLength(0);
    w.nowMs += 31_000;
    look();
    expect(amendRows(w, "amend-end")).toMatchObject([{ how: "absent", reads: 11 }]);
    const stake = w.agent.wireFacts(BTC, w.nowMs)?.stakes.find((one) => one.clientOrderId === clientOrderId);
    expect(stake?.qty.lt(amend.intent.qty)).toBe(true);
  });

  test("an older record that comes late does not undo a newer one", () => {
    const { w, place, amend, orderId } = lostReply();
    const { price: limitPrice, qty } = amend.intent;
    w.feed({ kind: "order", update: update(place, { orderId, limitPrice, qty, updatedAtMs: 2_000 }) });
    w.feed({ kind: "order", update: update(place, { orderId, updatedAtMs: 1_000 }) });
    const [order] = w.agent.status(w.nowMs).orders;
    expect(order?.qty).toBe(qty.toFixed());
  });

  test("an order that filled at its old price before the new one came was not amended", () => {
    const { w } = begin();
    story(
      `rest
       price 60030
       6 s with lists    -> amends order once
       order FILLED`,
      w,
    );
    expect(w.of("amend")).toHaveLength(1);
    expect(amendRows(w, "amend-end")).toMatchObject([{ how: "order-ended", price: "59997" }]);
  });

  test("it ends with its order, and a refusal that means the order is over asks for the order", () => {
    const gone = lostReply();
    gone.w.feed({ kind: "order", update: update(gone.place, { orderId: gone.orderId, state: "CANCELLED" }) });
    expect(amendRows(gone.w, "amend-end")).toMatchObject([{ how: "order-ended" }]);
    const { w, mind: deciding } = begin({ restFor: 600_000 });
    story("rest", w);
    deciding.targets = [target({ urgency: "rest", size: 0.9 })];
    story(
      `61 s with lists   -> amends order, asks order
       amend refused 401058
       0.25 s            -> asks order`,
      w,
    );
    const { clientOrderId } = w.last("amend").intent;
    expect(amendRows(w, "amend-end")).toMatchObject([{ how: "refused", code: "401058" }]);
    expect(w.last("look-up").clientOrderId).toBe(clientOrderId);
  });
});

test("a restart counts the larger of an order and its change until the venue answers, and cancels the rest", () => {
  const { w, mind: deciding } = begin({ restFor: 600_000 });
  const place = w.last("place");
  const orderId = rest(w, place);
  deciding.targets = [target({ urgency: "rest", size: 0.9 })];
  pass(w, 61_000);
  const { qty, price } = w.last("amend").intent;
  const written = w.effects.flatMap((effect, seq) =>
    effect.kind === "record"
      ? [{ seq, runId: "t1", atMs: START_MS, kind: effect.row, decisionId: effect.decisionId, body: effect.body }]
      : [],
  );
  const { clientOrderId } = place.intent;
  const out = {
    seq: 1_000_000,
    runId: "t1",
    atMs: START_MS,
    kind: "wire-out",
    decisionId: null,
    body: whole("wire-out", { clientOrderId }),
  };
  const reader = {
    opened: { state: "ok" },
    rows: ({ kinds }: { kinds?: readonly string[] } = {}) =>
      [...written, out].filter((row) => kinds?.includes(row.kind) ?? true),
    latest: () => undefined,
  } as unknown as JournalReader;
  const { openIntents, ourClientIds } = restore(reader, w.nowMs);
  expect(openIntents).toMatchObject([{ clientOrderId, draft: { order: { qty, limitPrice: price } } }]);
  const next = ready({ restored: { openIntents, ourClientIds } });
  expect(next.last("look-up").clientOrderId).toBe(clientOrderId);
  const stake = next.agent.wireFacts(BTC, next.nowMs)?.stakes.find((one) => one.clientOrderId === clientOrderId);
  expect(stake?.qty).toEqual(qty);
  next.feed({ kind: "looked-up", clientOrderId, found: { kind: "done", value: orderOf(w, place, { orderId }) } });
  const [order] = next.agent.status(next.nowMs).orders;
  expect(order?.qty).toBe(place.intent.draft.order.qty.toFixed());
  pass(next, 32_000);
  expect(next.last("cancel").known.clientOrderId).toBe(clientOrderId);
  expect(next.of("place")).toHaveLength(0);
});

describe("an order beyond its share of the visible depth", () => {
  // The book of the test holds 5 BTC a side; a share of 0.0004 of 300,000 USDT is 120 USDT.
  const slices = { depthShare: 0.0004, band: 0.002, minUsdt: dec("50"), pause: 6_000 };
  const filled = (w: World, place: Place, orderId: string): void =>
    void w.feed({
      kind: "order",
      update: update(place, { orderId, state: "FILLED", executedQty: place.intent.draft.order.qty }),
    });

  test("is sent in slices one after the other, each with its own intent under one decision", () => {
    const { w, mind: deciding } = begin({ slices }, [target({ size: 1 })]);
    deciding.targets = [];
    const all: Place[] = [];
    for (let i = 0; i < 12; i++) {
      const place = w.last("place");
      if (all.at(-1) !== place) {
        all.push(place);
        filled(w, place, rest(w, place));
      }
      const qty = sumDecimals(all.map(({ intent }) => intent.draft.order.qty));
      const shown = { positions: [position(BTC, qty.toFixed(), "60000")], openAlgos: [standingStop({ qty })] };
      pass(w, 1_000, shown);
      if (i === 2) expect(w.of("place")).toHaveLength(1);
    }
    pass(w, 30_000);
    const opened = rows(w, "intent").filter((body) => body["event"] === "open");
    const values = w.of("place").map((place) => place.intent.draft.order.qty.mul(60_000).toNumber());
    expect(values.length).toBeGreaterThan(1);
    expect(Math.max(...values)).toBeLessThan(2 * 120);
    expect(new Set(opened.map((body) => body["decisionId"])).size).toBe(1);
    expect(opened[0]).toMatchObject({ part: { no: 1 } });
  });

  test("what is left is dropped when a newer decision, a halt or the limits say so", () => {
    const later = begin({ slices }, [target({ size: 1 })]);
    filled(later.w, later.w.last("place"), rest(later.w, later.w.last("place")));
    later.w.feed({ kind: "operator", command: "halt" });
    pass(later.w, 10_000);
    expect(later.w.of("place")).toHaveLength(1);
    expect(dropped(later.w)).toContain("the limits do not agree to more");

    const flat = begin({ slices: { ...slices, pause: 120_000 } }, [target({ size: 1 })]);
    filled(flat.w, flat.w.last("place"), rest(flat.w, flat.w.last("place")));
    flat.mind.targets = [target({ size: 0 })];
    pass(flat.w, 61_000);
    expect(dropped(flat.w)).toContain("a newer decision");
  });

  test("what its last order has filled is not reported as not entered", () => {
    const resting = begin({ restFor: 600_000 });
    const place = resting.w.last("place");
    const orderId = rest(resting.w, place);
    const part = { orderId, state: "PARTIALLY_FILLED", executedQty: dec("0.001") } as const;
    resting.w.feed({ kind: "order", update: update(place, part) });
    resting.mind.targets = [target({ size: 0 })];
    pass(resting.w, 61_000, { positions: [position(BTC, "0.001", "60000")], openAlgos: null });
    expect(dropped(resting.w)).toContain("0.002 of 0.003 were not entered: a newer decision wants something else");

    const { w } = begin();
    filled(w, w.last("place"), rest(w, w.last("place")));
    w.feed({ kind: "stop", reason: "a test" });
    w.tick(1_000);
    expect(w.agent.status(w.nowMs).entries).toEqual([]);
    expect(dropped(w)).toBe("");
  });

  test("a slice that met nothing is the last one", () => {
    const { w, mind: deciding } = begin({ slices }, [target({ size: 1 })]);
    deciding.targets = [];
    story(
      `rest
       order CANCELLED
       10 s with lists   -> nothing`,
      w,
    );
    expect(w.of("place")).toHaveLength(1);
    expect(dropped(w)).toContain("the book had no more at that price");
  });
});

describe("a refusal that current reference data would have predicted", () => {
  test.each(["401015", "401017", "400001", "401011", "401023"])(
    "%s: rules and leverage are read before anything is tried again",
    (code) => {
      const { w } = begin({}, [target()]);
      const { clientOrderId } = w.last("place").intent;
      const asked = w.of("load-rules").length;
      w.feed({ kind: "placed", clientOrderId, sent: rejected(code, "no") });
      expect(w.of("load-rules")).toHaveLength(asked + 1);
      expect(w.of("read-leverage").length).toBeGreaterThan(0);
      w.readsLeverage = false;
      pass(w, 5_000);
      expect(w.of("place")).toHaveLength(1);
      expect(w.agent.status(w.nowMs).staleRules).toMatchObject([{ symbol: BTC }]);
    },
  );

  test("an order rejected after acceptance has the same effect; rules that never come are requested again", () => {
    const { w } = begin({}, [target()]);
    const place = w.last("place");
    w.feed({ kind: "order", update: update(place, { state: "REJECTED", reason: "the symbol is halted" }) });
    expect(w.logs("order.rejected")).toHaveLength(1);
    const asked = w.of("load-rules").length;
    expect(w.agent.status(w.nowMs).staleRules).toMatchObject([
      { symbol: BTC, reason: expect.stringContaining("halted") },
    ]);
    pass(w, 11_000);
    expect(w.of("load-rules")).toHaveLength(asked + 1);
    w.feed({ kind: "rules", rules: [rulesOf(BTC)] });
    w.tick();
    expect(w.agent.status(w.nowMs).staleRules).toEqual([]);
  });

  test("a duplicate id does not make the rules stale", () => {
    const { w } = begin({}, [target()]);
    const { clientOrderId } = w.last("place").intent;
    w.feed({ kind: "placed", clientOrderId, sent: rejected("406010", "no") });
    expect(w.agent.status(w.nowMs).staleRules).toEqual([]);
  });
});

describe("dust", () => {
  test("a position below the venue's smallest order is closed whole, and reported as dust", () => {
    const { w } = begin({}, []);
    const dust = { ...position(BTC, "0.0004", "60000") };
    w.account({ positions: [dust] });
    for (let i = 0; i < 25; i++) {
      w.account({ positions: [{ ...dust, updatedAtMs: w.nowMs }] });
      w.tick(1_000);
    }
    expect(w.of("close").length).toBeGreaterThan(0);
    expect(w.logs("order.submitted").join()).toContain("dust: 0.0004 held");
  });
});

test("an opening that fills after a restart opens its position with the thesis of its intent", () => {
  const trail = { breakEvenAfter: 0.01, activation: 0.02, distance: 0.01 };
  const reason = "funding is paid to us";
  const chosen = scripted("carry", () => ({
    kind: "targets",
    targets: [target({ size: 0.2, reason, trail })],
    note: "",
  }));
  const w = ready({ strategies: { chosen, fallback: holding() } });
  w.tick(1_500);
  const place = w.last("place");
  const { clientOrderId } = place.intent;
  const promised = readerOf(w);
  const left = { kind: "wire-out", seq: 1e6, atMs: START_MS, body: whole("wire-out", { clientOrderId }) };
  const reader = {
    ...promised,
    rows: (filter: { kinds?: readonly string[] }) =>
      filter.kinds?.includes("wire-out") ? [left] : promised.rows(filter as never),
  } as unknown as JournalReader;
  const { openIntents, ourClientIds } = restore(reader, w.nowMs);
  const next = ready({ restored: { openIntents, ourClientIds } });
  const { qty } = place.intent.draft.order;
  next.feed({ kind: "order", update: update(place, { state: "FILLED", executedQty: qty, avgPrice: dec("60000") }) });
  next.account({ positions: [position(BTC, qty.toFixed(), "60000")] });
  const reported = next.of("record").filter(({ row }) => row === "position");
  expect(reported.at(-1)?.body).toMatchObject({ kind: "opened", strategy: "carry", thesis: reason, trail });
});
