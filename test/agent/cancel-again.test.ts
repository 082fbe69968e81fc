/** A cancel without effect is requested again until the order has ended: a resting order may fill. */
import { expect, test } from "vitest";
import { holding, ready, scripted, settingsOf, target } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const ONE = scripted("scripted", () => ({
  kind: "targets",
  targets: [target({ urgency: "rest" })],
  note: "",
}));
const resting = () => ready({ strategies: { chosen: ONE, fallback: holding() } });

/** An order that rests, and that nobody wants any more. */
const UNWANTED = `
  1 s                        -> places BTC once
  place done 301
  order OPEN by 301
  halt                       -> cancels order once
`;

test.each([
  ["refused", "refused 100018"],
  ["not sent", "blocked"],
  ["accepted without effect", "done"],
])("a cancel that is %s", (_, sent) => {
  story(
    `${UNWANTED}
    cancel ${sent}
    11 s                     -> asks order, cancels order once
    order CANCELLED by 301
    30 s                     -> nothing
    `,
    resting(),
  );
});

// By REST one may leave in 5 s: a second for the same order takes the turn of another one that still rests.
test("a cancel that waits for its slot is not requested again until it was answered", () => {
  story(
    `${UNWANTED}
    45 s                     -> nothing
    cancel done
    9 s                      -> asks order
    2 s                      -> cancels order once
    `,
    resting(),
  );
});

/** An order that has not been answered yet, with what the strategy wants next. */
function unanswered() {
  const deciding = { targets: [target({ urgency: "rest" })] };
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets: deciding.targets, note: "" }));
  const settings = settingsOf();
  const patient = { ...settings, execution: { ...settings.execution, restFor: 600_000 } };
  const w = ready({ strategies: { chosen, fallback: holding() }, settings: patient });
  w.tick(1_000);
  return { w, mind: deciding, place: w.last("place") };
}

test("an order that is accepted after the stop is withdrawn at once: no tick may follow", () => {
  const { w, place } = unanswered();
  story(
    `
    shutdown                 -> nothing
    place done 301           -> cancels order ${place.intent.clientOrderId}
    `,
    w,
  );
});

test("an order that is found only after a halt is withdrawn then", () => {
  const { w, place } = unanswered();
  story(
    `
    place unknown
    halt                     -> nothing
    1 s                      -> asks order
    order OPEN by 301
    1 s
    `,
    w,
  );
  expect(w.of("cancel")).toMatchObject([{ known: { clientOrderId: place.intent.clientOrderId } }]);
});

test("an order that waits for its turn does not leave once a newer decision wants the position flat", () => {
  const { w, mind: deciding, place } = unanswered();
  expect(w.agent.recheck(place.intent, w.nowMs)).toBeNull();
  deciding.targets = [target({ size: 0 })];
  for (let second = 0; second < 61; second++) {
    w.account();
    w.tick(1_000);
  }
  expect(w.agent.recheck(place.intent, w.nowMs)).toBe("it was withdrawn before it left");
});
