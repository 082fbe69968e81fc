/** Where marks stop coming, a position without a stop at the venue is watched by the middle of the book. Faults M2, V8. */
import { expect, test } from "vitest";
import { BTC, position, ready, standingStop } from "../support/agent-world.ts";
import { rejected } from "../../src/protocol/codes.ts";

/** Nothing but the book of one symbol moves on, and seconds pass. */
function booked(w: ReturnType<typeof ready>, seconds: number, price: number): void {
  for (let second = 0; second < seconds; second++) {
    w.nowMs += 1_000;
    w.context.sink.received(w.nowMs);
    w.context.sink.bbo(BTC, price - 3, 5, price + 3, 5, w.nowMs);
    w.feed({ kind: "tick" });
  }
}

const supervised = (w: ReturnType<typeof ready>) =>
  w.of("record").flatMap(({ row, body }) => (row === "protection" && body["supervised"] === true ? [body] : []));

function bare() {
  const w = ready();
  w.account({ positions: [position(BTC, "0.004", "60000")] });
  w.tick();
  const { leg: positionKey } = w.last("protect");
  w.feed({ kind: "protect-sent", leg: positionKey, sent: rejected("401011", "the symbol is halted") });
  return w;
}

test("each look says what it was by", () => {
  const w = bare();
  booked(w, 30, 60_000);
  const looks = supervised(w);
  expect(looks[0]).toMatchObject({ markPrice: "60000" });
  expect(looks.at(-1)).toMatchObject({ midPrice: "60000", untilMs: expect.any(Number) as number });
  expect(looks.at(-1)).not.toHaveProperty("markPrice");
});

/** Why closes were asked for that a price beyond the stop caused. */
const closedByPrice = (w: ReturnType<typeof ready>): readonly string[] =>
  w.of("record").flatMap(({ body }) => {
    const why = String(body["why"]);
    return body["close"] && why.includes("beyond its stop") ? [why] : [];
  });

test("it is closed when the book is beyond its stop, and the log says why", () => {
  const w = bare();
  booked(w, 30, 60_000);
  expect(closedByPrice(w)).toEqual([]);
  booked(w, 10, 50_000);
  expect(closedByPrice(w).at(-1)).toContain("the middle of the book 50000 is beyond its stop");
});

test("it is watched on while an impossible price holds the symbol back, and closed beyond its stop", () => {
  const w = bare();
  booked(w, 10, 60_000);
  booked(w, 1, 60_000_000);
  expect(w.context.tradable(BTC, w.nowMs)).toBe(false);
  booked(w, 10, 60_000);
  expect(supervised(w).at(-1)).toMatchObject({ midPrice: "60000" });
  expect(closedByPrice(w)).toEqual([]);
  booked(w, 10, 50_000);
  expect(closedByPrice(w).at(-1)).toContain("the middle of the book 50000 is beyond its stop");
});

test("a stop that stands at the venue is left to the venue's own marks", () => {
  const w = ready();
  w.account({ positions: [position(BTC, "0.004", "60000")], openAlgos: [standingStop()] });
  w.tick();
  booked(w, 30, 60_000);
  booked(w, 10, 50_000);
  expect(w.of("close")).toHaveLength(0);
  expect(supervised(w)).toHaveLength(0);
});
