/** Another strategy takes over: at a safe point, under a stated handover, without losing anything that is held. */
import { describe, expect, test } from "vitest";
import type { Strategies, StrategyChange } from "../../src/agent/contract/events.ts";
import { afterSwitch, handoverAt, noHandover } from "../../src/agent/contract/handover.ts";
import {
  anyQuestion,
  BTC,
  ETH,
  holding,
  position,
  ready,
  scripted,
  settingsOf,
  update,
  target,
  type World,
} from "../support/agent-world.ts";
import { modelAnswer } from "../support/model-outcomes.ts";
import { virtualVenue } from "../support/virtual-venue.ts";

const LONG = `${BTC}|LONG`;
const wanting = (name: string, ...targets: ReturnType<typeof target>[]): Strategies => ({
  chosen: scripted(name, () => ({ kind: "targets", targets, note: "as told" })),
  fallback: holding(),
});
const to = (w: World, strategies: Strategies, change: Partial<StrategyChange> = {}): void =>
  void w.feed({
    kind: "settings",
    settings: settingsOf(),
    strategies,
    change: { handover: "adopt", by: "operator", request: "q-1", ...change },
  });
/** A question of the first strategy is on its way, so that a switch has to wait. */
function asked(): World {
  const first = scripted("first", () => ({ kind: "ask", questions: [anyQuestion] }));
  const w = ready({ strategies: { chosen: first, fallback: holding() } });
  w.account({ positions: [position(BTC, "0.004", "60000")] });
  w.tick(1_000);
  return w;
}
const rows = (w: World, kind: string): Record<string, unknown>[] =>
  w.of("record").flatMap((record) => (record.row === kind ? [record.body] : []));

function withPosition(strategies = wanting("first")): World {
  const w = ready({ strategies });
  w.account({ positions: [position(BTC, "0.004", "60000")] });
  w.tick();
  return w;
}

describe("a switch", () => {
  test("is one journal row with what differs, and answers the command that asked", () => {
    const w = withPosition();
    to(w, wanting("second"));
    expect(rows(w, "switch")).toMatchObject([
      {
        from: "first",
        to: "second",
        by: "operator",
        handover: "adopt",
        differences: ["strategy: first → second"],
        positions: [LONG],
      },
    ]);
    expect(w.last("answer")).toMatchObject({ request: "q-1", body: { ok: true, switch: { to: "second" } } });
    expect(w.agent.status(w.nowMs)).toMatchObject({ strategy: "second", deciding: { lastSwitch: { to: "second" } } });
  });

  test("to what decides already changes nothing, and says so", () => {
    const w = withPosition();
    to(w, wanting("first"));
    expect(rows(w, "switch")).toHaveLength(0);
    expect(w.last("answer")).toMatchObject({ body: { ok: true, switch: { differences: [] } } });
  });

  test("waits for a question that is on its way, and the old strategy reads the answer", () => {
    const asking = scripted(
      "first",
      () => ({
        kind: "ask",
        questions: [anyQuestion],
      }),
      () => ({ kind: "targets", targets: [], note: "read by the first" }),
    );
    const w = ready({ strategies: { chosen: asking, fallback: holding() } });
    w.tick(1_000);
    expect(w.of("ask-model")).toHaveLength(1);
    to(w, wanting("second"));
    expect(w.agent.status(w.nowMs)).toMatchObject({ strategy: "first", deciding: { switchWaits: "second" } });
    w.feed({
      kind: "model",
      decisionId: w.last("ask-model").decisionId,
      outcome: modelAnswer(),
    });
    expect(w.agent.status(w.nowMs).lastDecision).toMatchObject({ strategy: "first", result: "read by the first" });
    w.tick();
    expect(w.agent.status(w.nowMs)).toMatchObject({ strategy: "second", deciding: { switchWaits: null } });
    // A question that nobody answers holds up a switch for half a minute and no longer.
    to(w, { chosen: asking, fallback: holding() });
    w.tick(60_000);
    expect(w.of("ask-model")).toHaveLength(2);
    to(w, wanting("third"));
    w.tick(29_000);
    expect(w.agent.status(w.nowMs).strategy).toBe("first");
    w.tick(2_000);
    expect(w.agent.status(w.nowMs).strategy).toBe("third");
  });
});

describe("a switch that waits", () => {
  const reported = { handover: null, request: null } as const;

  test("keeps its handover and its command while a file is saved and Phase II begins", () => {
    const w = asked();
    to(w, wanting("second"), { handover: "close" });
    w.tick(20_000);
    to(w, wanting("second"), { ...reported, by: "file" });
    to(w, wanting("second"), { ...reported, by: "phase" });
    expect([w.agent.status(w.nowMs).deciding.switchWaits, w.of("answer")]).toEqual(["second", []]);
    w.tick(11_000);
    expect(rows(w, "switch")).toMatchObject([{ to: "second", handover: "close", by: "operator", request: "q-1" }]);
    expect(w.of("answer")).toMatchObject([{ request: "q-1", body: { ok: true, switch: { handover: "close" } } }]);
    expect(w.agent.status(w.nowMs).deciding.leaving).toEqual([LONG]);
  });

  test("goes by the newest handover that was stated for it, and answers each command", () => {
    const w = asked();
    to(w, wanting("second"), { handover: "close" });
    to(w, wanting("second"), { handover: "wind-down", request: "q-2" });
    expect(w.of("answer")).toMatchObject([{ request: "q-1", body: { ok: false } }]);
    w.tick(31_000);
    expect(w.last("answer")).toMatchObject({ request: "q-2", body: { ok: true, switch: { handover: "wind-down" } } });
  });

  test.each(["third", "first"])("learns that it is superseded once %s is chosen", (name) => {
    const w = asked();
    to(w, wanting("second"), { handover: "close" });
    to(w, wanting(name), { handover: "adopt", by: "file", request: null });
    expect(w.of("answer")).toMatchObject([
      {
        request: "q-1",
        body: { ok: false, error: `superseded before it was made: a newer command (file) names ${name}` },
      },
    ]);
    w.tick(31_000);
    expect(w.agent.status(w.nowMs)).toMatchObject({ strategy: name, deciding: { switchWaits: null } });
    expect(w.of("answer")).toHaveLength(1);
    expect(rows(w, "switch").map(({ handover }) => handover)).not.toContain("close");
  });
});

describe("the handover", () => {
  test("adopt leaves positions, their stops and orders on their way alone", () => {
    const w = withPosition(wanting("first", target({ symbol: ETH })));
    w.tick(1_000);
    const before = w.effects.length;
    to(w, wanting("second"));
    const asked = w.effects.slice(before).map((effect) => effect.kind);
    expect(asked.filter((kind) => kind === "close" || kind === "cancel" || kind === "cancel-algo")).toEqual([]);
    expect(w.agent.recheck(w.last("place").intent, w.nowMs)).toBeNull();
  });

  test("close closes what is held until it is gone, and an order that has not left does not leave", () => {
    const w = withPosition(wanting("first", target({ symbol: ETH })));
    w.tick(1_000);
    to(w, wanting("second"), { handover: "close" });
    w.tick();
    expect(w.of("close").map((close) => close.known.symbol)).toEqual([BTC]);
    expect(w.agent.recheck(w.last("place").intent, w.nowMs)).toMatch(/replaced/);
    for (let seconds = 0; seconds < 10; seconds++) w.tick(1_000);
    expect(w.of("close").length).toBeGreaterThan(1);
  });

  test("close closes too what an order that was on its way still opened", () => {
    const w = withPosition(wanting("first", target({ symbol: ETH })));
    w.tick(1_000);
    const placed = w.last("place");
    to(w, wanting("second"), { handover: "close" });
    w.feed({ kind: "order", update: update(placed, { state: "FILLED", executedQty: placed.intent.draft.order.qty }) });
    w.feed({
      kind: "position",
      update: {
        symbol: ETH,
        positionSide: "LONG",
        qty: placed.intent.draft.order.qty,
        avgPrice: placed.intent.draft.order.qty,
        leverage: 2,
      },
    });
    w.tick();
    expect(w.of("close").map((close) => close.known.symbol)).toContain(ETH);
  });

  test("wind-down adds nothing, keeps the stop, and closes what is left at its deadline", () => {
    const w = ready({ strategies: wanting("first", target({ size: 0.3 })) });
    const venue = virtualVenue(w);
    const pass = (seconds: number): void => {
      for (let passed = 0; passed < seconds; passed++) {
        w.tick(1_000);
        venue.turn();
      }
    };
    pass(20);
    const placed = w.of("place").length;
    expect(venue.positions.has(LONG)).toBe(true);
    w.feed({
      kind: "settings",
      settings: settingsOf({ windDownMs: 600_000 }),
      strategies: wanting("second", target({ size: 1 })),
      change: { handover: "wind-down", by: "file", request: null },
    });
    pass(590);
    expect(w.of("place")).toHaveLength(placed);
    expect(w.of("close")).toEqual([]);
    expect(w.agent.status(w.nowMs)).toMatchObject({
      deciding: { leaving: [LONG] },
      positions: [{ protection: "live", strategy: "first" }],
    });
    pass(20);
    expect(w.of("close")).toHaveLength(1);
    expect(rows(w, "order").map((row) => row["why"])).toContain("handover to another strategy");
    expect(venue.positions.has(LONG)).toBe(false);
  });

  test("each of two wind-downs has its own deadline", () => {
    const first = afterSwitch(noHandover, { handover: "wind-down", atMs: 100, untilMs: 900 });
    const second = afterSwitch(first, { handover: "wind-down", atMs: 300, untilMs: 1_100 });
    expect(handoverAt(second, 899)).toBe(second);
    const between = handoverAt(second, 900);
    expect(between.closeBeforeMs).toBe(100);
    expect(handoverAt(between, 1_100).closeBeforeMs).toBe(300);
  });

  test("what a restart finds goes on: a close that has begun, a wind-down until its deadline", () => {
    const closing = afterSwitch(noHandover, { handover: "close", atMs: 100, untilMs: 900 });
    const adopted = afterSwitch(closing, { handover: "adopt", atMs: 200, untilMs: 900 });
    expect(adopted.closeBeforeMs).toBe(100);
    const winding = afterSwitch(adopted, { handover: "wind-down", atMs: 300, untilMs: 900 });
    expect(handoverAt(winding, 899)).toBe(winding);
    expect(handoverAt(winding, 900)).toMatchObject({ closeBeforeMs: 300, windDowns: [] });
    const w = ready({
      restored: {
        deciding: {
          handover: { ...noHandover, closeBeforeMs: Date.UTC(2027, 0, 1) },
          lastSwitch: null,
          books: new Map(),
          lessons: [],
          bought: new Map(),
        },
      },
    });
    w.account({ positions: [position(BTC, "0.004", "60000")] });
    w.tick();
    expect(w.of("close").map((close) => close.known.symbol)).toEqual([BTC]);
  });
});
