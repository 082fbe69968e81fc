import { expect, test } from "vitest";
import { createContext } from "../../src/context/context.ts";
import { POINTS_KEPT } from "../../src/context/facts.ts";
import { promptTables } from "../../src/context/prompt-tables.ts";
import { encodePage } from "../../src/journal/page-codec.ts";
import { AT_MS, BTC, factOf, headroomOf, snapshotOf } from "../../src/strategy/made-snapshot.ts";

const context = createContext({ universe: [BTC], sources: [{ name: "flows", staleAfterMs: 60_000 }] });
const at = (atMs: number) => context.snapshot({ atMs, account: null, headroom: headroomOf() });
const lacks = (atMs: number) => at(atMs).missing.filter((lack) => lack.startsWith("source"));

test("a source is known by its newest point, bounded, stale once it is too old, and named as missing then", () => {
  expect(at(AT_MS).facts["flows"]).toEqual({ values: {}, atMs: null, ageMs: Infinity, stale: true, points: [] });
  expect(lacks(AT_MS)).toEqual(["source flows has no point yet"]);
  const points = Array.from({ length: 200 }, (_, n) => ({ atMs: AT_MS - 200 + n, values: { netBtc: n } }));
  context.onFacts("flows", points.slice(0, 150));
  context.onFacts("flows", points.slice(150));
  context.onFacts("nobody", points);
  const before = at(AT_MS);
  expect(before.facts["flows"]).toMatchObject({ values: { netBtc: 199 }, ageMs: 1, stale: false });
  expect(before.facts["flows"]?.points).toEqual(points.slice(-POINTS_KEPT));
  expect(Object.keys(before.facts)).toEqual(["flows"]);
  expect(lacks(AT_MS)).toEqual([]);
  expect(context.gauges().find(({ name }) => name === "context.facts")).toMatchObject({ size: 120, cap: 120 });
  // A snapshot is of its instant, whatever comes later.
  context.onFacts("flows", [{ atMs: AT_MS + 1, values: { netBtc: -5 } }]);
  expect(before.facts["flows"]?.values).toEqual({ netBtc: 199 });
  expect(at(AT_MS + 60_001).facts["flows"]?.stale).toBe(false);
  expect(at(AT_MS + 60_002).facts["flows"]).toMatchObject({ values: { netBtc: -5 }, stale: true });
  expect(lacks(AT_MS + 90_001)).toEqual(["source flows is 1m 30s old"]);
});

test("without a source nothing of it is anywhere", () => {
  const plain = createContext({ universe: [BTC] });
  expect(plain.snapshot({ atMs: AT_MS, account: null, headroom: headroomOf() }).facts).toEqual({});
  expect(plain.gauges().some(({ name }) => name === "context.facts")).toBe(false);
});

test("a prompt's table has a row for each value, with its age and whether it is stale", () => {
  const facts = {
    flows: factOf({ netBtc: -310.123456789, mood: "calm" }, 90_000),
    gas: factOf({ gwei: 12 }, 3_600_000, { stale: true }),
  };
  const budget = { tokensMax: 4_000, newsTextMax: 100, offers: () => true };
  expect(promptTables(snapshotOf({ facts }), budget).facts).toEqual([
    { source: "flows", name: "netBtc", value: -310.123, age: "1m 30s", state: "fresh" },
    { source: "flows", name: "mood", value: "calm", age: "1m 30s", state: "fresh" },
    { source: "gas", name: "gwei", value: 12, age: "1h", state: "STALE" },
  ]);
  expect(encodePage(snapshotOf({ facts }))).toContain('"netBtc":-310.123456789');
});
