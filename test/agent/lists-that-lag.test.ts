/** Lists of the venue lag both ways, and a close of ours comes back as an order that nobody announced. Fault R9. */
import { NO_TRADES } from "../../src/agent/positions/trade-book.ts";
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import type { Execution } from "../../src/domain/order.ts";
import { positionKeyOf } from "../../src/domain/position.ts";
import {
  BTC,
  position,
  ready,
  scripted,
  settingsOf,
  standingStop,
  START_MS,
  target,
  world,
} from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { heldBefore } from "../support/past-facts.ts";

const POSITION = positionKeyOf(BTC, "LONG");
const HELD = position(BTC, "0.004", "60000");

const exit = (orderId: string): Execution => ({
  transactionId: `t${orderId}`,
  orderId,
  clientOrderId: orderId,
  symbol: BTC,
  side: "SELL",
  qty: dec("0.004"),
  price: dec("60000"),
  fee: dec("0.1"),
  realizedPnl: dec("0"),
  liquidity: "TAKER",
  atMs: 0,
});

/** The position as the journal of the run before has it, last reported so long before the start. */
const reportedBefore = (agoMs: number) => ({
  positionFacts: heldBefore({
    ...{ decisionId: "d-old-1", strategy: "momentum", thesis: "it rose", stopPrice: dec("58200") },
    ...{ openedAtMs: START_MS - 60_000, reportedMs: START_MS - agoMs, standingAlgoId: standingStop().algoOrderId },
  }),
});

/** A long position of 0.004 BTC with its stop. */
const GUARDED = `
  list BTC LONG 0.004   -> nothing
  0.25 s
  stop S1               -> holds BTC LONG 0.004, stop live
`;

describe("a list that merely lacks a position", () => {
  test("takes no stop away from it, and the next list brings it back as it was", () => {
    story(`${GUARDED}
      6 s
      list nothing                 -> holds nothing
      16 s                         -> nothing
      list BTC LONG 0.004, S1      -> holds BTC LONG 0.004, stop live
      10 s                         -> nothing
    `);
  });

  test("and the record that brings it back includes what had been closed of it before", () => {
    story(`${GUARDED}
      1 s
      fill SELL 0.001 by 301 now earning 0.1
      6 s
      list nothing                 -> holds nothing
      1 s
      list BTC LONG 0.003, S1      -> holds BTC LONG 0.003, stop live
      1 s
      fill SELL 0.002 by 302 now earning 0.1
      6 s
      list nothing
      8 s                          -> nothing
    `);
  });

  test("is outweighed by a push that shows it: it is held as it was, with its stop and its plan", () => {
    const w = ready({ restored: reportedBefore(30_000) });
    story(
      `
      list BTC LONG 0.004, S1      -> holds BTC LONG 0.004, stop live
      6 s
      list nothing                 -> holds nothing
      1 s
      push BTC LONG 0.004          -> holds BTC LONG 0.004, stop live
      10 s                         -> nothing
      list BTC LONG 0.004, S1      -> holds BTC LONG 0.004, stop live
      20 s                         -> nothing
      `,
      w,
    );
    expect(w.agent.status(w.nowMs).positions[0]?.strategy).toBe("momentum");
  });

  test("costs it its stop in the end, when no later list knows it either", () => {
    story(`${GUARDED}
      6 s
      list nothing
      19 s                         -> nothing
      2 s                          -> cancels S1
    `);
  });

  test("is trusted at once if the record before it is older than the longest lag", () => {
    story(`
      list BTC LONG 0.004 changed 21 s ago   -> holds BTC LONG 0.004
      1 s
      list nothing                           -> holds nothing
    `);
    story(`
      list BTC LONG 0.004 changed 18 s ago
      1 s
      list nothing                           -> holds BTC LONG 0.004
    `);
  });

  test("is not trusted against a newer push that bears no time, however old the record was", () => {
    story(`
      list BTC LONG 0.004 changed 21 s ago
      1 s
      push BTC LONG 0.005
      1 s
      list nothing                           -> holds BTC LONG 0.005
    `);
  });

  test("is trusted at once if fills have closed all of it", () => {
    story(`${GUARDED}
      6 s
      fill SELL 0.004 by 301 now
      list nothing
      7 s                          -> cancels S1
    `);
  });
});

describe("what has been opened and no push reports", () => {
  test("is held and protected as soon as our order has filled, whatever a lagging list says", () => {
    const chosen = scripted("open", () => ({ kind: "targets", targets: [target()], note: "" }));
    story(
      `
      until place
      1 s
      list nothing, no stops
      order FILLED             -> holds BTC LONG 0.003
      0.25 s                   -> protects all
      stop S1 for 0.003
      10 s
      list nothing             -> holds BTC LONG 0.003
      20 s
      list nothing, no stops   -> holds nothing
      `,
      ready({ strategies: { chosen, fallback: chosen } }),
    );
  });

  test.each([
    [3_000, "holds nothing"],
    [20_000, "holds BTC LONG 0.003"],
  ])("is over if a list lacks it that was requested 20 s after it had filled (at %i ms)", (filledMs, then) => {
    const chosen = scripted("open", () => ({ kind: "targets", targets: [target()], note: "" }));
    story(
      `
      until place
      place unknown
      25 s
      lookup FILLED at 60000 dated ${filledMs} -> holds BTC LONG 0.003
      1 s
      list nothing             -> ${then}
      `,
      ready({ strategies: { chosen, fallback: chosen } }),
    );
  });

  test("is looked for in the list until it is there where an external order has filled", () => {
    story(`
      4 s                      -> reads once
      list nothing, no stops
      fill BUY 0.004 by 400 now
      4 s                      -> reads once
    `);
  });
});

test("a fill of another person that may have opened the other side leaves the list of this side in force", () => {
  const w = ready();
  const known = { ...HELD, updatedAtMs: w.nowMs - 5_000 };
  const opened: Execution = { ...exit("2190000000000400"), side: "BUY", atMs: w.nowMs - 6_000 };
  const sold: Execution = { ...exit("2190000000000401"), qty: dec("0.001"), atMs: w.nowMs - 1_000 };
  w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills: [opened, sold] });
  w.account({ positions: [known, { ...position(BTC, "0.001", "60000", "SHORT"), createdAtMs: w.nowMs - 1_000 }] });
  expect(w.agent.status(w.nowMs).positions.map(({ side, qty }) => [side, qty])).toEqual([
    ["LONG", "0.004"],
    ["SHORT", "0.001"],
  ]);
});

describe("a stop that comes to stand when its position is flat is taken away", () => {
  const FLAT = `
    list BTC LONG 0.004
    0.25 s                     -> protects all
    push BTC LONG flat
  `;

  // The push of a stop under another id says nothing about the one that was asked for.
  test.each([
    ["stop S1", "cancels S1, asks by its own id"],
    ["protect done S1", "cancels S1"],
  ])("reported by %s", (line, then) => {
    story(`${FLAT}
      ${line}
      8 s                      -> ${then}
    `);
  });
});

test("a stop whose cancel is only pending is cancelled: the venue may refuse it, and that push may be lost", () => {
  story(`${GUARDED}
    push BTC LONG flat
    stop S1 PENDING_CANCEL
    8 s                        -> cancels S1
  `);
});

/** Held without a stop until the agent asks for a close. */
const CLOSING = `
  list BTC LONG 0.004
  0.25 s                       -> protects all
  until close                  -> protects 0.004, closes
`;

test("a position is flat if the venue says that there is nothing to close", () => {
  story(`${CLOSING}
    close refused 401097       -> holds nothing
  `);
});

test("a list requested during a close ends the position that it lacks, although it was just reported", () => {
  story(`${CLOSING}
    close done 301
    list BTC LONG 0.004
    1 s
    list nothing               -> holds nothing
  `);
});

describe("a close that the venue accepts and then rejects: a stop is placed before the next close", () => {
  test.each([
    ["reported after the reply", ["close done 311", "order 311 REJECTED SELL LONG"]],
    ["reported before it", ["order 311 REJECTED SELL LONG", "close done 311"]],
  ])("%s", (_, [first, second]) => {
    const w = story(`${CLOSING}
      ${first}
      ${second}
      4 s                      -> protects 0.004
    `);
    const before = w.of("close").length;
    story("12 s", w);
    expect(w.of("close").length).toBeGreaterThan(before);
  });
});

describe("the order that carries out a close", () => {
  /** A close of the long position that the previous run requested, and whose reply was lost with it. */
  const lostClose = (agoMs = 5_000) => ({
    lostCloses: [{ positionKey: POSITION, atMs: START_MS - agoMs, notBeforeMs: START_MS - agoMs }],
  });

  test("is not called somebody else's, though its fill comes before the reply that names it", () => {
    story(`${CLOSING}
      fill SELL 0.004 by 301 now
      close done 301
      30 s                     -> external none
    `);
  });

  test.each([
    [5_000, "none"],
    [65_000, "303"],
  ])("is known after a restart without its reply; a minute later it counts as somebody else's (%i ms)", (agoMs, by) => {
    story(
      `
      fill SELL 0.004 by 303 earning -4 now
      30 s                     -> external ${by}
      `,
      ready({ restored: lostClose(agoMs) }),
    );
  });

  test("is not what was filled before that close was requested, though only an earlier run requested it", () => {
    story("fill SELL 0.004 by 303 earning -4 6 s ago -> external 303", ready({ restored: lostClose() }));
  });

  test("is not what opens something in hedge mode, though nothing is held and only the fill reports it", () => {
    story("fill SELL 0.004 by 309 now -> external 309", ready({ restored: lostClose() }));
  });

  test("is not what realised nothing before the close was requested: it opened the other side in hedge mode", () => {
    const w = story(`${CLOSING}
      fill SELL 0.004 @ 60100 by 305 6 s ago
    `);
    expect(w.of("record").map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ orderId: "2190000000000305", leg: `${BTC}|SHORT`, opening: true }),
    );
  });

  test("is not what realises nothing: a fill read from the list, which names no side, opened the other one", () => {
    const held = { positions: [position(BTC, "0.004", "60000")] };
    const w = story("fill SELL 0.004 @ 60100 by 304 now -> external 304", ready({ restored: lostClose() }, held));
    expect(w.of("record").map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ orderId: "2190000000000304", leg: `${BTC}|SHORT`, opening: true }),
    );
  });

  test.each([
    ["60000", "none"],
    ["60100", "313"],
  ])(
    "is not what realises nothing at another price than the entry's, though no list has been read (%s)",
    (price, by) => {
      const entry = {
        positionKey: POSITION,
        opening: true,
        execution: { ...exit("2190000000000300"), side: "BUY" as const },
      };
      const trades = { ...NO_TRADES, fills: [entry] };
      story(
        `fill SELL 0.004 @ ${price} by 313 now -> external ${by}`,
        world({ restored: { ...lostClose(), ...reportedBefore(60_000), trades } }),
      );
    },
  );

  test("is not, in one-way mode, a fill that opens the other side, which realises nothing", () => {
    story(`
      list BTC LONG 0.004, one-way
      0.25 s
      until close
      close unknown
      fill SELL 0.004 @ 59000 by 330 earning -4 now    -> external none
      8 s with list nothing, one-way
      fill SELL 0.006 @ 59010 by 331 earning 0 now     -> external 331
    `);
  });

  test("is not a fill away from the entry price that realises nothing, though its reply has not come", () => {
    const w = story(`${CLOSING}
      fill SELL 0.002 @ 60100 by 307 earning 0 now -> holds BTC LONG 0.004
    `);
    const [fill] = w.of("record").filter(({ row }) => row === "fill");
    expect(fill?.body).toMatchObject({ leg: `${BTC}|SHORT`, opening: true });
  });

  test("is not the fill that began the position on the other side, though at the entry price both realise 0", () => {
    const createdAtMs = START_MS - 1_000;
    const beside = { ...position(BTC, "0.004", "60000", "SHORT"), createdAtMs };
    const w = ready({ restored: lostClose() }, { positions: [position(BTC, "0.004", "60000"), beside] });
    w.feed({ kind: "fill", execution: { ...exit("2190000000000307"), atMs: createdAtMs } });
    story("0 s -> external 307", w);
  });

  test.each([
    [0, 0, "none"],
    [20_000, 0, "312"],
    [0, -90_000, "none"],
    [20_000, 90_000, "312"],
    [500, 90_000, "312"],
    [20, 90_000, "none"],
  ])("is not what was done %i ms before the close was asked for, by a venue's clock %i ms off", (ago, offsetMs, by) => {
    const w = ready();
    w.feed({ kind: "clock-checked", offsetMs, uncertaintyMs: 20 });
    const askedMs = story(CLOSING, w).nowMs;
    story("close unknown", w);
    const execution = { ...exit("2190000000000312"), realizedPnl: dec("-1"), atMs: askedMs - ago + offsetMs };
    w.feed({ kind: "fill", execution });
    story(`0 s -> external ${by}`, w);
  });

  test("hides no other order: what the reply does not name, or what fills after an unsent close, is external", () => {
    story(`${CLOSING}
      fill SELL 0.004 by 302
      close done 301           -> external 302
    `);
    story(`${CLOSING}
      fill SELL 0.004 by 303
      close unsent             -> external 303
    `);
  });

  test("is of its own side: an order that opens the other side is external, though no reply names the close", () => {
    story(`${CLOSING}
      close unknown
      order 305 OPEN SELL SHORT
      order 306 OPEN SELL LONG -> external 305
    `);
  });

  test("opens nothing: an order that was taken for it is external once its fill has opened the other side", () => {
    story(`${CLOSING}
      close unknown
      order 308 OPEN SELL NONE                   -> external none
      fill SELL 0.004 @ 60100 by 308 now         -> external 308
    `);
  });

  test("has no limit price: an order with one is external, though no reply names the close", () => {
    story(`${CLOSING}
      close unknown
      order 307 OPEN SELL LONG limit 61000 -> external 307
    `);
  });

  test("leaves nothing, also of what a late push had shown besides, once it has filled", () => {
    story(`
      list BTC LONG 0.004
      0.25 s
      push BTC LONG 0.008          -> holds BTC LONG 0.008
      until close
      close done 301
      order 301 FILLED SELL LONG   -> holds nothing, journal opened resized closed
      list BTC LONG 0.008          -> holds nothing
    `);
  });

  test("ends the position by its fills too, also for the run before, unless it was reported since", () => {
    const asked = (askedMs: number) =>
      ready({ restored: { ...reportedBefore(3_000), namedCloses: [{ orderId: "2190000000000301", askedMs }] } });
    const fills = `
      fill SELL 0.001 by 301 now   -> journal nothing
      fill SELL 0.003 by 301 now`;
    story(`${fills} -> journal closed\nlist BTC LONG 0.004 -> holds nothing`, asked(START_MS - 1_000));
    story(`${fills} -> journal nothing`, asked(START_MS - 4_000));
  });

  test("ends the position in parts too, whatever a push of what was left, or a list, showed in between", () => {
    const parts = (shown: string) => `
      list BTC LONG 0.004 changed 60 s ago
      until close
      close done 301
      fill SELL 0.001 by 301 now
      1 s
      ${shown}
      fill SELL 0.003 by 301 now      -> holds nothing, journal opened resized closed
      8 s with list BTC LONG 0.004 changed 60 s ago, no stops -> nothing
    `;
    story(parts("push BTC LONG 0.003"));
    story(parts("list BTC LONG 0.003 changed 0.5 s ago"));
  });

  test.each([
    ["close unknown", "fill SELL 0.004 by 301 now"],
    ["fill SELL 0.004 by 301 now", "close done 301"],
    ["close unknown", "order 301 FILLED SELL LONG dated 10000"],
  ])("ends the position if no reply named it, or one that came after its fills: %s, %s", (before, after) => {
    story(`
      list BTC LONG 0.004 changed 60 s ago
      until close
      1 s
      ${before}
      ${after}                        -> holds nothing, journal opened closed
      20 s with list BTC LONG 0.004 changed 60 s ago, no stops -> nothing
    `);
  });

  test("leaves what was reported after it had been requested", () => {
    story(`${CLOSING}
      push BTC LONG 0.008
      close done 301
      order 301 FILLED SELL LONG
      1 s
      list nothing                 -> holds BTC LONG 0.008
    `);
  });

  test("is reported as somebody else's in time when no reply comes at all", () => {
    story(`${CLOSING}
      fill SELL 0.004 by 304
      25 s                     -> external 304
    `);
  });
});

describe("a position that the run before saw a moment ago", () => {
  const seen = () => {
    const entry = { ...exit("2190000000000700"), side: "BUY" as const, atMs: START_MS - 3_000 };
    const trades = { ...NO_TRADES, fills: [{ positionKey: POSITION, opening: true, execution: entry }] };
    return ready({
      restored: {
        ...reportedBefore(3_000),
        trades,
        namedCloses: [{ orderId: "2190000000000777", askedMs: -Infinity }],
      },
    });
  };

  test("is not over because the first list lacks it: its stop stays, nothing is opened, a later list decides", () => {
    const w = story(
      `
      list nothing, S1         -> journal nothing
      10 s                     -> nothing
      list BTC LONG 0.004, no stops    -> journal opened
      `,
      seen(),
    );
    expect(w.agent.status(w.nowMs).positions).toMatchObject([{ decision: "d-old-1" }]);
  });

  test("is over when lists no longer lag, and is reported so once", () => {
    const lines = `
      list nothing, no stops
      1 s`;
    story(`${lines.repeat(30)} -> journal closed`, seen());
  });

  test("is over at once when a close of ours took all of it", () => {
    const w = story("list nothing, no stops", seen());
    w.feed({ kind: "fill", execution: { ...exit("2190000000000777"), atMs: START_MS } });
    story("1 s\nlist nothing, no stops -> journal closed", w);
  });
});

describe("our own close that took all of a position missing from a list ends the wait: its stop is cancelled", () => {
  test.each(["fill SELL 0.004 by 778 now", "order 778 FILLED SELL LONG"])("reported by %s", (line) => {
    story(
      `${GUARDED}
      6 s                      -> nothing
      list nothing, no stops   -> nothing
      ${line}
      8 s                      -> cancels S1 once
      `,
      ready({ restored: { namedCloses: [{ orderId: "2190000000000778", askedMs: -Infinity }] } }),
    );
  });
});

describe("if a position shrank while pushes were lost, its stop may have fired and is looked up once", () => {
  const LOST = `${GUARDED}
    6 s                        -> nothing
  `;

  test("where a list shows less of it than fills have left", () => {
    story(`${LOST}
      list BTC LONG 0.001      -> asks S1 once
      found S1 CANCELLED
      1 s                      -> protects all
    `);
  });

  test("after the list of executions shows a fill of an unreported order", () => {
    story(`${LOST}
      fill SELL 0.001 @ 58100 by 901 earning -1.9    -> asks S1 once
      fill SELL 0.001 @ 58100 by 902 earning -1.9    -> nothing
      list BTC LONG 0.002                            -> nothing
    `);
  });

  test("not where fills of known orders explain it", () => {
    story(`${LOST}
      order 903 FILLED SELL LONG of 0.001            -> nothing
      fill SELL 0.001 @ 58100 by 903 earning -1.9 now -> nothing
      list BTC LONG 0.003                            -> nothing
    `);
  });
});

test("what an order of this run fills is held, though a list lacked the position that it enlarges", () => {
  const { execution } = settingsOf();
  const shown = "S1, order PARTIALLY_FILLED executed 0.001";
  story(
    `
    wants BTC LONG 0.5 resting
    1 s
    rest
    1 s
    fill BUY 0.001 by 001 as order now
    order PARTIALLY_FILLED executed 0.001
    push BTC LONG 0.001
    0.25 s
    protect done S1
    stop S1
    25 s with list BTC LONG 0.001, ${shown}
    list nothing, ${shown}
    6 s
    list nothing, ${shown}             -> holds nothing
    0.25 s
    fill BUY 0.002 by 001 as order now -> holds BTC LONG 0.002
    1 s                                -> protects all, asks order
    `,
    ready({ settings: settingsOf({ execution: { ...execution, restFor: 600_000 } }) }),
  );
});

test("a list that shows another position than before causes a look-up of the stop", () => {
  story(`
    list BTC LONG 0.004 began 9 s ago, no stops
    0.25 s
    stop S1
    6 s
    list BTC LONG 0.004 began 15.25 s ago    -> nothing
    6 s                                      -> nothing
    list BTC LONG 0.004 began 2 s ago        -> asks S1 once
    found S1 CANCELLED
    6 s                                      -> protects all
  `);
});

test("a fill with a realised profit closes a position that a list lacks, whoever sent the order", () => {
  story(`${GUARDED}
    6 s                        -> nothing
    list nothing, no stops     -> nothing
    fill SELL 0.004 by 401 earning -1.5 now
    8 s                        -> cancels S1 once
  `);
});
