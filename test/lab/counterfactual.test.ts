/** Recorded decisions replayed with other stops, sizes and settings, over bars whose right answer is known. */
import { expect, test } from "vitest";
import { z } from "zod";
import type { Strategies } from "../../src/agent/contract/events.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import { alternativesOf } from "../../src/lab/replay/alternatives.ts";
import { counterfactual, mayBeLuck, replayBars } from "../../src/lab/replay/counterfactual.ts";
import { counterfactualText } from "../../src/lab/replay/counterfactual-text.ts";
import { recordedRun, type RecordedRun } from "../../src/lab/replay/recorded-run.ts";
import { knownPrices } from "../../src/lab/fast/bar-path.ts";
import { runFast } from "../../src/lab/fast/fast-run.ts";
import { fidelityOf } from "../../src/lab/replay/fidelity.ts";
import { replayStrategies } from "../../src/lab/replay/replay-strategy.ts";
import { readFill } from "../../src/rows/fill.ts";
import type { JournalReader } from "../../src/journal/reader.ts";
import type { JournalRow } from "../../src/rows/row.ts";
import { defineStrategy, type TargetPosition } from "../../src/strategy/strategy.ts";
import { lengthOf } from "../support/lengths.ts";
import { configOf, drawn, FROM_MS, run } from "./fast-scene.ts";

const BTC = "EXCHANGE_A_PERP_BTC_USDT";
const TEXT = "universe: [BTC]\nvenue: { kind: embedded }\nrisk: { minHolding: 2m }\n";
const CYCLES = lengthOf(8, 12);
type Bar = readonly [number, number, number, number];

/** Each cycle of an hour: calm, a fall of 1.5 % within some minutes, and a rise to 1 % above the beginning. */
function cycle(from: number): readonly Bar[] {
  const path = [
    ...Array<number>(20).fill(1),
    0.995,
    0.99,
    0.985,
    0.99,
    0.995,
    1,
    1.005,
    ...Array<number>(33).fill(1.01),
  ];
  return path.map((share, minute) => {
    const [open, close] = [from * (path[minute - 1] ?? 1), from * share].map(Math.round) as [number, number];
    return [open, Math.max(open, close) + 5, Math.min(open, close) - 5, close];
  });
}
const BARS = drawn(Array.from({ length: CYCLES }, () => cycle(60_000)).flat());
const SPAN_MS = [FROM_MS, FROM_MS + CYCLES * HOUR_MS] as const;

/** Buys in the calm of each hour with a stop of 1 %, and sells near its end. */
function hourly(): Strategies {
  const strategy = defineStrategy({
    name: "hourly",
    description: "One long position an hour.",
    settings: z.strictObject({}),
    needsModel: false,
    decide: ({ atMs }) => {
      const minute = Math.floor((atMs % HOUR_MS) / MINUTE_MS);
      if (minute !== 10 && minute !== 50) return { kind: "targets", targets: [], note: "" };
      const common = { symbol: BTC, leg: "LONG" as const, stopDistance: 0.01, targetDistance: null };
      const size = minute === 10 ? 0.5 : 0;
      return {
        kind: "targets",
        targets: [{ ...common, size, urgency: "take" as const, reason: "planted", evidence: [] }],
        note: "",
      };
    },
  });
  const armed = { strategy, settings: {}, msMax: Infinity };
  return { chosen: armed, fallback: armed };
}

/** The rows of a run, read as a journal is. */
function record(): { readonly rows: readonly JournalRow[]; readonly endUsdt: number } {
  const rows: JournalRow[] = [];
  const config = configOf("hold", ["BTC"]);
  const played = run({ ...config, cadence: { ...config.cadence, every: MINUTE_MS } }, BARS, {
    strategies: hourly(),
    minutes: CYCLES * 60,
    onRow: ({ row: kind, body, decisionId }, atMs) => {
      const seq = rows.length + 1;
      rows.push({
        seq,
        kind,
        body: JSON.parse(JSON.stringify(body)),
        decisionId,
        atMs,
        runId: "b",
        monoMs: atMs,
        hash: "",
      });
    },
  });
  return { rows, endUsdt: played.points.at(-1)?.equityUsdt ?? 0 };
}

const readAs = (rows: readonly JournalRow[]): RecordedRun => {
  const reader = {
    rows: ({ kinds = [], sinceMs = 0 }: { kinds?: readonly string[]; sinceMs?: number }) =>
      rows.filter(({ kind, atMs }) => kinds.includes(kind) && atMs >= sinceMs),
  } as unknown as Pick<JournalReader, "rows">;
  return recordedRun(reader, { fromMs: 0, toMs: Infinity });
};

const { rows, endUsdt } = record();
const recorded = readAs(rows);
const options = { text: TEXT, bars: { recorded: BARS, spanMs: SPAN_MS }, alternatives: alternativesOf([]) };

const all = counterfactual(recorded, options);
if (!all.ok) throw new Error(all.error);
const found = all.value;

test("the decisions of a run are read with their targets, and the base replay repeats the record", () => {
  expect(recorded.decisions).toHaveLength(2 * CYCLES);
  expect(recorded.heldAtStart).toBe(0);
  expect(recorded.closedTrades).toBe(CYCLES);
  const { base, fidelity } = found;
  expect(base.closedTrades).toBe(CYCLES);
  expect(base.fills).toBe(recorded.fills);
  expect(base.returnFraction).toBeCloseTo(endUsdt / 1_000 - 1, 3);
  expect(fidelity.repeats).toBe(true);
  expect(fidelity.widest).toBeLessThan(0.0005);
  expect(fidelity.atEnd).toBeCloseTo(0, 4);
});

test("where stops lie just inside a dip, wider stops are better beyond luck, and twice the size loses more", () => {
  const named = (name: string) => {
    const one = found.alternatives.find((each) => each.name === name);
    if (!one) throw new Error(`no alternative ${name}`);
    return one;
  };
  const wider = named("double the stop distance");
  expect(wider.difference).toBeGreaterThan(0.02);
  expect(wider.interval?.low).toBeGreaterThan(0);
  expect(mayBeLuck(wider)).toBe(false);
  expect(found.base.returnFraction).toBeLessThan(0);
  expect(named("half the size").difference).toBeGreaterThan(0);
  // Nothing had a profit target, so the replay is the base itself.
  const same = named("no profit targets");
  expect(same.difference).toBe(0);
  expect(mayBeLuck(same)).toBe(true);
  const { rows, words } = counterfactualText(found);
  expect(rows.map(([name]) => name)).toContain("base replay");
  expect(words.join("\n")).toContain("excludes zero for: ");
});

test("an instant between milliseconds, as of a faster practice clock, becomes the next whole one", () => {
  const between = readAs(rows.map((row) => ({ ...row, atMs: row.atMs - 0.25 })));
  expect(between.decisions.map(({ atMs }) => atMs)).toEqual(recorded.decisions.map(({ atMs }) => atMs));
});

test("a decision between two minutes is repeated at its own instant, at the price that was seen then", () => {
  const decidesAtMs = recorded.decisions.slice(0, 2).map(({ atMs }, at) => atMs + (at === 0 ? 26_100 : 41_700));
  const decisions = recorded.decisions.slice(0, 2).map((each, at) => ({ ...each, atMs: decidesAtMs[at] ?? 0 }));
  // Beyond the dip, so that only the decisions fill.
  const beyond = (target: TargetPosition): TargetPosition => ({ ...target, stopDistance: 0.02 });
  const fills: { readonly atMs: number; readonly price: number }[] = [];
  runFast({
    config: configOf("hold", ["BTC"]),
    recorded: BARS,
    strategies: replayStrategies(decisions, beyond),
    replay: {
      decidesAtMs,
      seen: new Map([[BTC, knownPrices([{ atMs: decidesAtMs[0] ?? 0, price: 60_004 }])]]),
    },
    fromMs: FROM_MS,
    forMs: HOUR_MS,
    exchanges: ["EXCHANGE_A"],
    onRow: ({ row, body }, atMs) => {
      if (row === "fill") fills.push({ atMs, price: readFill({ seq: 1, kind: row, body }).price.toNumber() });
    },
  });
  expect(fills.map(({ atMs }, at) => atMs - (decidesAtMs[at] ?? 0))).toEqual([40, 40]);
  expect(Math.abs((fills[0]?.price ?? 0) - 60_004)).toBeLessThan(6);
});

test("a base replay that is further off than a fifth of what the equity moved shows no variation", () => {
  const equities = recorded.equities.map((point, at) => ({ ...point, equityUsdt: point.equityUsdt - (at % 2) * 20 }));
  const off = counterfactual({ ...recorded, equities }, options);
  if (!off.ok) throw new Error(off.error);
  expect(off.value.fidelity).toMatchObject({ repeats: false });
  expect(off.value.alternatives).toEqual([]);
  const { rows, words } = counterfactualText(off.value);
  expect(rows.map(([name]) => name)).toEqual(["as recorded", "base replay"]);
  expect(words.join("\n")).toMatch(/more than a fifth.*no variation is shown/);
  const unknown = counterfactual({ ...recorded, equities: [] }, options);
  expect(unknown).toMatchObject({ ok: true, value: { alternatives: [], fidelity: { widest: null, repeats: false } } });
});

test("the rule is a fifth of the range, measured at the decisions", () => {
  const at = (...equities: readonly number[]) => equities.map((equityUsdt, atMs) => ({ atMs, equityUsdt }));
  const record = at(1_000, 1_010, 990);
  expect(fidelityOf(record, at(1_000, 1_006, 990), 1_000)).toEqual({
    ...{ atEnd: 0, widest: 0.004, range: 0.02 },
    repeats: true,
  });
  expect(fidelityOf(record, at(1_000, 1_005.9, 991), 1_000)).toMatchObject({ atEnd: 0.001, repeats: false });
  expect(fidelityOf(at(1_000, 1_000), at(1_000, 1_000), 1_000)).toMatchObject({ widest: 0, repeats: true });
  expect(fidelityOf(at(1_000, 1_000), at(1_000, 999), 1_000)).toMatchObject({ repeats: false });
});

test("the same input gives the same result, also with a named setting", () => {
  const alternatives = alternativesOf([{ path: "risk.perSymbolEquityShare", values: [0.1] }]).slice(-1);
  const [one, two] = [1, 2].map(() => counterfactual(recorded, { ...options, alternatives }));
  expect(one).toEqual(two);
  expect(one?.ok === true && one.value.alternatives.at(-1)?.name).toBe("risk.perSymbolEquityShare=0.1");
});

test("missing decisions, bars of another time, a missing folder and a wrong setting are named", () => {
  const empty = recordedRun({ rows: () => [] }, { fromMs: 0, toMs: 1 });
  expect(counterfactual(empty, options)).toMatchObject({ ok: false, error: expect.stringContaining("no decision") });
  const later = { recorded: BARS, spanMs: [FROM_MS + 30 * HOUR_MS, FROM_MS + 40 * HOUR_MS] as const };
  expect(counterfactual(recorded, { ...options, bars: later })).toMatchObject({
    ok: false,
    error: expect.stringContaining("no recorded decision lies within"),
  });
  expect(replayBars(TEXT, "/nowhere", undefined)).toMatchObject({
    ok: false,
    error: expect.stringContaining("/nowhere"),
  });
  const wrong = alternativesOf([{ path: "risk.nothing", values: [1] }]);
  expect(counterfactual(recorded, { ...options, alternatives: wrong })).toMatchObject({
    ok: false,
    error: expect.stringContaining("risk.nothing=1"),
  });
});
