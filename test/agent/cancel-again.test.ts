/** A cancel that came to nothing is asked for again, until the order has ended: what rests in the book may fill. */
import { expect, test } from "vitest";
import { holding, ready, scripted, settingsOf, update, target } from "../support/agent-world.ts";
import { rejected } from "../../src/protocol/codes.ts";

/** An order that rests, and that nobody wants any more. */
function unwanted() {
  const deciding = { targets: [target({ urgency: "rest" })] };
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets: deciding.targets, note: "" }));
  const w = ready({ strategies: { chosen, fallback: holding() } });
  w.tick(1_000);
  const place = w.last("place");
  const { clientOrderId } = place.intent;
  const orderId = "2190000000010000";
  w.feed({ kind: "placed", clientOrderId, sent: { kind: "done", value: { orderId } } });
  w.feed({ kind: "order", update: update(place, { orderId, state: "OPEN" }) });
  w.feed({ kind: "operator", command: "halt" });
  expect(w.of("cancel")).toHaveLength(1);
  const wait = (seconds: number): void => {
    for (let second = 0; second < seconds; second++) w.tick(1_000);
  };
  return { w, place, orderId, clientOrderId, wait };
}

test.each([
  ["refused", rejected("100018", "API key unknown or disabled")],
  ["not sent", { kind: "blocked", message: "its row could not be written" }],
  ["accepted without effect", { kind: "done", value: undefined }],
] as const)("a cancel that is %s", (_, sent) => {
  const { w, place, orderId, clientOrderId, wait } = unwanted();
  w.feed({ kind: "cancel-sent", clientOrderId, sent });
  wait(11);
  expect(w.of("cancel")).toHaveLength(2);
  w.feed({ kind: "order", update: update(place, { orderId, state: "CANCELLED" }) });
  wait(30);
  expect(w.of("cancel")).toHaveLength(2);
});

// By REST one may leave in 5 s: a second for the same order takes the turn of another one that still rests.
test("a cancel that waits for its turn is not asked for again until it has been answered", () => {
  const { w, clientOrderId, wait } = unwanted();
  wait(45);
  expect(w.of("cancel")).toHaveLength(1);
  w.feed({ kind: "cancel-sent", clientOrderId, sent: { kind: "done", value: undefined } });
  wait(9);
  expect(w.of("cancel")).toHaveLength(1);
  wait(2);
  expect(w.of("cancel")).toHaveLength(2);
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
  const { clientOrderId } = place.intent;
  w.feed({ kind: "stop", reason: "stopped by SIGTERM" });
  expect(w.of("cancel")).toHaveLength(0);
  w.feed({ kind: "placed", clientOrderId, sent: { kind: "done", value: { orderId: "2190000000010000" } } });
  expect(w.of("cancel")).toMatchObject([{ known: { clientOrderId } }]);
});

test("an order that is found only after a halt is withdrawn then", () => {
  const { w, place } = unanswered();
  const { clientOrderId } = place.intent;
  w.feed({ kind: "placed", clientOrderId, sent: { kind: "unknown", message: "time-out" } });
  w.feed({ kind: "operator", command: "halt" });
  w.tick(1_000);
  expect(w.of("cancel")).toHaveLength(0);
  w.feed({ kind: "order", update: update(place, { orderId: "2190000000010000", state: "OPEN" }) });
  w.tick(1_000);
  expect(w.of("cancel")).toMatchObject([{ known: { clientOrderId } }]);
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
