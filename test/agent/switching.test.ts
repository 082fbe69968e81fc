/** Another strategy takes over: at a safe point, under a stated handover, without losing anything that is held. */
import { describe, expect, test } from "vitest";
import { afterSwitch, handoverAt, noHandover } from "../../src/agent/contract/handover.ts";
import type { Strategies } from "../../src/agent/contract/events.ts";
import type { ArmedStrategy } from "../../src/strategy/strategy.ts";
import { BTC, holding, ready, scripted, settingsOf, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const LONG = `${BTC}|LONG`;
const rows = (w: World, kind: string): Record<string, unknown>[] =>
  w.of("record").flatMap((record) => (record.row === kind ? [record.body] : []));

/** A question of the first strategy is on its way, so that a switch has to wait. */
const asked = (text: string): World =>
  story(`list BTC LONG 0.004, S1\n1 s -> asks model once\n${text}`, ready({ asks: true }));

describe("a switch", () => {
  test("is one journal row with what differs, and answers the command that asked", () => {
    const w = story(`
      list BTC LONG 0.004, S1
      0.25 s
      switch to second adopt as q-1    -> nothing, writes switch once, answers q-1 done, strategy second
    `);
    expect(rows(w, "switch")).toMatchObject([
      {
        ...{ from: "first", to: "second", by: "operator", handover: "adopt", positions: [LONG] },
        differences: ["strategy: first → second"],
      },
    ]);
    expect(w.last("answer").body).toMatchObject({ switch: { to: "second" } });
    expect(w.agent.status(w.nowMs)).toMatchObject({ deciding: { lastSwitch: { to: "second" } } });
  });

  test("to what decides already changes nothing, and says so", () => {
    const w = story(`
      list BTC LONG 0.004, S1
      0.25 s
      switch to first adopt as q-1     -> nothing, answers q-1 done, strategy first
    `);
    expect(rows(w, "switch")).toHaveLength(0);
    expect(w.last("answer").body).toMatchObject({ switch: { differences: [] } });
  });

  test("by a saved file lets an edited strategy of the owner take over, as a shadow too, and no unedited one", () => {
    const named = (code: string, note: string): ArmedStrategy => ({
      ...scripted("own", () => ({ kind: "targets", targets: [], note })),
      code,
    });
    const of = (code: string): Strategies => ({
      chosen: named(code, `decided by ${code}`),
      fallback: holding(),
      shadows: [{ name: "beside", armed: named(code, "") }],
    });
    const w = ready({ strategies: of("aaaa") });
    const save = (code: string): void =>
      void w.feed({
        ...{ kind: "settings", settings: settingsOf(), strategies: of(code) },
        change: { handover: null, by: "file", request: null },
      });
    story("1 s", w);
    save("aaaa");
    expect(rows(w, "switch")).toEqual([]);
    expect(rows(w, "shadow").map(({ event }) => event)).toEqual(["seated"]);
    save("bbbb");
    expect(rows(w, "switch")).toMatchObject([{ renamed: false, differences: ["code: aaaa → bbbb"] }]);
    expect(rows(w, "shadow").map(({ event }) => event)).toEqual(["seated", "ended", "seated"]);
    story("61 s", w);
    expect(w.agent.status(w.nowMs).lastDecision).toMatchObject({ result: "decided by bbbb" });
  });

  test("waits for a question that is on its way, and the old strategy reads the answer", () => {
    const w = asked(`
      switch to second adopt as q-1    -> nothing, strategy first, waiting second, answers nothing
      model answers                    -> nothing, strategy first
    `);
    const result = "first decides by the answer";
    expect(w.agent.status(w.nowMs).lastDecision).toMatchObject({ strategy: "first", result });
    story("0.25 s -> nothing, strategy second, waiting none, answers q-1 done", w);
  });

  test("waits for a question that nobody answers for half a minute and no longer", () => {
    asked(`
      switch to third adopt
      29 s                             -> strategy first
      2 s                              -> strategy third
    `);
  });

  test("by a saved file goes by the handover that it states", () => {
    story(`
      list BTC LONG 0.004, S1
      0.25 s
      switch to second adopt by file   -> nothing, logs strategy.switched once, strategy second
      switch to third close by file    -> logs strategy.switched once, strategy third
      0.25 s                           -> closes BTC LONG 0.004
    `);
  });
});

describe("a switch that waits", () => {
  test("keeps its handover and its command while a file is saved and Phase II begins", () => {
    const w = asked(`
      switch to second close as q-1
      20 s
      switch to second by file         -> nothing, waiting second, answers nothing
      switch to second by phase        -> nothing, waiting second, answers nothing
      11 s                             -> answers q-1 done, writes switch second close operator q-1 once
    `);
    expect(w.last("answer").body).toMatchObject({ switch: { handover: "close" } });
    expect(w.agent.status(w.nowMs).deciding.leaving).toEqual([LONG]);
  });

  test("goes by the newest handover that was stated for it, and answers each command", () => {
    asked(`
      switch to second close as q-1
      switch to second wind-down as q-2    -> answers q-1 refused
      31 s                                 -> answers q-2 done, writes switch wind-down once
    `);
  });

  test.each(["third", "first"])("learns that it is superseded once %s is chosen", (name) => {
    const w = asked(`
      switch to second close as q-1
      switch to ${name} adopt by file  -> answers q-1 refused
      31 s                             -> answers nothing, strategy ${name}, waiting none
    `);
    const error = `superseded before it was made: a newer command (file) names ${name}`;
    expect(w.last("answer").body).toMatchObject({ ok: false, error });
    expect(rows(w, "switch").map(({ handover }) => handover)).not.toContain("close");
  });
});

/** BTC is held and an order for ETH is on its way. */
const BUSY = `
  list BTC LONG 0.004, S1
  wants ETH LONG 0.5
  1 s                                  -> places ETH BUY 0.066 once, recheck passes
  wants nothing
`;

describe("the handover", () => {
  test("adopt leaves positions, their stops and orders on their way alone", () => {
    story(`${BUSY}
      switch to second adopt           -> nothing, recheck passes
      0.25 s                           -> nothing, recheck passes
    `);
  });

  test("close closes what is held until it is gone, and an order that has not left does not leave", () => {
    story(`${BUSY}
      switch to second close
      0.25 s                           -> closes BTC LONG 0.004 once, recheck fails by replaced
      10 s                             -> closes BTC LONG 0.004
    `);
  });

  test("close closes too what an order that was on its way still opened", () => {
    story(`${BUSY}
      switch to second close
      order FILLED
      push ETH LONG 0.066 @ 3000
      0.25 s                           -> closes BTC, closes ETH LONG 0.066, protects all of ETH
    `);
  });

  test("close goes on after a restart", () => {
    story(`
      list BTC LONG 0.004, S1
      switch to second close
      restart
      list BTC LONG 0.004, S1
      9 s                              -> closes BTC LONG 0.004
    `);
  });

  test("wind-down adds nothing, keeps the stop, and closes what is left at its deadline", () => {
    const w = story(
      `
      wants BTC LONG 0.5
      1 s                              -> places BTC BUY 0.003 once
      order FILLED
      push BTC LONG 0.003
      stop S1 for 0.003 at 58803
      wants BTC LONG 1
      switch to second wind-down by file
      590 s with list BTC LONG 0.003, S1    -> nothing, stop live
      `,
      ready({ settings: settingsOf({ windDownMs: 600_000 }) }),
    );
    const status = w.agent.status(w.nowMs);
    expect(status).toMatchObject({ deciding: { leaving: [LONG] }, positions: [{ strategy: "first" }] });
    story(
      `
      12 s with list BTC LONG 0.003, S1     -> closes BTC LONG 0.003 once
      push BTC LONG flat               -> holds nothing
      `,
      w,
    );
    expect(rows(w, "order").map((row) => row["why"])).toContain("handover to another strategy");
  });

  test("each of two wind-downs has its own deadline", () => {
    const first = afterSwitch(noHandover, { handover: "wind-down", atMs: 100, untilMs: 900 });
    const second = afterSwitch(first, { handover: "wind-down", atMs: 300, untilMs: 1_100 });
    expect(handoverAt(second, 899)).toBe(second);
    const between = handoverAt(second, 900);
    expect(between.closeBeforeMs).toBe(100);
    expect(handoverAt(between, 1_100).closeBeforeMs).toBe(300);
  });

  test("a close that has begun goes on, and a wind-down until its deadline", () => {
    const closing = afterSwitch(noHandover, { handover: "close", atMs: 100, untilMs: 900 });
    const adopted = afterSwitch(closing, { handover: "adopt", atMs: 200, untilMs: 900 });
    expect(adopted.closeBeforeMs).toBe(100);
    const winding = afterSwitch(adopted, { handover: "wind-down", atMs: 300, untilMs: 900 });
    expect(handoverAt(winding, 899)).toBe(winding);
    expect(handoverAt(winding, 900)).toMatchObject({ closeBeforeMs: 300, windDowns: [] });
  });
});
