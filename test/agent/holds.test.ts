/** Holds and halts as the agent lives them: nothing is opened, exits go on, a person sees why. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { RISK } from "../support/risk.ts";
import {
  account,
  BTC,
  ETH,
  holding,
  ready,
  rulesOf,
  scripted,
  settingsOf,
  update,
  target,
  type World,
  world,
} from "../support/agent-world.ts";

const wanting = () => ({
  chosen: scripted("wants", () => ({ kind: "targets", targets: [target({ size: 0.2 })], note: "" })),
  fallback: holding(),
});

describe("a hold", () => {
  test("stops openings while it lasts, shows its reason, and ends with its cause", () => {
    const w = ready({ strategies: wanting() });
    w.feed({ kind: "hold", cause: "disk", reason: "the disk is 93 % full" });
    w.tick(1_500);
    expect(w.of("place")).toEqual([]);
    expect(w.agent.status(w.nowMs)).toMatchObject({ holds: { disk: "the disk is 93 % full" }, floorState: "NORMAL" });
    const fired = w.agent.status(w.nowMs).limits.find((count) => count.limit === "hold");
    expect(fired).toMatchObject({ fired: 1, lastSaid: expect.stringContaining("93 % full") });
    w.feed({ kind: "hold", cause: "disk", reason: null });
    for (let n = 0; n < 62; n++) {
      w.tick(1_000);
      if (n % 10 === 0) w.account();
    }
    expect(w.of("place")).toHaveLength(1);
    expect(w.logs("hold.ended")).toHaveLength(1);
  });

  test("that is reported again and again is one line in the log; two causes are two", () => {
    const w = ready();
    for (let n = 0; n < 5; n++) w.feed({ kind: "hold", cause: "disk", reason: `the disk is ${90 + n} % full` });
    w.feed({ kind: "hold", cause: "wal", reason: "the log grows" });
    w.feed({ kind: "hold", cause: "never-was", reason: null });
    expect(w.logs("hold.began")).toHaveLength(2);
    expect(w.agent.status(w.nowMs).holds).toEqual({ disk: "the disk is 94 % full", wal: "the log grows" });
  });

  test("between the review and the wire drops the order", () => {
    const w = ready({ strategies: wanting() });
    w.tick(1_500);
    const { intent } = w.last("place");
    expect(w.agent.recheck(intent, w.nowMs)).toBeNull();
    w.feed({ kind: "hold", cause: "journal", reason: "locked" });
    expect(w.agent.recheck(intent, w.nowMs)).toMatch(/^hold: /);
  });
});

/** A little more than one, with a reading every ten seconds. */
function passMinute(w: World): void {
  for (let n = 0; n < 62; n++) {
    w.tick(1_000);
    if (n % 10 === 0) w.account();
  }
}

describe("an account that the venue restricts", () => {
  const reported = (status: string, exchange = "EXCHANGE_A") => ({
    account: [{ ...account("1000"), exchange, status }],
  });

  test.each(["MARGIN_CALL", "CANCEL_OPEN", "CANCEL_ALL", "LIQUIDATING", "TAKEOVER"])(
    "opens nothing while it is reported as in %s, and does again when it is NORMAL",
    (status) => {
      const w = ready({ strategies: wanting() }, reported(status));
      w.tick(1_500);
      expect(w.of("place")).toEqual([]);
      expect(w.agent.status(w.nowMs).holds).toEqual({
        account: `the venue says ${status} of the account on EXCHANGE_A`,
      });
      w.account();
      passMinute(w);
      expect(w.of("place")).toHaveLength(1);
    },
  );

  test("has what rests in the book to open more withdrawn", () => {
    const w = ready({ strategies: wanting() });
    w.tick(1_500);
    w.feed({ kind: "order", update: update(w.last("place"), { limitPrice: dec("60000") }) });
    w.account(reported("MARGIN_CALL"));
    expect(w.last("cancel").known.clientOrderId).toBe(w.last("place").intent.clientOrderId);
  });

  test("counts only where something of ours is traded", () => {
    const w = ready({ strategies: wanting() });
    w.account({ account: [account("1000"), { ...account("0"), exchange: "EXCHANGE_B", status: "TAKEOVER" }] });
    expect(w.agent.status(w.nowMs).holds).toEqual({});
  });
});

describe("a halt", () => {
  test("is a state of the ladder: journalled, shown, and ended by the operator alone", () => {
    const w = ready({ strategies: wanting() });
    w.feed({ kind: "halt", reason: "the disk of the journal is full" });
    w.feed({ kind: "halt", reason: "the disk of the journal is full" });
    const rows = w.of("record").filter((effect) => effect.row === "floor");
    expect(rows.map((effect) => effect.body)).toEqual([
      { from: "NORMAL", to: "HALT", reason: "the disk of the journal is full" },
    ]);
    w.tick(1_500);
    w.account();
    w.tick(1_500);
    expect(w.of("place")).toEqual([]);
    expect(w.agent.status(w.nowMs)).toMatchObject({ floorState: "HALT" });
  });
});

test("after an outage of the user stream nothing is opened until everything was read again. Fault U1", () => {
  const w = ready({ strategies: wanting() });
  w.feed({ kind: "stream", stream: "user", up: false, reason: "cut" });
  for (let n = 0; n < 57; n++) w.tick(1_000);
  const startedAtMs = w.nowMs;
  w.feed({ kind: "stream", stream: "user", up: true, reason: "back" });
  w.account({ startedAtMs: startedAtMs - 1 });
  for (let n = 0; n < 8; n++) w.tick(1_000);
  expect(w.of("place")).toEqual([]);
  w.account();
  passMinute(w);
  expect(w.of("place")).toHaveLength(1);
});

test("a user stream that came up after the first list request: ready with the next list. Invariant I26", () => {
  const w = world();
  w.tick();
  w.feed({ kind: "rules", rules: [rulesOf(BTC), rulesOf(ETH)] });
  w.feed({ kind: "stream", stream: "market", up: true, reason: "test" });
  const startedAtMs = w.nowMs;
  w.readsLeverage = true;
  w.tick(500);
  w.feed({ kind: "stream", stream: "user", up: true, reason: "test" });
  w.account({ startedAtMs });
  w.tick();
  expect(w.logs("agent.ready")).toEqual([]);
  w.account();
  expect(w.logs("agent.ready")).toHaveLength(1);
});

describe("a resume", () => {
  test("waits for an account snapshot requested after it. Fault O5; invariant I16", () => {
    const w = ready();
    w.feed({ kind: "operator", command: "halt" });
    w.account();
    expect(w.tick(16_000).map(({ kind }) => kind)).toContain("read-account");
    const startedAtMs = w.nowMs;
    w.tick(1_000);
    w.feed({ kind: "operator", command: "resume" });
    w.account({ startedAtMs });
    expect(w.agent.status(w.nowMs)).toMatchObject({ floorState: "HALT" });
    expect(w.tick(4_000).map(({ kind }) => kind)).toContain("read-account");
    w.account();
    expect(w.agent.status(w.nowMs)).toMatchObject({ floorState: "NORMAL" });
  });
});

describe("entries that are blocked for too long", () => {
  test("raise one alarm, stand in the status, and end with the first look that finds room", () => {
    const risk = { ...RISK, blockedAlarm: 60_000 };
    const w = ready({ settings: settingsOf({ risk }) });
    w.feed({ kind: "hold", cause: "drills", reason: "a drill failed" });
    for (let n = 0; n < 90; n++) {
      w.tick(1_000);
      if (n % 10 === 0) w.account();
    }
    expect(w.logs("entries.blocked")).toEqual([expect.stringMatching(/blocked for 1 minutes: .*a drill failed/)]);
    expect(w.agent.status(w.nowMs).entriesBlocked).toMatchObject({ reason: expect.stringContaining("a drill failed") });
    w.feed({ kind: "hold", cause: "drills", reason: null });
    w.account();
    for (let n = 0; n < 6; n++) w.tick(1_000);
    expect(w.agent.status(w.nowMs).entriesBlocked).toBeNull();
    expect(w.logs("entries.open")).toHaveLength(1);
  });
});

test("the desk's own figures are those of the state: held, on its way, equity, setting", () => {
  const w = ready({ strategies: wanting() });
  w.tick(1_500);
  const { order } = w.last("place").intent.draft;
  const facts = w.agent.wireFacts(order.symbol, w.nowMs);
  expect(facts).toMatchObject({
    phase: 1,
    leverageSetting: 2,
    stakes: [{ clientOrderId: order.clientOrderId, leg: "LONG" }],
  });
  expect(facts?.equityUsdt.toFixed()).toBe("1000");
  expect(facts?.stakes[0]?.qty.toFixed()).toBe(order.qty.toFixed());
});

test("a halt for another reason replaces the first, the same again says nothing, after a resume it halts", () => {
  const w = ready();
  const halt = (reason: string): void => void w.feed({ kind: "halt", reason });
  const rows = () => w.of("record").filter(({ row, body }) => row === "floor" && body["to"] === "HALT");
  halt("one");
  halt("one");
  expect([rows().length, w.agent.status(w.nowMs).floorReason]).toEqual([1, "one"]);
  halt("two");
  expect([rows().length, w.agent.status(w.nowMs).floorReason]).toEqual([2, "two"]);
  w.feed({ kind: "operator", command: "resume" });
  w.account();
  w.tick(1_000);
  w.account();
  expect(w.agent.status(w.nowMs).floorState).toBe("NORMAL");
  halt("two");
  expect([rows().length, w.agent.status(w.nowMs).floorState]).toEqual([3, "HALT"]);
});
