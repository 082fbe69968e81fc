/** The files of a practice venue on a disk that fills up and is emptied again. */
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import type { Exchange } from "../../src/sim/exchange/contract/api.ts";
import { keepPrices } from "../../src/sim/kept-files.ts";
import type { HostedOptions } from "../../src/sim/options.ts";
import { openLineFile } from "../../src/sim/wire/line-file.ts";

/** Bytes that the disk still takes. */
let room = Infinity;

vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  const writeSync = (handle: number, bytes: Buffer, from = 0): number => {
    if (room === 0) throw new Error("ENOSPC: no space left on device, write");
    const taken = Math.min(room, bytes.length - from);
    room -= taken;
    return real.writeSync(handle, bytes, from, taken);
  };
  return { ...real, writeSync };
});

beforeEach(() => {
  room = Infinity;
});

test("lines that a full disk refuses wait, in order and whole, and trouble is reported once", () => {
  const dir = fs.mkdtempSync(path.join(tmpdir(), "ballast-lines-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  const name = path.join(dir, "lines.jsonl");
  const troubles: string[] = [];
  const file = openLineFile(name, (reason) => troubles.push(reason));
  const text = (): string => fs.readFileSync(name, "utf8");
  file.write({ no: 1 });
  room = 4;
  file.write({ no: 2 });
  file.write({ no: 3 });
  expect(text()).toBe('{"no":1}\n');
  room = Infinity;
  file.retry();
  expect(text()).toBe('{"no":1}\n{"no":2}\n{"no":3}\n');
  room = 0;
  file.write({ no: 4 });
  room = Infinity;
  file.close();
  expect(text().endsWith('{"no":3}\n{"no":4}\n')).toBe(true);
  expect(troubles).toEqual(Array(2).fill("ENOSPC: no space left on device, write"));
});

test("prices that cannot be stored end nothing: it is logged once, and each turn tries again", () => {
  let tries = 0;
  const said: string[] = [];
  const savePrices = (): void => {
    tries += 1;
    throw new Error("ENOSPC");
  };
  let turn = (): void => undefined;
  const clock = { ...systemClock(), every: (_ms: number, work: () => void) => ((turn = work), () => undefined) };
  const log = { event: (_level: string, evt: string, text: string) => void said.push(`${evt} ${text}`) };
  keepPrices({ kept: { savePrices }, log } as unknown as HostedOptions, { symbols: [] } as unknown as Exchange, clock);
  turn();
  turn();
  expect([tries, said]).toEqual([2, ["sim.unsaved the last prices cannot be written (ENOSPC); it is tried again"]]);
});
