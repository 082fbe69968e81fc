/** Orders as venues and lost answers shape them: legal for the verifier. */
import { test } from "vitest";
import * as move from "./moves.ts";
import { ETH, pass } from "./story.ts";
import { begun, held, silent, legal, type Legal } from "./legal-histories.ts";

/** Every way of opening, by position, mode, patience and road, filled at once or in parts, then closed. */
function ways(): readonly Legal[] {
  const made: Legal[] = [];
  for (const positionSide of ["LONG", "SHORT"] as const)
    for (const hedge of [true, false])
      for (const rests of [true, false])
        for (const via of ["rest", "stream"] as const)
          made.push({
            what: `${positionSide} in ${hedge ? "hedge" : "one-way"} mode, ${rests ? "resting" : "taking"}, by ${via}`,
            play: () => {
              const story = begun(hedge ? "BOTH" : "NET");
              const wanted: move.Wanted = {
                symbol: ETH,
                leg: positionSide,
                qty: "0.1",
                price: "3000",
                hedge,
                resting: rests,
                via,
              };
              const placed = move.place(story, wanted);
              if (rests) {
                move.order(story, placed, "OPEN", "0");
                move.live(story, 20_000);
                move.fill(story, placed, { qty: "0.04", of: "0.04", held: "0.04" });
                pass(story, 2_000);
                move.fill(story, placed, { qty: "0.06", held: "0.1", kind: "resized" });
              } else {
                pass(story, 200);
                move.fill(story, placed, { held: "0.1" });
              }
              const stop = move.protect(story, wanted);
              move.live(story, 30_000);
              move.close(story, wanted, stop);
              move.live(story, 40_000);
              return story;
            },
          });
  return made;
}

/** A part of a position given up by an order of its own. */
const reductions: readonly Legal[] = [true, false].flatMap((hedge) =>
  (["LONG", "SHORT"] as const).map((positionSide) =>
    legal(
      `a ${positionSide} reduced by half in ${hedge ? "hedge" : "one-way"} mode`,
      (story) => {
        const wanted: move.Wanted = { symbol: ETH, leg: positionSide, qty: "0.1", price: "3000", hedge };
        held(story, wanted);
        move.live(story, 20_000);
        const reduce = move.place(story, { ...wanted, qty: "0.05", reduce: true });
        pass(story, 100);
        move.fill(story, reduce, { held: "0.05", kind: "resized" });
        move.live(story, 40_000);
      },
      () => begun(hedge ? "BOTH" : "NET"),
    ),
  ),
);

test.each([...ways(), ...reductions])("$what", ({ play }) => silent(play()));
