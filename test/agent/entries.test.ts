/** How an opening goes to the book: post-only entries that chase and give up, and newer targets about an order that rests. */
import { describe, expect, test } from "vitest";
import type { AgentSettings } from "../../src/agent/contract/settings.ts";
import { restore } from "../../src/restore/restore.ts";
import { ready, scripted, holding, settingsOf, target, type World, world } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { readerOf } from "../support/reader-of.ts";

type Execution = AgentSettings["execution"];
const plain = settingsOf().execution;
const executing = (execution: Partial<Execution>): World =>
  ready({ settings: settingsOf({ execution: { ...plain, ...execution } }) });

/** The venue has taken an order that waits for its price. */
const RESTING = `
  wants BTC LONG 0.5 resting
  1 s                        -> places BTC BUY 0.003 at 59997 post-only once
  rest
`;

describe("a post-only entry", () => {
  test("follows a price that moves away by amending: one write, its own intent, the same order", () => {
    const w = story(`${RESTING}
      price 60030
      3 s with lists         -> nothing
      3 s with lists         -> amends order to 60027 once, writes intent amend once
      amend done
      order OPEN amended     -> nothing, writes intent amend-end amended once
    `);
    const { clientOrderId } = w.last("place").intent;
    const { intent } = w.last("amend");
    expect(intent).toMatchObject({ clientOrderId, known: { orderId: "2190000000000001" } });
    const rows = w.of("record").flatMap(({ row, body }) => (row === "intent" ? [body] : []));
    const { intentId } = intent;
    expect(rows.find(({ event }) => event === "amend")).toMatchObject({
      ...{ intentId, orderId: "2190000000000001", before: { price: "59997" } },
    });
    expect(rows.find(({ event }) => event === "amend-end")).toMatchObject({ intentId });
  });

  test("stays where it is while the price comes to it", () => {
    story(`${RESTING}
      price 59970
      15 s with lists        -> asks order
    `);
  });

  test("gives up when the price ran beyond its bound", () => {
    story(`${RESTING}
      price 60200
      1 s with lists         -> cancels order
    `);
  });

  test("gives up when it was followed often enough", () => {
    story(
      `${RESTING}
      price 60010
      6 s with lists         -> amends order once
      amend done
      order OPEN amended
      price 60020
      6 s with lists         -> cancels order once
      order CANCELLED
      0.25 s                 -> nothing, logs order.dropped saying it followed the price 1 time
      `,
      executing({ entry: { ...plain.entry, chases: 1 } }),
    );
  });

  test("takes what is left when it may, no further than its bound, and only once the resting order has ended", () => {
    const w = story(
      `${RESTING}
      31 s with lists        -> cancels order once, asks order
      order CANCELLED executed 0.001
      list nothing
      0.25 s                 -> places BTC BUY 0.002 taking once, protects all
      `,
      executing({ entry: { ...plain.entry, then: "cross" } }),
    );
    expect(w.last("place").intent.draft.order.limitPrice?.toNumber()).toBeLessThanOrEqual(59_997 * 1.002);
  });

  test("that would have taken is put again at the price of then, so often and no more: no alarm", () => {
    const w = story(`
      wants BTC LONG 0.5 resting
      1 s                    -> places BTC BUY 0.003 post-only once
      order REJECTED because a post-only order would take
      0.25 s                 -> places BTC BUY 0.003 post-only once
      order REJECTED by 020
      0.25 s                 -> places BTC BUY 0.003 post-only once
      order REJECTED by 021
      0.25 s                 -> places BTC BUY 0.003 post-only once
      order REJECTED by 022
      0.25 s                 -> nothing, logs order.dropped saying the price kept coming to it
      5 s                    -> nothing
    `);
    expect(w.of("place")).toHaveLength(1 + plain.entry.chases);
    expect(w.logs("order.rejected")).toHaveLength(0);
    expect(w.of("load-rules")).toHaveLength(1);
  });

  test("is what every target becomes when the style says so, and none when it says the other", () => {
    const style = (how: Execution["entry"]["style"]) => executing({ entry: { ...plain.entry, style: how } });
    story("wants BTC LONG 0.5\n1 s -> places BTC post-only", style("post-only"));
    story("wants BTC LONG 0.5 resting\n1 s -> places BTC taking", style("cross"));
  });
});

describe("a newer target about an order that rests", () => {
  test("of another size amends it, larger or smaller, in place of a second order", () => {
    story(
      `${RESTING}
      wants BTC LONG 0.9 resting
      61 s with lists        -> amends order for 0.005 once, asks order
      amend done
      order OPEN amended
      wants BTC LONG 0.3 resting
      61 s with lists        -> amends order for 0.001 once, asks order
      `,
      executing({ restFor: 600_000 }),
    );
  });

  test("the other way round withdraws it first and opens nothing beside it", () => {
    story(
      `${RESTING}
      wants BTC SHORT 0.5 resting
      61 s with lists        -> cancels order once, asks order
      `,
      executing({ restFor: 600_000 }),
    );
  });

  test.each([
    ["stays if the target is larger", "0.9", "asks order"],
    ["is cancelled if the target is smaller", "0.2", "cancels order once, asks order"],
  ])("without a session that allows changes it %s", (_what, size, then) => {
    story(
      `${RESTING}
      session for order.place
      wants BTC LONG ${size} resting
      61 s with lists        -> ${then}
      `,
      executing({ restFor: 600_000 }),
    );
  });
});

test("an opening that fills after a restart opens its position with the thesis of its intent", () => {
  const trail = { breakEvenAfter: 0.01, activation: 0.02, distance: 0.01 };
  const reason = "funding is paid to us";
  const targets = [target({ size: 0.2, reason, trail })];
  const chosen = scripted("carry", () => ({ kind: "targets", targets, note: "" }));
  const w = story(
    `
    1.5 s                    -> places BTC BUY 0.001 once
    restart                  -> asks order
    order FILLED
    list BTC LONG 0.001      -> journal opened, holds BTC LONG 0.001
    `,
    ready({ strategies: { chosen, fallback: holding() } }),
  );
  const [opened] = w.of("record").filter(({ row }) => row === "position");
  expect(opened?.body).toMatchObject({ kind: "opened", strategy: "carry", thesis: reason, trail });
});

test("so does one whose fill was heard of by a run that ended before any list showed the position", () => {
  const first = story("wants BTC LONG 0.5 stop 0.02\nuntil place");
  const { draft } = first.last("place").intent;
  const qty = draft.order.qty.toFixed();
  const next = (...runs: readonly [World, ...World[]]): World => {
    const effects = runs.flatMap((run) => run.effects);
    const effectsAtMs = runs.flatMap((run) => run.effectsAtMs);
    const atMs = first.nowMs + runs.length * 2_000;
    const restored = restore(readerOf({ ...first, effects, effectsAtMs }), atMs);
    return world({ before: first, restored, atMs, runId: `t${runs.length + 1}` });
  };
  const second = story(`fill BUY ${qty} by 301 as order now`, next(first));
  const third = story(`list BTC LONG ${qty}, new`, next(first, second));
  const [opened] = third.of("record").filter(({ row }) => row === "position");
  expect(opened?.body).toMatchObject({ kind: "opened", stopPrice: draft.stopPrice?.toFixed() });
});
