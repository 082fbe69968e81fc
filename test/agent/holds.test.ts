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
  world,
} from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const wanting = () => ({
  chosen: scripted("wants", () => ({ kind: "targets", targets: [target({ size: 0.2 })], note: "" })),
  fallback: holding(),
});

/** A little more than one, with an account snapshot every ten seconds. */
const A_MINUTE = `${"list nothing, no stops\n10 s\n".repeat(6)}2 s`;

describe("a hold", () => {
  test("stops openings while it lasts, shows its reason, and ends with its cause", () => {
    const w = story(
      `
      hold disk is 93 % full
      1.5 s                      -> nothing, floor NORMAL
      `,
      ready({ strategies: wanting() }),
    );
    expect(w.agent.status(w.nowMs).holds).toEqual({ disk: "is 93 % full" });
    const fired = w.agent.status(w.nowMs).limits.find((count) => count.limit === "hold");
    expect(fired).toMatchObject({ fired: 1, lastSaid: expect.stringContaining("93 % full") });
    story(
      `
      hold disk ended            -> logs hold.ended once
      ${A_MINUTE}
      `,
      w,
    );
    expect(w.of("place")).toHaveLength(1);
  });

  test("that is reported again and again is one line in the log; two causes are two", () => {
    const w = story(`
      hold disk is 90 % full     -> logs hold.began once
      hold disk is 91 % full     -> nothing
      hold disk is 94 % full
      hold wal grows             -> logs hold.began once
      hold never-was ended
    `);
    expect(w.logs("hold.began")).toHaveLength(2);
    expect(w.agent.status(w.nowMs).holds).toEqual({ disk: "is 94 % full", wal: "grows" });
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
      story(A_MINUTE, w);
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
    story(
      `
      1.5 s
      list nothing, no stops
      1.5 s                      -> nothing, floor HALT
      `,
      w,
    );
    expect(w.of("place")).toEqual([]);
  });
});

test("after an outage of the user stream nothing is opened until everything was read again. Fault U1", () => {
  const w = story(
    `
    stream down
    57 s                         -> nothing
    stream up
    list nothing, asked 0.001 s ago
    8 s                          -> nothing
    ${A_MINUTE}
    `,
    ready({ strategies: wanting() }),
  );
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

test("a resume waits for an account snapshot requested after it. Fault O5; invariant I16", () => {
  story(`
    halt
    list nothing, no stops
    16 s                         -> reads
    1 s
    resume
    list nothing, asked 1 s ago  -> floor HALT
    4 s                          -> reads
    list nothing, no stops       -> floor NORMAL
  `);
});

describe("entries that are blocked for too long", () => {
  test("raise one alarm, stand in the status, and end with the first look that finds room", () => {
    const risk = { ...RISK, blockedAlarm: 60_000 };
    const w = ready({ settings: settingsOf({ risk }) });
    story(`hold drills a drill failed\n${A_MINUTE}\n${A_MINUTE}`, w);
    expect(w.logs("entries.blocked")).toEqual([expect.stringMatching(/blocked for 1 minutes: .*a drill failed/)]);
    expect(w.agent.status(w.nowMs).entriesBlocked).toMatchObject({ reason: expect.stringContaining("a drill failed") });
    story(
      `
      hold drills ended
      list nothing, no stops
      6 s                        -> logs entries.open once
      `,
      w,
    );
    expect(w.agent.status(w.nowMs).entriesBlocked).toBeNull();
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
