/** Where marks stop coming, a position without a stop at the venue is watched by the middle of the book. Faults M2, V8. */
import { expect, test } from "vitest";
import { ZERO } from "../../src/core/decimal.ts";
import { BTC, position, ready, START_MS, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

/** No stop can be placed for a position, as its symbol is halted. */
const BARE = `
  list BTC LONG 0.004
  0.25 s                         -> protects all
  protect refused 401011
`;
const WHY = "the middle of the book 50000 is beyond its stop";

const supervised = (w: World) =>
  w.of("record").flatMap(({ row, body }) => (row === "protection" && body["supervised"] === true ? [body] : []));

/** Why closes were asked for that a price beyond the stop caused. */
const closedByPrice = (w: World): readonly string[] =>
  w.of("record").flatMap(({ body }) => {
    const why = String(body["why"]);
    return body["close"] && why.includes("beyond its stop") ? [why] : [];
  });

test("each look says what it was by", () => {
  const looks = supervised(story(`${BARE}\n30 s of the book at 60000`));
  expect(looks[0]).toMatchObject({ markPrice: "60000" });
  expect(looks.at(-1)).toMatchObject({ midPrice: "60000", untilMs: expect.any(Number) as number });
  expect(looks.at(-1)).not.toHaveProperty("markPrice");
});

test("it is closed when the book is beyond its stop, and the log says why", () => {
  const w = story(`${BARE}\n30 s of the book at 60000`);
  expect(closedByPrice(w)).toEqual([]);
  story(`10 s of the book at 50000 -> logs order.submitted saying ${WHY}`, w);
  expect(closedByPrice(w).at(-1)).toContain(WHY);
});

test("it is watched on while an impossible price holds the symbol back, and closed beyond its stop", () => {
  const w = story(`${BARE}\n10 s of the book at 60000\n1 s of the book at 60000000`);
  expect(w.context.tradable(BTC, w.nowMs)).toBe(false);
  story("10 s of the book at 60000", w);
  expect(supervised(w).at(-1)).toMatchObject({ midPrice: "60000" });
  expect(closedByPrice(w)).toEqual([]);
  story(`10 s of the book at 50000 -> logs order.submitted saying ${WHY}`, w);
  expect(closedByPrice(w).at(-1)).toContain(WHY);
});

test("a stop that stands at the venue is left to the venue's own marks", () => {
  story(`
    list BTC LONG 0.004, S1
    0.25 s
    30 s of the book at 60000    -> nothing, writes protection never
    10 s of the book at 50000    -> nothing, writes protection never
  `);
});

test("where the market streams are silent, a list of positions without a mark closes nothing", () => {
  const w = story(`${BARE}\n6.5 s without prices`);
  const held = { ...position(BTC, "0.004", "60000"), updatedAtMs: w.nowMs };
  w.account({ positions: [{ ...held, markPrice: ZERO }], openAlgos: [] });
  story("0.25 s without prices", w);
  expect(closedByPrice(w)).toEqual([]);
});

test.each([
  ["covers a part of it", "S1 for 0.002", true],
  ["covers all of it", "S1 for 0.004", false],
])("without streams lists are read as often as marks must be young: its stop %s", (_, stop, often) => {
  const w = ready({ restored: { amendAskedMs: [START_MS, START_MS, START_MS] } });
  story(`list BTC LONG 0.004, ${stop}\n0.25 s`, w);
  let asked = 0;
  for (let ticks = 0; ticks < 120; ticks++) {
    story("0.25 s without prices", w);
    if (w.of("read-account").length > asked) story(`list BTC LONG 0.004, ${stop}`, w);
    asked = w.of("read-account").length;
  }
  expect(asked >= 6).toBe(often);
});
