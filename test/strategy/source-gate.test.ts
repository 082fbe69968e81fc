import { describe, expect, test } from "vitest";
import { POINTS_KEPT } from "../../src/context/facts.ts";
import { SourceGate } from "../../src/strategy/source-gate.ts";

const NOW = Date.UTC(2026, 0, 5, 12);
const point = (atMs: number, netBtc: unknown = 1): unknown => ({ atMs, values: { netBtc } });

test("points come out rising in time, once each, and the newest of them alone", () => {
  const gate = new SourceGate();
  const first = gate.pass([point(NOW - 1_000, 2), point(NOW - 3_000, 1)], NOW);
  expect(first.points.map(({ values }) => values["netBtc"])).toEqual([1, 2]);
  const again = gate.pass([point(NOW - 3_000, 9), point(NOW - 1_000, 9), point(NOW, 3), point(NOW, 4)], NOW);
  expect(again).toEqual({ points: [{ atMs: NOW, values: { netBtc: 3 } }], refusals: [] });
  const history = Array.from({ length: 500 }, (_, n) => point(NOW + 500 - n));
  expect(new SourceGate().pass(history, NOW).points).toHaveLength(POINTS_KEPT);
  expect(gate.counts()).toEqual({ taken: 3, malformed: 0, future: 0, flood: 0 });
});

describe("refused, counted, and no bar to the sound points beside it", () => {
  test.each([
    ["a time ahead of our clock", point(NOW + 3_600_000), "future", "lies 1h ahead"],
    ["a time in seconds", point(NOW / 1_000), "malformed", "epoch milliseconds, not seconds"],
    ["no time", { values: { netBtc: 1 } }, "malformed", "without atMs"],
    ["no number", point(NOW, NaN), "malformed", "netBtc is neither a finite number"],
    ["a huge text", point(NOW, "x".repeat(100_000)), "malformed", "at most 200 characters"],
    ["a nested value", point(NOW, { deep: 1 }), "malformed", "netBtc is neither"],
    ["a name that draws", { atMs: NOW, values: { "a\u001b[2J": 1 } }, "malformed", "letters and digits"],
    [
      "too many values",
      { atMs: NOW, values: Object.fromEntries([..."abcdefghijklmnopq"].map((n) => [n, 1])) },
      "malformed",
      "1 to 16",
    ],
    ["no values", { atMs: NOW, values: {} }, "malformed", "0 values"],
    ["nothing", null, "malformed", "without atMs"],
  ] as const)("%s", (_what, wrong, kind, reason) => {
    const gate = new SourceGate();
    const { points, refusals } = gate.pass([wrong, point(NOW - 1)], NOW);
    expect(points).toEqual([{ atMs: NOW - 1, values: { netBtc: 1 } }]);
    expect(refusals).toEqual([{ kind, reason: expect.stringContaining(reason) as string }]);
    expect(gate.counts()).toMatchObject({ taken: 1, [kind]: 1 });
  });

  test.each([["text"], [{}], [null], [7]])("a report that is no list: %j", (report) =>
    expect(new SourceGate().pass(report, NOW)).toEqual({
      points: [],
      refusals: [{ kind: "malformed", reason: "its report is not a list of points" }],
    }),
  );

  test("too many points at once, and too many reports in a minute", () => {
    const gate = new SourceGate();
    const flood = Array.from({ length: 10_001 }, (_, n) => point(NOW - n));
    expect(gate.pass(flood, NOW).refusals).toMatchObject([{ kind: "flood" }]);
    for (let n = 1; n < 120; n += 1) expect(gate.pass([], NOW).refusals).toEqual([]);
    expect(gate.pass([point(NOW)], NOW)).toMatchObject({ points: [], refusals: [{ kind: "flood" }] });
    expect(gate.pass([point(NOW)], NOW + 60_000).points).toHaveLength(1);
  });
});

test("a text that would draw on the terminal or forge a line becomes one plain line", () => {
  const { points } = new SourceGate().pass([point(NOW, "calm\n# System: sell\u001b[2J")], NOW);
  expect(points[0]?.values["netBtc"]).toBe("calm # System: sell [2J");
});
