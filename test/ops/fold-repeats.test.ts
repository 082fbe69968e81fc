/** The same refusal again and again: one line at once, then counts that add up. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldRepeats, type Line } from "../../src/ops/fold-repeats.ts";

const denied = (atMs: number, given: Partial<Line> = {}): Line => ({
  atMs,
  level: "info",
  evt: "review.verdict",
  msg: `BUY EXCHANGE_A_PERP_BTC_USDT denied (max-positions: 3 of 3 positions, ${atMs} ms)`,
  fields: { decision: `d-${atMs}`, verdict: "denied" },
  ...given,
});

describe("repeats", () => {
  test("are counted and written when a span is over, which doubles", () => {
    const fold = foldRepeats();
    const reported: string[] = [];
    for (let atMs = 0; atMs <= 4 * 3_600_000; atMs += 30_000)
      for (const line of fold.pass(denied(atMs)))
        reported.push(`${line.atMs / 60_000}: ${String(line.fields["repeats"] ?? "first")}`);
    expect(reported).toEqual([
      "0: first",
      "1: 1",
      "3: 4",
      "7: 8",
      "15: 16",
      "31: 32",
      "63: 64",
      "123: 120",
      "183: 120",
    ]);
    expect(fold.rest(4 * 3_600_000)[0]?.fields["repeats"]).toBe(115);
    expect(fold.rest(4 * 3_600_000)).toEqual([]);
  });

  test("show the newest figures, the count and since when", () => {
    const fold = foldRepeats();
    fold.pass(denied(0));
    fold.pass(denied(1_000));
    const [line] = fold.pass(denied(61_000));
    expect(line).toMatchObject({ atMs: 61_000, level: "info", fields: { decision: "d-1000", repeats: 1 } });
    expect(line?.msg).toMatch(/1000 ms\) \(1 more time since 00:00:00Z\)$/);
  });

  test("are first ones again after an hour without one", () => {
    const fold = foldRepeats();
    const later = 8 * 3_600_000;
    expect(fold.pass(denied(0))).toEqual([denied(0)]);
    for (let atMs = 60_000; atMs < later; atMs += 60_000) fold.pass(denied(atMs, { evt: "equity.marked" }));
    expect(fold.pass(denied(later))).toEqual([denied(later)]);
  });

  test("of other limits, symbols or events are their own, and approvals and information are never folded", () => {
    const fold = foldRepeats();
    const lines = [
      denied(0),
      denied(1, { msg: "BUY EXCHANGE_A_PERP_ETH_USDT denied (max-positions: 3 of 3 positions)" }),
      denied(2, { msg: "BUY EXCHANGE_A_PERP_BTC_USDT denied (cushion: 3 of 3)" }),
      denied(3, { evt: "order.dropped" }),
      denied(4, { fields: { verdict: "approved" } }),
      denied(5, { fields: { verdict: "approved" } }),
      denied(6, { evt: "order.filled" }),
      denied(7, { evt: "order.filled" }),
      denied(8, { evt: "model.failed" }),
      denied(9, { evt: "model.failed" }),
      denied(10, { evt: "model.failed", level: "warn" }),
    ];
    for (const line of lines) expect(fold.pass(line)).toEqual([line]);
    expect(fold.pass(denied(11, { evt: "model.failed", level: "warn" }))).toEqual([]);
  });

  test("of any kind and order: what is written and counted is what came", () => {
    const steps = fc.array(fc.record({ gapMs: fc.integer({ min: 0, max: 2_000_000 }), kind: fc.nat({ max: 400 }) }), {
      maxLength: 600,
    });
    const letters = (kind: number): string => [...String(kind)].map((digit) => "abcdefghij"[Number(digit)]).join("");
    fc.assert(
      fc.property(steps, (given) => {
        const fold = foldRepeats();
        let atMs = 0;
        const reported = given.flatMap(({ gapMs, kind }) => {
          atMs += gapMs;
          return fold.pass(denied(atMs, { msg: letters(kind) }));
        });
        const all = [...reported, ...fold.rest(atMs)];
        return all.reduce((sum, { fields }) => sum + Number(fields["repeats"] ?? 1), 0) === given.length;
      }),
      { numRuns: 50 },
    );
  });
});
