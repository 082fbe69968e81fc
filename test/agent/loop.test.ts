/** What a step of the agent asks for is carried out so that no log line is older than the row it rests on. Invariant I36. */
import { expect, test } from "vitest";
import type { Effect } from "../../src/agent/contract/effects.ts";
import type { AgentEvent } from "../../src/agent/contract/events.ts";
import { createLoop } from "../../src/agent/shell/loop.ts";
import { createLanes } from "../../src/agent/shell/lanes.ts";
import type { LoopParts } from "../../src/agent/shell/parts.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { rawRow } from "../support/raw-row.ts";

const word = (msg: string): Effect => ({ kind: "log", level: "info", evt: "order.filled", msg, fields: {} });
const row = (name: "order" | "position"): Effect => ({
  kind: "record",
  row: name,
  decisionId: null,
  body: rawRow(name, {}).body,
});
const STEP: readonly Effect[] = [word("filled"), row("order"), word("opened"), row("position")];

/** What happened, in order; the process dies as the named row is written. */
function traceOf(diesAt: string | null): readonly string[] {
  const trace: string[] = [];
  const parts = {
    env: { clock: virtualClock(0) },
    log: { event: (_level: string, _evt: string, msg: string) => void trace.push(`said ${msg}`) },
    agent: { step: () => STEP },
    journal: {
      append: ({ kind }: { kind: string }) => {
        if (kind === diesAt) throw new Error("the process dies here");
        trace.push(`wrote ${kind}`);
      },
    },
    onFatal: () => undefined,
  } as unknown as LoopParts;
  createLoop(parts).dispatch({ kind: "tick", atMs: 0 });
  return trace;
}

test("rows are written first, words follow in their own order", () => {
  expect(traceOf(null)).toEqual(["wrote order", "wrote position", "said filled", "said opened"]);
});

test("a death at any row leaves no word for which there is none", () => {
  expect(traceOf("order")).toEqual([]);
  expect(traceOf("position")).toEqual(["wrote order"]);
});

test("nothing that waits for its turn is dropped, however much does: somebody waits for what it reports", async () => {
  const reported: string[] = [];
  const link = { feed: ({ kind }: { kind: string }) => void reported.push(kind), closed: () => false };
  const lanes = createLanes(link, () => undefined);
  for (let nth = 0; nth < 300; nth++) lanes.run("clearing", 0, () => Promise.resolve({ kind: "tick" }));
  await lanes.idle();
  expect(reported).toHaveLength(300);
});

test("closes wait for no reduction that waits for its own turn at the venue", async () => {
  const asked: string[] = [];
  const reduces = { kind: "place", intent: { opening: false, clientOrderId: "i-1" } } as Effect;
  const closes = { kind: "close", known: { symbol: "BTC", side: "LONG" } } as Effect;
  const parts = {
    env: { clock: virtualClock(0) },
    agent: { step: ({ kind }: { kind: string }) => (kind === "tick" ? [...Array(8).fill(reduces), closes] : []) },
    desk: {
      preview: ({ kind }: { kind: string }) => {
        asked.push(kind);
        return kind === "order.place" ? new Promise(() => undefined) : { ok: false, error: { message: "enough" } };
      },
    },
  } as unknown as LoopParts;
  createLoop(parts).dispatch({ kind: "tick", atMs: 0 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(asked).toContain("position.close");
});

test("an order accepted while the agent stops is withdrawn before it ends", async () => {
  const reported: string[] = [];
  const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
  const lanes = createLanes(
    {
      feed: ({ kind }) => {
        reported.push(kind);
        if (kind === "placed") lanes.run("cancelling", 0, () => soon().then(() => ({ kind: "tick" })));
      },
      closed: () => false,
    },
    () => undefined,
  );
  const placed = { kind: "placed", clientOrderId: "i-1", sent: { kind: "done", value: { orderId: "1" } } } as const;
  lanes.run("opening", 0, () => soon().then(() => placed));
  await lanes.idle();
  expect(reported).toEqual(["placed", "tick"]);
});

test("a stop that is not wanted any more once its turn has come has a reply all the same", async () => {
  const replies: AgentEvent[] = [];
  const asks = { kind: "protect", positionKey: "BTC|LONG", order: { clientOrderId: "p-1" } } as Effect;
  const parts = {
    env: { clock: virtualClock(0) },
    agent: {
      wantsProtection: () => false,
      step: (event: AgentEvent) => (event.kind === "tick" ? [asks] : (replies.push(event), [])),
    },
  } as unknown as LoopParts;
  createLoop(parts).dispatch({ kind: "tick", atMs: 0 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(replies).toMatchObject([{ kind: "protect-sent", clientOrderId: "p-1", sent: { kind: "blocked" } }]);
});
