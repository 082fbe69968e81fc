/** What a closing fill has realised leaves the marks at once: counted twice, a loss would be one that every source confirms. */
import { test } from "vitest";
import { ready, scripted, target } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

/** Half of a position is closed at a loss of 2 USDT, where all of it shows one of 4. */
const losing = (push: string, fill = "0.5 s ago"): void =>
  void story(`
    list BTC LONG 0.004
    1 s
    stop S1 at 50000
    2 s
    price 59000
    1 s                                    -> equity 996
    ${push}
    fill SELL 0.002 @ 59000 by 301 earning -2 fee 0 ${fill}
    0.25 s                                 -> equity 996
  `);

test("a fill is booked though a push without a time came between it and its report", () =>
  losing("push BTC LONG 0.004"));

test("a fill is booked where nothing was pushed", () => losing("0 s", "now"));

test("a fill is not booked again once a push that it explains shows what is left", () =>
  losing("order 301 CANCELLED SELL LONG executed 0.002\npush BTC LONG 0.002"));

test("in one-way mode the fill of an order that reverses a position is booked too", () => {
  const chosen = scripted("open", () => ({ kind: "targets", targets: [target({ leg: "SHORT" })], note: "" }));
  story(
    `
    list nothing, one-way
    until place
    rest
    1 s
    list BTC LONG 0.002, one-way, order OPEN
    price 59000
    1 s                                    -> equity 998
    fill SELL 0.003 @ 59000 as order earning -2 fee 0 now
    0.25 s                                 -> equity 998
    `,
    ready({ strategies: { chosen, fallback: chosen } }),
  );
});
