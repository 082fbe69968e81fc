import { expect, test } from "vitest";
import { overridable } from "../../src/core/overridable.ts";

const FIRST = { delayMs: 300, policy: "refuse" };

test("whatever the order in which overrides end, the newest that lasts counts, and in the end what was set", () => {
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
    [1, 2, 0],
  ]) {
    const settings = overridable(FIRST);
    const delays = [10, 20, 30];
    const ends = delays.map((delayMs) => settings.override({ delayMs }));
    const lasting = new Set(delays);
    for (const which of order) {
      expect(settings.now()).toEqual({ delayMs: [...lasting].at(-1), policy: "refuse" });
      ends[which]?.();
      lasting.delete(delays[which] ?? 0);
    }
    expect(settings.now()).toEqual(FIRST);
  }
});

test("overrides hide only what they name, and what is set meanwhile shows when they end", () => {
  const settings = overridable(FIRST);
  const end = settings.override({ delayMs: 0 });
  settings.set({ delayMs: 700, policy: "accept" });
  expect(settings.now()).toEqual({ delayMs: 0, policy: "accept" });
  end();
  end();
  expect(settings.now()).toEqual({ delayMs: 700, policy: "accept" });
});

test("every change is reported; what was given and what was read stay as they were", () => {
  const reported: unknown[] = [];
  const given = { ...FIRST };
  const settings = overridable(given, (now) => void reported.push({ ...Object.assign(given, now) }));
  const read = settings.now();
  const end = settings.override({ delayMs: 5 });
  expect(read).toEqual(FIRST);
  end();
  expect(reported).toEqual([{ ...FIRST, delayMs: 5 }, FIRST]);
});
