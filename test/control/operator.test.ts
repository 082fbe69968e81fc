/** What the operator says and the last word of a process, where the disk takes nothing. */
import { expect, test } from "vitest";
import { JournalError } from "../../src/journal/error.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { lastRow, obey } from "../../src/control/operator.ts";

const refuse = (): never => {
  throw new JournalError("write-failed", "cannot write journal.db: the disk is full");
};

function operatorWith(state: "ok" | "tail-lost", acknowledge: () => unknown = () => undefined) {
  const fed: string[] = [];
  const said: string[] = [];
  const journal = { opened: { state }, acknowledge, append: refuse } as unknown as Journal;
  const log = { event: (_level: string, _evt: string, text: string) => void said.push(text) };
  return { fed, said, journal, log, feed: ({ command }: { command: string }) => void fed.push(command) };
}

test("a resume that cannot be written down is not carried out, says so, and ends nothing", () => {
  const at = operatorWith("tail-lost", refuse);
  obey("resume", at);
  expect(at.fed).toEqual([]);
  expect(at.said.join()).toMatch(/^resume was not carried out; repeat it: .*the disk is full/);
});

test("a halt needs no disk, and a resume with a sound journal no acknowledgement", () => {
  const at = operatorWith("tail-lost", refuse);
  obey("halt", at);
  expect(at.fed).toEqual(["halt"]);
  const sound = operatorWith("ok", refuse);
  obey("resume", sound);
  expect(sound.fed).toEqual(["resume"]);
});

test("a last row that cannot be written is reported, and the end goes on", () => {
  const at = operatorWith("ok");
  expect(() => lastRow(at, { reason: "SIGTERM" })).not.toThrow();
  expect(at.said.join()).toMatch(/the end could not be journalled: .*the disk is full/);
});
