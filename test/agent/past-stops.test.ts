/**
 * After a restart the list of stops may be unavailable for most of a minute: stops of the previous run count as live
 * and are looked up one by one before another is placed or a position is closed. Invariants I9, I27.
 */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { story } from "../support/agent-story.ts";
import { heldBefore, type HeldBefore } from "../support/past-facts.ts";
import { BTC, position, ready, standingStop, START_MS, world, type World } from "../support/agent-world.ts";

const KEY = `${BTC}|LONG`;
const STOP_ID = standingStop().algoOrderId;
const held: HeldBefore = {
  decisionId: "d-1",
  strategy: "s",
  thesis: "up",
  stopPrice: dec("58200"),
  targetPrice: null,
  openedAtMs: START_MS,
  qty: dec("0.004"),
  avgPrice: dec("60000"),
  reportedMs: 0,
  standingAlgoId: STOP_ID,
};
const positions = [position(BTC, "0.004", "60000")];

/** Its account snapshots bring no list of stops. */
function restarted(restored: HeldBefore = held): World {
  const w = ready({ restored: { positionFacts: heldBefore(restored) } }, { openAlgos: null, positions });
  return w;
}

function pass(w: World, seconds: number): void {
  for (let second = 0; second < seconds; second++) w.tick(1_000);
}

describe("a stop that the run before left standing", () => {
  test("is looked up by its id and found: nothing is placed, nothing is closed", () => {
    story(
      `
      5 s                      -> asks S1
      found S1                 -> nothing
      60 s                     -> nothing
      0 s                      -> holds BTC LONG 0.004, stop live
      `,
      restarted(),
    );
  });

  test("a moment ago is proven gone by no list and no look-up that may lag behind it", () => {
    story(
      `
      5 s                      -> asks S1
      stops none               -> nothing
      found refused 401018     -> nothing
      8 s                      -> nothing
      4 s                      -> asks S1
      found refused 401018     -> nothing
      0.25 s                   -> protects all
      `,
      restarted({ ...held, reportedMs: START_MS - 5_000 }),
    );
  });

  test("was there all the time: no span without a stop is counted, as one is where it must be placed again", () => {
    const spans = (found: string): number =>
      story(`12 s\nfound ${found}\n0.25 s`, restarted()).agent.status(START_MS + 30_000).unprotected.spans;
    expect(spans("S1")).toBe(0);
    const replaced = story("12 s\nfound S1 CANCELLED\n0.25 s -> protects all\nstop S2\n1 s", restarted());
    expect(replaced.agent.status(replaced.nowMs).unprotected.spans).toBe(1);
  });

  test.each(["S1 CANCELLED", "refused 401097"])(
    "is %s: another one is placed at once, and there is time to",
    (found) => {
      story(
        `
      12 s                     -> asks S1
      found ${found}
      0.25 s                   -> protects all
      stop S2
      20 s                     -> nothing
      `,
        restarted(),
      );
    },
  );

  test("is looked up again without an answer, and replaced after a minute without one", () => {
    story(
      `
      5 s                      -> asks S1
      found unknown
      30 s                     -> asks S1
      24 s                     -> asks S1, protects all
      `,
      restarted(),
    );
  });

  test("that no list shows is replaced, however long the list took", () => {
    story(
      `
      30 s                     -> asks S1
      stops none
      0.25 s                   -> protects all
      `,
      restarted(),
    );
  });

  test("does not keep the position from being closed when its price is reached", () => {
    story(
      `
      6 s                      -> asks S1
      price 57000
      2 s                      -> closes
      `,
      restarted(),
    );
  });
});

test("a position that begins where another one has just ended is not taken to have that one's stop", () => {
  story(
    `
    5 s                        -> asks S1
    push BTC LONG flat
    21 s                       -> cancels S1
    push BTC LONG 0.004
    6 s                        -> protects all
    `,
    restarted(),
  );
});

test("a refusal that says nothing about the stop proves nothing: it is looked up again. Fault C1", () => {
  story(
    `
    5 s                        -> asks S1
    found refused 7000
    4 s                        -> asks S1
    `,
    restarted(),
  );
});

test("a position whose stop was only requested before is protected after five seconds, as usual", () => {
  story("6 s -> protects all", restarted({ ...held, standingAlgoId: null }));
});

test("the next run cancels a stop that outlived its position. Fault V6", () => {
  const w = ready({ restored: { stopsLeft: ["77"] } }, { openAlgos: null, positions: [] });
  pass(w, 4);
  expect(w.of("cancel-algo")).toEqual([]);
  pass(w, 4);
  expect(w.of("cancel-algo").map(({ algoOrderId }) => algoOrderId)).toEqual(["77"]);
});

describe("a stop that the previous run requested just before its end", () => {
  const ID = "p-old-7";
  const asks = (w: World) => w.of("read-algo").filter((ask) => "clientOrderId" in ask);
  const begun = (held: boolean): World =>
    ready(
      { restored: { requestedStops: [{ positionKey: KEY, clientOrderId: ID }] } },
      { openAlgos: null, positions: held ? positions : [] },
    );

  test("is looked up by its client id if its position is flat, and cancelled if it is live", () => {
    const w = begun(false);
    pass(w, 5);
    expect(asks(w)).toEqual([{ kind: "read-algo", positionKey: KEY, clientOrderId: ID }]);
    w.feed({
      kind: "algo-found",
      positionKey: KEY,
      found: { kind: "done", value: { ...standingStop(), clientOrderId: ID } },
    });
    pass(w, 8);
    expect(w.of("cancel-algo").map(({ algoOrderId }) => algoOrderId)).toEqual([STOP_ID]);
    pass(w, 60);
    expect(asks(w)).toHaveLength(1);
  });

  test("is looked up once more where the venue does not show it yet", () => {
    const w = begun(false);
    pass(w, 5);
    w.feed({
      kind: "algo-found",
      positionKey: KEY,
      found: { kind: "rejected", reason: "not-found", code: "", message: "" },
    });
    pass(w, 90);
    expect(asks(w)).toHaveLength(2);
  });

  test("is looked up beside another one of that position that was found", () => {
    const w = ready(
      { restored: { requestedStops: ["p-old-6", ID].map((clientOrderId) => ({ positionKey: KEY, clientOrderId })) } },
      { openAlgos: null, positions: [] },
    );
    pass(w, 5);
    const value = { ...standingStop(), clientOrderId: "p-old-6" };
    w.feed({ kind: "algo-found", positionKey: KEY, found: { kind: "done", value } });
    const found = { kind: "rejected", reason: "not-found", code: "", message: "" } as const;
    w.feed({ kind: "algo-found", positionKey: KEY, found });
    pass(w, 30);
    const asked = asks(w).map((ask) => "clientOrderId" in ask && ask.clientOrderId);
    expect(asked).toEqual(["p-old-6", ID, ID]);
  });

  test("is looked up as soon as there is a free slot", () => {
    const w = begun(false);
    pass(w, 5);
    w.feed({
      kind: "algo-found",
      positionKey: KEY,
      found: { kind: "rate-limited", retryAtMs: w.nowMs + 40_000, message: "our limit" },
    });
    pass(w, 39);
    expect(asks(w)).toHaveLength(1);
    pass(w, 60);
    expect(asks(w)).toHaveLength(3);
  });

  test("is left alone while its position is held", () => {
    const w = begun(true);
    pass(w, 30);
    expect(asks(w)).toEqual([]);
  });
});

describe("an earlier position whose stop is unknown", () => {
  const bare = (): World => restarted({ ...held, standingAlgoId: null });

  test("is watched from the start: the list of stops may come seconds later", () => {
    const w = bare();
    w.tick();
    const rows = w.of("record").filter(({ row, body }) => row === "protection" && body["supervised"] === true);
    expect(rows).toMatchObject([{ body: { leg: KEY, stopPrice: "58200" } }]);
    expect(w.of("protect")).toEqual([]);
  });

  test("is closed as soon as the mark is beyond its stop", () => {
    const w = bare();
    w.price(BTC, 58_000);
    w.tick(1_000);
    expect(w.of("close")).toMatchObject([{ known: { symbol: BTC, side: "LONG" } }]);
  });
});

describe("a list of stops that comes before any list of positions", () => {
  /** The position was reported of a minute before the start, so that no list may lack it for being late. */
  function unlisted(): World {
    const w = world({
      restored: {
        positionFacts: heldBefore({ ...held, openedAtMs: START_MS - 90_000, reportedMs: START_MS - 60_000 }),
      },
    });
    w.tick();
    w.feed({ kind: "algos-read", algos: [standingStop()], startedAtMs: w.nowMs });
    return w;
  }

  test("reports nothing that protects nothing, however long that list is awaited", () => {
    for (const { kind } of story("40 s", unlisted()).effects) expect(kind).not.toBe("cancel-algo");
  });

  test("is not forgotten: the position that is shown then has its stop", () => {
    story(
      `
      1 s
      list BTC LONG 0.004      -> nothing
      8 s                      -> nothing
      0 s                      -> holds BTC LONG 0.004, stop live
      `,
      unlisted(),
    );
  });

  test("is cancelled within seconds if the position was closed while no agent ran", () => {
    const w = world({
      restored: {
        positionFacts: heldBefore({ ...held, openedAtMs: START_MS - 3_000, reportedMs: START_MS - 15_000 }),
      },
    });
    w.tick();
    w.account({ openAlgos: [standingStop()], positions: [] });
    pass(w, 6);
    w.account({ openAlgos: null, positions: [] });
    pass(w, 7);
    const closed = w.of("record").filter(({ row, body }) => row === "position" && body["kind"] === "closed");
    expect(closed).toMatchObject([{ body: { leg: KEY, stop: STOP_ID } }]);
    expect(w.of("cancel-algo")).toMatchObject([{ algoOrderId: STOP_ID }]);
  });

  test("and is taken away when that list shows no position", () => {
    story(
      `
      1 s
      list nothing
      8 s                      -> cancels S1
      `,
      unlisted(),
    );
  });
});

describe("a list of stops that was asked for and not answered", () => {
  const stopsAsked = (w: World): number => w.of("read-account").filter(({ withAlgos }) => withAlgos).length;

  /** A tick a second, each read of the account answered without them; how many seconds pass until they are asked for. */
  function askedAfter(w: World): number {
    const asked = stopsAsked(w);
    for (let second = 1; second < 60; second++) {
      const read = w.of("read-account").length;
      w.tick(1_000);
      if (stopsAsked(w) > asked) return second;
      if (w.of("read-account").length > read) w.account({ positions, openAlgos: null });
    }
    return Infinity;
  }

  /** The stream came back, so that they are asked for at once: the seconds until they are asked for again after that answer. */
  function askedAgainAfter(againMs: (w: World) => number | null): number {
    const w = story(
      "list BTC LONG 0.004, S1\n60 s with list BTC LONG 0.004, S1\nlist BTC LONG 0.004, S1\nstream down\nstream up",
    );
    expect(askedAfter(w)).toBeLessThan(6);
    w.account({ positions, openAlgos: { againMs: againMs(w) } });
    return askedAfter(w);
  }

  test("is asked for again as soon as the venue takes another request", () => {
    const seconds = askedAgainAfter((w) => w.nowMs + 12_000);
    expect(seconds).toBeGreaterThanOrEqual(12);
    expect(seconds).toBeLessThanOrEqual(16);
  });

  test("is asked for again in its turn where no rate was the reason: at once, it would use up the next slots", () => {
    const seconds = askedAgainAfter(() => null);
    expect(seconds).toBeGreaterThanOrEqual(17);
    expect(seconds).toBeLessThanOrEqual(21);
  });
});
