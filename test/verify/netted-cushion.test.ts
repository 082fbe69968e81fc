/** I14 of a coin that is held both ways on two exchanges: what it lets pass, and what it still finds. */
import { describe, expect, test } from "vitest";
import { honestRun, LONG_BTC } from "./base.ts";
import * as move from "./moves.ts";
import { hold, reconfigure } from "./plant.ts";
import { BTC, findingsOf, history, pass, type Story } from "./story.ts";

const OTHER = BTC.replace("EXCHANGE_A", "EXCHANGE_B");

/** The sentences of I14 on an account that holds a long here, and opens a short there. */
function judged(act: (story: Story) => void, gapHedged: number | null = 0.04): readonly string[] {
  const { story } = honestRun();
  if (gapHedged !== null) reconfigure(story, "risk", { gapHedged });
  act(story);
  return (findingsOf(history(story)).get("I14") ?? []).map(({ what }) => what);
}

const pair =
  (long: string, short: string, equity = "1000") =>
  (story: Story): void => {
    hold(story, BTC, { qty: long, price: "60000", equity });
    move.symbol(story, OTHER);
    move.mark(story, OTHER, "60000");
    move.place(story, { ...LONG_BTC, symbol: OTHER, leg: "SHORT", qty: short, price: "60000" });
  };

describe("the two sides of a coin", () => {
  test("may be as large as the cushion carries of one of them and the residual of the other", () => {
    // 1080 x 0.12 + 1080 x 0.04 + 2160 x 0.001 = 174.96 of 180.
    expect(judged(pair("0.018", "0.018"))).toEqual([]);
  });

  test("and no larger", () => {
    expect(judged(pair("0.0186", "0.0186"))).toEqual([expect.stringMatching(/lacks 0\.792 USDT of cushion/)]);
  });

  test("count in full where the journal knows no residual, as agents did before there was one", () => {
    expect(judged(pair("0.018", "0.018"), null)).toEqual([expect.stringContaining("of cushion")]);
  });

  test("count with no less than the smallest residual that a file may set", () => {
    expect(judged(pair("0.0205", "0.0205"), 0.001)).toEqual([]);
    expect(judged(pair("0.0215", "0.0215"), 0.001)).toEqual([expect.stringContaining("of cushion")]);
  });
});

describe("an equity under the floor", () => {
  const apart = (story: Story, there: string): void => {
    hold(story, BTC, { qty: "0.02", price: "60000", equity: "850" });
    hold(story, OTHER, { qty: "-0.02", side: "SHORT", price: "60000", equity: "850" });
    pass(story, 1_000);
    move.mark(story, OTHER, there);
    move.account(story, "799");
  };
  const fell = expect.stringContaining("no held symbol had jumped") as string;

  test("is excused where the sides moved further apart than insured", () => {
    expect(judged((story) => apart(story, "62500"))).not.toContainEqual(fell);
  });

  test("and not where they kept together", () => {
    expect(judged((story) => apart(story, "62300"))).toContainEqual(fell);
  });
});
