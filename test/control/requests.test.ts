/** What a command leaves for the running agent, and the answer: each whole, each once, nothing else believed. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answering, takeAnswer, takeRequests, writeRequest } from "../../src/control/requests.ts";
import { silentLog } from "../../src/core/log.ts";
import { type Folder, folder } from "../support/process.ts";

let made: Folder;
beforeEach(() => {
  made = folder();
});
afterEach(() => made.remove());
const dir = (): string => made.dir;

test("a request is taken once, in order, and answered by its name", () => {
  writeRequest(dir(), "q-2", { kind: "review" });
  writeRequest(dir(), "q-1", { kind: "use", strategy: "hold", handover: null });
  expect(takeRequests(dir())).toEqual([
    { id: "q-1", request: { kind: "use", strategy: "hold", handover: null } },
    { id: "q-2", request: { kind: "review" } },
  ]);
  expect(takeRequests(dir())).toEqual([]);
  expect(takeAnswer(dir(), "q-1")).toBeNull();
  answering(dir(), silentLog)("q-1", { ok: true });
  expect(takeAnswer(dir(), "q-1")).toEqual({ ok: true });
  expect(takeAnswer(dir(), "q-1")).toBeNull();
});

test("what is no request is dropped and leaves nothing behind", () => {
  mkdirSync(`${dir()}/requests`);
  const write = (name: string, text: string): void => writeFileSync(`${dir()}/requests/${name}`, text);
  write("q-1.request.json", "{ half a");
  write("q-2.request.json", JSON.stringify({ kind: "use", strategy: "hold", handover: "burn" }));
  write("q-3.request.json", JSON.stringify({ kind: "review", shell: "rm" }));
  write("Q_4.request.json", JSON.stringify({ kind: "review" }));
  expect(takeRequests(dir())).toEqual([]);
  expect(readdirSync(`${dir()}/requests`)).toEqual([]);
});

test("what cannot be removed is not taken, ends nothing and keeps no other request waiting", () => {
  mkdirSync(`${dir()}/requests/q-1.request.json`, { recursive: true });
  writeRequest(dir(), "q-2", { kind: "review" });
  expect(takeRequests(dir())).toEqual([{ id: "q-2", request: { kind: "review" } }]);
  expect(takeRequests(dir())).toEqual([]);
});

test("an answer that the disk does not take is logged, and whoever answered goes on", () => {
  writeFileSync(`${dir()}/requests`, "a file where the folder should be");
  const said: string[] = [];
  const log = { ...silentLog, event: (_level: string, evt: string, msg: string) => void said.push(`${evt} ${msg}`) };
  expect(() => answering(dir(), log)("q-1", { ok: true })).not.toThrow();
  expect(said).toEqual([expect.stringMatching(/^schedule\.failed the answer to the operator could not be written: /)]);
});
