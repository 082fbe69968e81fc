import { expect, test } from "vitest";
import { num } from "../../src/verify/decimal.ts";
import { decodeRow } from "../../src/verify/rows.ts";
import { decodeFact } from "../../src/verify/venue-facts.ts";
import { dayProblem } from "./day-ledger.ts";
import { drawPlan } from "./plan.ts";

const PLAN = { ...drawPlan("midnight", 1), events: [] };
const NOW_MS = PLAN.startMs + 60_000;

const fill = (id: number, fee: string, rpnl: string) => {
  const made = { fact: "execution", atMs: NOW_MS - 60_000 + id * 1_000, transactionId: String(id) };
  const fact = decodeFact({ ...made, quantity: "1", price: "1", fee, rpnl }, id);
  if (fact?.fact !== "execution") throw new Error("no execution");
  return fact;
};
const VENUE = [fill(1, "0.1", "0"), fill(2, "0.2", "-3"), fill(3, "0.4", "5")];
const rowsOf = (...ids: readonly number[]) =>
  ids.map((id) =>
    decodeRow({
      seq: id,
      kind: "fill",
      at_ms: NOW_MS,
      mono_ms: 0,
      run_id: "b",
      hash: "",
      body: `{"transactionId":"${id}"}`,
    }),
  );
const FILLS = { venue: VENUE, rows: rowsOf(1, 2, 3) };
const day = (feesTodayUsdt: string, realizedTodayUsdt: string) => ({ feesTodayUsdt, realizedTodayUsdt, atMs: NOW_MS });

test("a day may begin before any fill, and counts each since then once", () => {
  expect(num("0.1")).toEqual(VENUE[0]?.execution.fee);
  for (const [fees, realized] of [
    ["0", "0"],
    ["0.4", "5"],
    ["0.6", "2"],
    ["0.7", "2"],
  ] as const)
    expect(dayProblem(PLAN, day(fees, realized), FILLS)).toBeNull();
});

test("a fill that counts twice, or that is left out among others, is found", () => {
  for (const [fees, realized] of [
    ["0.8", "10"],
    ["0.5", "5"],
    ["0.6", "5"],
  ] as const)
    expect(dayProblem(PLAN, day(fees, realized), FILLS)).toContain(`fees ${fees}`);
});

test("nothing is said where figures were withheld, rows lost, or a fill was not heard of yet", () => {
  const doubled = day("0.8", "10");
  expect(dayProblem({ ...PLAN, gapMs: 60 }, doubled, FILLS)).toBeNull();
  const sparse = { what: "fault", atMs: 0, name: "sparse-push", params: {}, forMs: 1 } as const;
  expect(dayProblem({ ...PLAN, events: [sparse] }, doubled, FILLS)).toBeNull();
  expect(dayProblem(PLAN, day("0.3", "-3"), { ...FILLS, rows: rowsOf(1, 2) })).toBeNull();
  expect(dayProblem(PLAN, { ...day("0", "0"), atMs: NOW_MS - 1 }, FILLS)).toBeNull();
});
