import { describe, expect, test } from "vitest";
import { story } from "../support/agent-story.ts";
import { dec, ZERO } from "../../src/core/decimal.ts";
import { rejected } from "../../src/protocol/codes.ts";
import {
  account,
  BTC,
  ETH,
  holding,
  position,
  ready,
  rulesOf,
  scripted,
  settingsOf,
  standingStop,
  target,
  update,
} from "../support/agent-world.ts";

/** A long position of 0.004 BTC with its stop at 58200. */
const GUARDED = `
  list BTC LONG 0.004
  0.25 s                       -> protects all
  stop S1
`;

function held() {
  const w = ready();
  w.account({ positions: [position(BTC, "0.004", "60000")] });
  w.tick();
  return w;
}

describe("a position", () => {
  test("gets a venue-side stop at once, at the default distance when no decision gave one", () => {
    const w = held();
    expect(w.last("protect").order).toMatchObject({
      condition: "ENTIRE_CLOSE_POSITION",
      qty: dec("0"),
      positionSide: "LONG",
      reduceOnly: true,
      triggerType: "MARK_PRICE",
    });
    expect(w.last("protect").order.stopLossPrice?.toFixed()).toBe("58200");
    w.feed({ kind: "algo", algo: standingStop() });
    expect(w.logs("position.protected")).toHaveLength(1);
    expect(w.agent.status(w.nowMs).positions[0]).toMatchObject({
      protection: "live",
      stopPrice: "58200",
      unprotectedForMs: null,
    });
  });

  test("keeps its stop beside a target that somebody else placed as a lone trigger. Fault O4", () => {
    story(`${GUARDED}
      stop H7 at 63000
      10 s                     -> nothing
      list BTC LONG 0.004, H7 at 63000, S1
      1 s                      -> nothing, holds BTC LONG 0.004, stop live at 58200
    `);
  });

  test("that is held at a profit knows its own stop above the entry. Fault O4", () => {
    story(`
      list BTC LONG 0.004
      0.25 s
      price 63000
      1 s
      stop S1 at 61000
      1 s                      -> stop live at 61000
    `);
  });

  const LOST = { kind: "unknown", message: "no answer within 4000 ms" } as const;
  const leg = `${BTC}|LONG`;

  test("whose stop was given up unanswered asks for the same stop again before it is closed. Fault R8", () => {
    const w = held();
    const first = w.last("protect").order;
    w.tick(4_000);
    // Still on its way: nothing is queued behind it.
    expect(w.of("protect")).toHaveLength(1);
    w.feed({ kind: "protect-sent", leg, sent: LOST });
    w.tick(250);
    expect(w.of("protect").map(({ order }) => order)).toEqual([first, first]);
    expect(w.of("close")).toEqual([]);
    w.feed({ kind: "protect-sent", leg, sent: { kind: "done", value: { algoOrderId: "2190000000000101" } } });
    w.feed({ kind: "algo", algo: standingStop({ clientOrderId: first.clientOrderId }) });
    for (let second = 0; second < 20; second++) w.tick(1_000);
    expect([w.of("protect").length, w.of("close").length]).toEqual([2, 0]);
  });

  test("whose stop has moved since the unanswered request is given the new one under the same id", () => {
    const w = held();
    const first = w.last("protect").order;
    w.tick(4_000);
    w.account({ positions: [position(BTC, "0.004", "61000")] });
    w.feed({ kind: "protect-sent", leg, sent: LOST });
    w.tick(250);
    const second = w.last("protect").order;
    expect([first.stopLossPrice, second.stopLossPrice].map((price) => price?.toFixed())).toEqual(["58200", "59170"]);
    expect(second.clientOrderId).toBe(first.clientOrderId);
  });

  test("of somebody else keeps the safer stop that just came to stand when our order adds to it", () => {
    const wider = scripted("wider", () => ({ kind: "targets", targets: [target({ stopDistance: 0.08 })], note: "" }));
    const w = ready({ strategies: { chosen: wider, fallback: wider } });
    w.tick(1_000);
    const place = w.last("place");
    w.account({ positions: [position(BTC, "0.002", "60000")] });
    w.tick();
    w.feed({ kind: "algo", algo: standingStop() });
    const { qty } = place.intent.draft.order;
    w.feed({ kind: "order", update: update(place, { state: "FILLED", executedQty: qty, avgPrice: dec("60000") }) });
    expect(place.intent.draft.stopPrice?.lt("58200")).toBe(true);
    expect(w.agent.status(w.nowMs).positions).toMatchObject([
      { wantedStopPrice: "58200", qty: qty.add("0.002").toFixed() },
    ]);
  });

  test("whose stop hangs twice is closed inside the deadline", () => {
    const w = held();
    const heldMs = w.nowMs;
    w.tick(4_000);
    w.feed({ kind: "protect-sent", leg, sent: LOST });
    for (let turn = 0; turn < 40 && w.of("close").length === 0; turn++) w.tick(250);
    expect(w.of("protect")).toHaveLength(2);
    expect(w.nowMs - heldMs).toBeLessThan(10_000);
  });

  test("whose stop the venue knows by its id has it looked up, not placed under another form. Fault V1", () => {
    const w = held();
    const { clientOrderId } = w.last("protect").order;
    w.tick(4_000);
    w.feed({ kind: "protect-sent", leg, sent: LOST });
    w.tick(250);
    w.feed({ kind: "protect-sent", leg, sent: rejected("406010", "Duplicate clientOrderId") });
    expect(w.last("read-algo")).toMatchObject({ leg, clientOrderId });
    const algo = standingStop({ clientOrderId });
    w.feed({ kind: "algo-found", leg, found: { kind: "done", value: algo } });
    for (let second = 0; second < 10; second++) w.tick(1_000);
    expect([w.of("protect").length, w.of("close").length]).toEqual([2, 0]);
    expect(w.agent.status(w.nowMs).positions[0]).toMatchObject({ protection: "live" });
    // Once it is over, the next one is another stop.
    w.feed({ kind: "algo", algo: { ...algo, state: "CANCELLED" } });
    w.tick(250);
    expect(w.of("protect")).toHaveLength(3);
    expect(w.last("protect").order.clientOrderId).not.toBe(clientOrderId);
  });

  test("whose stop was seen to stand before its answer was given up gets no second one", () => {
    const w = held();
    w.feed({ kind: "algo", algo: standingStop({ clientOrderId: w.last("protect").order.clientOrderId }) });
    w.tick(4_000);
    w.feed({ kind: "protect-sent", leg, sent: LOST });
    for (let second = 0; second < 20; second++) w.tick(1_000);
    expect(w.of("protect")).toHaveLength(1);
  });

  test("whose stop cannot be placed within the deadline is closed", () => {
    const w = held();
    for (let seconds = 0; seconds < 20; seconds++) {
      const { leg: positionKey } = w.last("protect");
      w.feed({ kind: "protect-sent", leg: positionKey, sent: rejected("50001", "not now") });
      w.tick(1_000);
    }
    expect(w.of("close").length).toBeGreaterThan(0);
    expect(w.of("close")[0]?.known.symbol).toBe(BTC);
  });

  test("gets its slot back if the stop provably never left; its close is requested again. Faults D1, D8", () => {
    const w = held();
    const busy = { kind: "blocked", message: "no row could be written: the disk is busy" } as const;
    for (let seconds = 0; seconds < 9; seconds++) {
      w.feed({ kind: "protect-sent", leg: w.last("protect").leg, sent: busy });
      w.tick(1_000);
    }
    const turns = w.agent.gauges().find(({ name }) => name === "agent.stopsAsked");
    expect([w.of("protect").length, turns?.size]).toEqual([2, 0]);
    let answered = 0;
    for (let seconds = 0; seconds < 20; seconds++) {
      if (w.of("close").length > answered) {
        answered += 1;
        w.feed({ kind: "close-sent", leg: w.last("protect").leg, sent: busy });
      }
      w.tick(1_000);
    }
    expect(w.of("close").length).toBeGreaterThan(5);
  });

  test("if its close is refused, another stop is requested: the venue may accept that", () => {
    const w = held();
    const refused = rejected("401050", "not now");
    let asked = { protect: 0, close: 0 };
    for (let seconds = 0; seconds < 120; seconds++) {
      const [protect, close] = [w.of("protect").length, w.of("close").length];
      const { leg: positionKey } = w.last("protect");
      if (protect > asked.protect) w.feed({ kind: "protect-sent", leg: positionKey, sent: refused });
      if (close > asked.close) w.feed({ kind: "close-sent", leg: positionKey, sent: refused });
      asked = { protect, close };
      w.tick(1_000);
    }
    expect(asked.close).toBeGreaterThan(5);
    // One of the venue's three turns in 50 s stays free for other positions.
    expect(asked.protect).toBeGreaterThanOrEqual(4);
    expect(asked.protect).toBeLessThanOrEqual(6);
  });

  test("whose stop is lost gets another", () => {
    story(`${GUARDED}
      stop S1 CANCELLED
      5 s                      -> protects all
    `);
  });

  test("that grew has its stop follow its size", () => {
    const w = held();
    w.feed({ kind: "algo", algo: standingStop() });
    w.feed({
      kind: "position",
      update: { symbol: BTC, positionSide: "LONG", qty: dec("0.006"), avgPrice: dec("60000"), leverage: 2 },
    });
    w.tick(5_000);
    expect(w.last("amend-protection")).toMatchObject({ algoOrderId: "2190000000000101" });
    expect(w.last("amend-protection").change.qty?.toFixed()).toBe("0.006");
  });

  test("that is gone leaves no stop behind", () => {
    story(`${GUARDED}
      push BTC LONG flat
      list nothing, S1         -> cancels S1
    `);
  });

  test.each([
    [1, { kind: "unknown", message: "not now" }],
    [1, rejected("100018", "not now")],
    [0, rejected("401058", "not now")],
  ] as const)("whose stop's cancel did not go through has it asked for again (%i: %j)", (again, sent) => {
    const w = held();
    w.feed({ kind: "algo", algo: standingStop() });
    w.feed({
      kind: "position",
      update: { symbol: BTC, positionSide: "LONG", qty: ZERO, avgPrice: ZERO, leverage: null },
    });
    w.account({ openAlgos: [standingStop()] });
    const asked = w.of("cancel-algo").length;
    w.feed({ kind: "algo-cancel-sent", algoOrderId: "2190000000000101", sent });
    w.tick(5_000);
    expect(w.of("cancel-algo")).toHaveLength(asked);
    w.tick(2_000);
    expect(w.of("cancel-algo")).toHaveLength(asked + again);
  });

  test("without a standing stop is watched here: a mark beyond the stop closes it", () => {
    story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all
      price 58000
      1 s                      -> closes
    `);
  });

  test("no more positions are opened than can be protected in the venue's window", () => {
    const symbols = [BTC, ETH];
    const w = ready({
      strategies: {
        chosen: scripted("s", () => ({
          kind: "targets",
          targets: symbols.map((symbol) => target({ symbol, size: 0.3 })),
          note: "",
        })),
        fallback: holding(),
      },
    });
    const open = [position(BTC, "0.004", "60000"), position(ETH, "0.1", "3000", "SHORT"), position(ETH, "0.1", "3000")];
    w.account({ positions: open });
    w.tick(1_000);
    expect(w.of("protect")).toHaveLength(3);
    expect(w.of("place").filter((place) => place.intent.opening)).toHaveLength(0);
  });
});

test("a list requested before a close does not bring the position back", () => {
  const w = held();
  const askedMs = w.nowMs;
  w.tick(500);
  w.feed({
    kind: "position",
    update: { symbol: BTC, positionSide: "LONG", qty: ZERO, avgPrice: ZERO, leverage: null },
  });
  w.tick(500);
  w.account({ startedAtMs: askedMs, positions: [position(BTC, "0.004", "60000")] });
  expect(w.agent.status(w.nowMs).positions).toHaveLength(0);
  w.tick(500);
  // The venue's reads lag: an old position in a list soon after its close is old news, later it is held.
  w.account({ positions: [position(BTC, "0.004", "60000")] });
  expect(w.agent.status(w.nowMs).positions).toHaveLength(0);
  w.tick(11_000);
  w.account({ positions: [position(BTC, "0.004", "60000")] });
  expect(w.agent.status(w.nowMs).positions).toHaveLength(0);
  w.tick(10_000);
  w.account({ positions: [position(BTC, "0.004", "60000")] });
  expect(w.agent.status(w.nowMs).positions).toHaveLength(1);
});

describe("the floor", () => {
  test("a true fall seen by two witnesses flattens and halts; a lone bad reading liquidates nothing", () => {
    const w = held();
    w.feed({ kind: "algo", algo: standingStop() });
    w.feed({
      kind: "asset",
      asset: { exchange: "EXCHANGE_A", coin: "USDT", balance: dec("1000"), available: dec("1000"), frozen: ZERO },
    });
    w.account({ positions: [position(BTC, "0.004", "60000")], account: [account("0")] });
    w.tick(1_000);
    expect(w.of("close")).toHaveLength(0);
    expect(w.agent.status(w.nowMs).floorState).toBe("NORMAL");
    w.feed({
      kind: "asset",
      asset: { exchange: "EXCHANGE_A", coin: "USDT", balance: dec("810"), available: dec("810"), frozen: ZERO },
    });
    w.account({ positions: [position(BTC, "0.004", "60000")], account: [account("810")] });
    w.tick(1_000);
    expect(w.agent.status(w.nowMs).floorState).toBe("FLATTEN");
    expect(w.last("close").known.symbol).toBe(BTC);
    w.feed({
      kind: "position",
      update: { symbol: BTC, positionSide: "LONG", qty: ZERO, avgPrice: ZERO, leverage: null },
    });
    w.tick(1_000);
    expect(w.agent.status(w.nowMs).floorState).toBe("HALT");
  });

  test.each([
    ["all", "0.01", "-100"],
    ["a part", "0.008", "-80"],
  ])("the loss of a close of %s is counted once where no push reports the position. Fault U4", (_, qty, lost) => {
    const w = ready();
    w.account({ positions: [position(BTC, "0.01", "60000")] });
    w.feed({ kind: "algo", algo: standingStop({ qty: dec("0.01") }) });
    w.price(BTC, 50_000);
    w.tick(1_000);
    const execution = {
      transactionId: "2190000000000901",
      orderId: "2190000000000900",
      clientOrderId: "",
      symbol: BTC,
      side: "SELL",
      qty: dec(qty),
      price: dec("50000"),
      fee: ZERO,
      realizedPnl: dec(lost),
      liquidity: "TAKER",
      atMs: w.nowMs,
    } as const;
    w.feed({ kind: "fill", execution });
    w.tick(1_000);
    expect(w.agent.status(w.nowMs)).toMatchObject({ floorState: "NORMAL", equityUsdt: "900" });
    // What is left of it falls on, and counts.
    w.price(BTC, 45_000);
    w.tick(1_000);
    expect(w.agent.status(w.nowMs)).toMatchObject({ equityUsdt: qty === "0.01" ? "900" : "890" });
  });

  test.each(["before it", "while it is being closed"])(
    "a halt %s keeps nothing from being closed near the floor",
    (when) => {
      const plain = settingsOf();
      const risk = { ...plain.risk, warnUsdt: dec("930"), holdUsdt: dec("920"), flattenUsdt: dec("900") };
      const shown = { positions: [position(BTC, "0.004", "60000")], openAlgos: [standingStop()] };
      const w = ready({ settings: { ...plain, risk } });
      const halt = () => w.feed({ kind: "operator", command: "halt" });
      const fall = () => {
        const balance = dec("890");
        const asset = { exchange: "EXCHANGE_A", coin: "USDT", balance, available: balance, frozen: ZERO };
        w.feed({ kind: "asset", asset });
        w.account({ ...shown, account: [account("890")] });
        w.tick(1_000);
      };
      w.account(shown);
      w.tick(1_000);
      if (when === "before it") halt();
      fall();
      if (when !== "before it") halt();
      expect(w.of("close")).toHaveLength(1);
      w.feed({ kind: "close-sent", leg: `${BTC}|LONG`, sent: { kind: "not-sent", message: "the line was down" } });
      w.tick(3_000);
      expect(w.of("close")).toHaveLength(2);
      expect(w.agent.status(w.nowMs).floorState).toBe("HALT");
    },
  );

  test("nothing counts as closed near the floor that a later list may bring back. Fault R9", () => {
    const w = held();
    const equityIs = (text: string): void => {
      const balance = dec(text);
      w.feed({
        kind: "asset",
        asset: { exchange: "EXCHANGE_A", coin: "USDT", balance, available: balance, frozen: ZERO },
      });
    };
    const shown = { positions: [position(BTC, "0.004", "60000")], openAlgos: [standingStop()] };
    equityIs("815");
    w.account({ ...shown, account: [account("815")] });
    w.tick(1_000);
    expect(w.of("close")).toHaveLength(1);
    w.feed({ kind: "close-sent", leg: `${BTC}|LONG`, sent: { kind: "unknown", message: "no answer" } });
    w.tick(6_000);
    w.account({ account: [account("815")] });
    w.tick(1_000);
    expect(w.agent.status(w.nowMs).positions).toEqual([]);
    equityIs("825");
    w.account({ ...shown, account: [account("825")] });
    w.tick(1_000);
    expect(w.agent.status(w.nowMs).positions).toHaveLength(1);
    expect(w.of("close").length).toBeGreaterThan(1);
    expect(w.agent.status(w.nowMs).floorState).toBe("FLATTEN");
  });

  test("HALT survives a restart and ends by the operator's word", () => {
    const w = ready({
      restored: { floor: "HALT" },
      strategies: {
        chosen: scripted("s", () => ({ kind: "targets", targets: [target()], note: "" })),
        fallback: holding(),
      },
    });
    w.tick(1_000);
    expect(w.of("place")).toHaveLength(0);
    w.feed({ kind: "operator", command: "resume" });
    w.nowMs += 60_000;
    w.account();
    w.tick(1_000);
    expect(w.of("place")).toHaveLength(1);
  });
});

describe("stopping", () => {
  test("withdraws openings, leaves positions and their stops, opens nothing more", () => {
    const w = ready({
      strategies: {
        chosen: scripted("s", () => ({ kind: "targets", targets: [target({ urgency: "rest" })], note: "" })),
        fallback: holding(),
      },
    });
    w.account({ positions: [position(ETH, "0.1", "3000")] });
    w.feed({ kind: "algo", algo: standingStop({ symbol: ETH, qty: dec("0.1"), triggerPrice: dec("2910") }) });
    w.tick(1_000);
    const { intent } = w.last("place");
    w.feed({
      kind: "placed",
      clientOrderId: intent.clientOrderId,
      sent: { kind: "done", value: { orderId: "2190000000000001" } },
    });
    w.feed({ kind: "stop", reason: "SIGTERM" });
    expect(w.last("cancel").known.clientOrderId).toBe(intent.clientOrderId);
    const before = w.of("place").length;
    for (let i = 0; i < 5; i++) w.tick(61_000);
    expect(w.of("place")).toHaveLength(before);
    expect(w.of("close").filter((close) => close.known.symbol === ETH)).toHaveLength(0);
  });
});

test("in one-way mode a position that turned is not closed in the name of the side that it had. Fault O4", () => {
  const oneWay = { account: [{ ...account("1000"), positionMode: "NET" as const }] };
  const w = ready({}, oneWay);
  w.account({ ...oneWay, positions: [position(BTC, "0.004", "60000")] });
  w.feed({ kind: "algo", algo: standingStop({ positionSide: "NONE" }) });
  w.tick(6_000);
  const turned = {
    symbol: BTC,
    positionSide: "NONE",
    qty: dec("-0.004"),
    avgPrice: dec("57000"),
    leverage: 2,
  } as const;
  w.price(BTC, 57_000);
  w.feed({ kind: "position", update: turned });
  for (let n = 0; n < 7; n++) w.tick(1_000);
  expect(w.of("close")).toEqual([]);
  w.account({ ...oneWay, positions: [position(BTC, "0.004", "57000", "SHORT")] });
  expect(w.agent.status(w.nowMs).positions.map(({ side }) => side)).toEqual(["SHORT"]);
});

test("a position on an exchange in the other position mode is protected and closed in that mode. Fault U5", () => {
  const other = "EXCHANGE_B_PERP_BTC_USDT";
  const accounts = [account("1000"), { ...account("1000"), exchange: "EXCHANGE_B", positionMode: "NET" as const }];
  const w = ready({ settings: settingsOf({ phase: 2, universe: [BTC, other] }) }, { account: accounts });
  w.feed({ kind: "rules", rules: [rulesOf(BTC), rulesOf(other)] });
  w.account({ account: accounts, positions: [position(BTC, "0.004", "60000"), position(other, "0.004", "60000")] });
  w.tick();
  expect(w.of("protect").map(({ order }) => [order.symbol, order.positionSide])).toEqual([
    [BTC, "LONG"],
    [other, "NONE"],
  ]);
  const refused = rejected("50001", "not now");
  for (const { leg: positionKey } of w.of("protect")) w.feed({ kind: "protect-sent", leg: positionKey, sent: refused });
  for (let seconds = 0; seconds < 20; seconds++) w.tick(1_000);
  const closes = w.of("close").map(({ known, hedgeMode }) => [known.symbol, hedgeMode] as const);
  expect(new Map(closes)).toEqual(
    new Map([
      [BTC, true],
      [other, false],
    ]),
  );
});

describe("the form of a stop", () => {
  const inMode = (positionMode: "BOTH" | "NET") => {
    const w = ready();
    w.account({ account: [{ ...account("1000"), positionMode }], positions: [position(BTC, "0.004", "60000")] });
    w.tick();
    return w;
  };

  test("has a quantity and a side in one-way mode, where a position may turn", () => {
    const { order } = inMode("NET").last("protect");
    expect(order).toMatchObject({ condition: "CONDITIONAL", side: "SELL", positionSide: "NONE", qty: dec("0.004") });
  });

  test("a form that the venue accepts after refusing another is requested first from then on", () => {
    const w = held();
    w.feed({ kind: "protect-sent", leg: `${BTC}|LONG`, sent: rejected("400001", "no close types") });
    w.tick(250);
    expect(w.last("protect").order.condition).toBe("CONDITIONAL");
    w.feed({ kind: "protect-sent", leg: `${BTC}|LONG`, sent: { kind: "done", value: { algoOrderId: "1" } } });
    w.account({ positions: [position(BTC, "0.004", "60000"), position(ETH, "0.1", "3000")] });
    w.tick(250);
    expect(w.last("protect").order).toMatchObject({ symbol: ETH, condition: "CONDITIONAL", qty: dec("0.1") });
  });

  test("stays as it was where the venue says that there is nothing to close", () => {
    const w = held();
    w.feed({ kind: "protect-sent", leg: `${BTC}|LONG`, sent: rejected("401097", "nothing to close") });
    w.tick(4_100);
    expect(w.last("protect").order.condition).toBe("ENTIRE_CLOSE_POSITION");
  });
});
