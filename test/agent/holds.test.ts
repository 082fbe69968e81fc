/** Holds and halts as the agent lives them: nothing is opened, exits go on, a person sees why. */
import { describe, expect, test } from "vitest";
import { RISK } from "../support/risk.ts";
import { account, BTC, ETH, ready, rulesOf, settingsOf, world, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

/** A little more than one, with an account snapshot every ten seconds. */
const A_MINUTE = `${"list nothing, no stops\n10 s\n".repeat(6)}2 s`;

describe("a hold", () => {
  test("stops openings while it lasts, shows its reason, and ends with its cause", () => {
    const w = story(`
      wants BTC LONG 0.2
      hold disk is 93 % full
      1.5 s                      -> nothing, floor NORMAL
    `);
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
    story(`
      wants BTC LONG 0.2
      1.5 s                      -> places BTC once, recheck passes
      hold journal locked        -> recheck fails by hold:
    `);
  });
});

describe("an account that the venue restricts", () => {
  test.each(["MARGIN_CALL", "CANCEL_OPEN", "CANCEL_ALL", "LIQUIDATING", "TAKEOVER"])(
    "opens nothing while it is reported as in %s, and does again when it is NORMAL",
    (status) => {
      const w = story(`
        list nothing, account ${status}
        wants BTC LONG 0.2
        1.5 s                    -> nothing
      `);
      const account = `the venue says ${status} of the account on EXCHANGE_A`;
      expect(w.agent.status(w.nowMs).holds).toEqual({ account });
      story(A_MINUTE, w);
      expect(w.of("place")).toHaveLength(1);
    },
  );

  test("has what rests in the book to open more withdrawn", () => {
    const w = story(`
      wants BTC LONG 0.2
      1.5 s                      -> places BTC once
      order OPEN
      list nothing, account MARGIN_CALL    -> cancels order once
    `);
    expect(w.last("cancel").known.clientOrderId).toBe(w.last("place").intent.clientOrderId);
  });

  test("counts only where something of ours is traded", () => {
    const w = ready();
    w.account({ account: [account("1000"), { ...account("0"), exchange: "EXCHANGE_B", status: "TAKEOVER" }] });
    expect(w.agent.status(w.nowMs).holds).toEqual({});
  });
});

describe("a halt", () => {
  test("is a state of the ladder: journalled, shown, and ended by the operator alone", () => {
    const reason = "the disk of the journal is full";
    const w = story(`
      wants BTC LONG 0.2
      halt ${reason}             -> writes floor once
      halt ${reason}             -> writes floor never
      1.5 s
      list nothing, no stops
      1.5 s                      -> nothing, floor HALT
    `);
    const rows = w.of("record").filter(({ row }) => row === "floor");
    expect(rows.map(({ body }) => body)).toEqual([{ from: "NORMAL", to: "HALT", reason }]);
    expect(w.of("place")).toEqual([]);
  });

  test("for another reason replaces the first, the same again says nothing, after a resume it halts", () => {
    const reasonOf = (w: World) => w.agent.status(w.nowMs).floorReason;
    const w = story(`
      halt one                   -> writes floor HALT one once
      halt one                   -> writes floor never
    `);
    expect(reasonOf(w)).toBe("one");
    story("halt two -> writes floor HALT two once", w);
    expect(reasonOf(w)).toBe("two");
    story(
      `
      resume
      list nothing, no stops
      1 s
      list nothing, no stops     -> floor NORMAL
      halt two                   -> writes floor HALT two once, floor HALT
      `,
      w,
    );
  });
});

test("after an outage of the user stream nothing is opened until everything was read again. Fault U1", () => {
  const w = story(`
    wants BTC LONG 0.2
    stream down
    57 s                         -> nothing
    stream up
    list nothing, asked 0.001 s ago
    8 s                          -> nothing
    ${A_MINUTE}
  `);
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

test("a resume of an agent that is not halted says that it was NORMAL already", () => {
  story(`
    resume
    1 s
    list nothing, no stops       -> floor NORMAL, logs floor.changed saying it was NORMAL already
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
  const w = story("wants BTC LONG 0.2\n1.5 s -> places BTC once");
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
