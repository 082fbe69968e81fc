import { expect, test } from "vitest";
import { createGate } from "../../src/net/gate.ts";

test("no more than its number are under way at once, and the most urgent of the waiting goes first", async () => {
  const gate = createGate(2);
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const releases: (() => void)[] = [];
  const work = (name: string) => async (): Promise<void> => {
    order.push(name);
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => releases.push(resolve));
    running -= 1;
  };
  const all = [gate.run("read", work("read 1")), gate.run("read", work("read 2"))];
  await expect.poll(() => order.length).toBe(2);
  all.push(gate.run("read", work("read 3")), gate.run("open", work("open")), gate.run("protect", work("protect")));
  // Let all three be waiting before the first place is free.
  await expect.poll(() => gate.waiting()).toBe(3);
  for (let started = 3; started <= 5; started++) {
    releases.shift()?.();
    await expect.poll(() => order.length).toBe(started);
  }
  for (const release of releases) release();
  await Promise.all(all);
  expect(most).toBe(2);
  expect(order).toEqual(["read 1", "read 2", "protect", "open", "read 3"]);
});
