/** What a person or a program leaves in the data folder, and what the agent takes of it. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commandWaits, takeCommand, writeCommand } from "../../src/control/command-file.ts";
import { type Folder, folder } from "../support/process.ts";

let made: Folder;
beforeEach(() => void (made = folder()));
afterEach(() => made.remove());

const taken = (): unknown[] => Array.from({ length: 4 }, () => takeCommand(made.dir)).filter((one) => one !== null);

test("each command is taken once, and of two by a program the newer", () => {
  writeCommand(made.dir, "resume");
  writeCommand(made.dir, "halt-all");
  expect(taken()).toEqual(["halt-all"]);
  expect(commandWaits(made.dir)).toBe(false);
});

test("an empty file FLATTEN or HALT is a command, taken once, the more urgent first", () => {
  writeCommand(made.dir, "halt-all");
  made.file("HALT", "");
  made.file("FLATTEN", "");
  expect(taken()).toEqual(["flatten", "halt", "halt-all"]);
  expect(["FLATTEN", "HALT"].filter((name) => existsSync(path.join(made.dir, name)))).toEqual([]);
});

test("other names, folders and texts that are no command are none", () => {
  for (const name of ["flatten.txt", "RESUME", "FLATTEN.bak"]) made.file(name, "");
  mkdirSync(path.join(made.dir, "FLATTEN"));
  for (const text of ['{"command":"sell all"}', '{"command":', "null", ""]) {
    writeFileSync(path.join(made.dir, "operator.json"), text);
    expect(taken()).toEqual([]);
  }
});
