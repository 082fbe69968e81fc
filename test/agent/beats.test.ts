/** The heartbeat by the monotonic clock: a wall clock that is set back or ahead neither stops nor doubles it. Fault C2. */
import { expect, test } from "vitest";
import { world } from "../support/agent-world.ts";

const HOUR = 3_600_000;

/** Ticks four times a second over a span; answers when it beat, by the monotonic clock. */
function live(w: ReturnType<typeof world>, from: { readonly monoMs: number; readonly wallMs: number }, ms: number) {
  const beats: number[] = [];
  for (let passed = 250; passed <= ms; passed += 250) {
    w.nowMs = from.wallMs + passed;
    const made = w.feed({ kind: "tick", monoMs: from.monoMs + passed });
    if (made.some((effect) => effect.kind === "record" && effect.row === "beat")) beats.push(from.monoMs + passed);
  }
  return beats;
}

const apart = (beats: readonly number[]): readonly number[] =>
  beats.slice(1).map((at, index) => at - (beats[index] ?? at));

test.each([
  ["back by 5 s", -5_000],
  ["back by an hour", -HOUR],
  ["ahead by 90 s", 90_000],
])("a clock set %s leaves the rhythm as it is", (_what, stepMs) => {
  const w = world();
  const startMs = w.nowMs;
  const before = live(w, { monoMs: 1_000, wallMs: startMs }, 60_000);
  const after = live(w, { monoMs: 61_000, wallMs: startMs + 60_000 + stepMs }, 60_000);
  expect(new Set(apart([...before, ...after]))).toEqual(new Set([10_000]));
  expect(w.agent.sinceTickMs(121_500)).toBe(500);
  const { uptime } = w.agent.status(w.nowMs);
  expect(uptime.downMs).toBe(stepMs > 0 ? stepMs : 0);
});
