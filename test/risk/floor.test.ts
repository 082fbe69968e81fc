import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec, type Decimal } from "../../src/core/decimal.ts";
import { equityQuorum, nextFloor } from "../../src/risk/floor.ts";
import { RISK } from "../support/risk.ts";
import type { FloorState } from "../../src/risk/view.ts";

const settings = RISK;
const said = (text: string): Decimal | null => (text === "-" ? null : dec(text));
const readings = (line: string): { rest: Decimal | null; stream: Decimal | null; own: Decimal | null } => {
  const [rest = "-", stream = "-", own = "-"] = line.split(/\s+/);
  return { rest: said(rest), stream: said(stream), own: said(own) };
};

describe("the ladder, step by step (REST, stream, own)", () => {
  test.each<[FloorState, string, FloorState]>([
    ["NORMAL", "1000 1000 1000", "NORMAL"],
    ["NORMAL", "879 879 879", "WARN"],
    ["NORMAL", "849 849 849", "HOLD"],
    ["NORMAL", "819 819 819", "FLATTEN"],
    ["WARN", "881 881 881", "WARN"],
    ["WARN", "890 890 890", "NORMAL"],
    ["HOLD", "870 870 870", "HOLD"],
    ["HOLD", "881 881 881", "NORMAL"],
    ["HOLD", "819 819 819", "FLATTEN"],
    ["FLATTEN", "1000 1000 1000", "FLATTEN"],
    ["HALT", "1000 1000 1000", "HALT"],
    // the lower one of two that agree counts
    ["NORMAL", "830 815 -", "FLATTEN"],
    // a true crash seen by two, the third left behind
    ["NORMAL", "600 605 1000", "FLATTEN"],
    ["NORMAL", "0 0 1000", "FLATTEN"],
    // one wrong source
    ["NORMAL", "0 1000 1000", "NORMAL"],
    ["NORMAL", "1000 -50 1000", "NORMAL"],
    ["NORMAL", "10000 1000 1000", "NORMAL"],
    // alone
    ["NORMAL", "0 - -", "NORMAL"],
    ["NORMAL", "- -1 -", "NORMAL"],
    ["NORMAL", "500 - -", "HOLD"],
    ["WARN", "1000 - -", "WARN"],
    // all at odds, or silent
    ["NORMAL", "1000 700 100", "NORMAL"],
    ["HOLD", "- - -", "HOLD"],
  ])("%s, %s: %s", (previous, line, next) => {
    expect(nextFloor(previous, readings(line), settings).state).toBe(next);
  });

  test("doubt is reported, with the figures", () => {
    expect(equityQuorum(readings("0 1000 1000"), settings)).toMatchObject({
      agreed: true,
      reason: "rest 0 disagrees with stream 1000, own 1000",
    });
    expect(equityQuorum(readings("1000 700 -"), settings)).toMatchObject({ agreed: false, equityUsdt: null });
    expect(equityQuorum(readings("- 900 -"), settings)).toMatchObject({
      agreed: false,
      reason: "only stream 900 is known",
    });
    expect(equityQuorum(readings("- - -"), settings)).toMatchObject({ agreed: false, equityUsdt: null });
  });

  test("no single source, whatever it says, flattens an account that two others see whole", () => {
    const any = fc.integer({ min: -100_000, max: 1_000_000 }).map((cents) => dec(cents).div(100));
    fc.assert(
      fc.property(any, fc.constantFrom("rest", "stream", "own"), (lie, liar) => {
        const whole = { rest: dec("1000"), stream: dec("1001"), own: dec("1000.5"), [liar]: lie };
        const next = nextFloor("NORMAL", whole, settings);
        expect(next.state).toBe("NORMAL");
        expect(next.equityUsdt?.gte("970")).toBe(true);
      }),
    );
  });
});
