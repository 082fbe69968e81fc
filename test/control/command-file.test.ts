/** What a person or a program leaves in the data folder, and what the agent takes of it. */
import { chownSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commandWaits, takeCommand, writeCommand } from "../../src/control/command-file.ts";
import { takeRequests, writeRequest } from "../../src/control/requests.ts";
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

/** As the agent's user, who owns the folder and is not root. */
function asAgent<T>(work: () => T): T {
  process.seteuid?.(1_000);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

// Only root can leave a file in the folder of another user.
test.runIf(process.getuid?.() === 0)("what root leaves for an agent of another user is taken, and replaced", () => {
  chownSync(made.dir, 1_000, 1_000);
  writeCommand(made.dir, "halt");
  writeRequest(made.dir, "q-1", { kind: "review" });
  asAgent(() => {
    expect(taken()).toEqual(["halt"]);
    expect(takeRequests(made.dir)).toEqual([{ id: "q-1", request: { kind: "review" } }]);
  });
  writeCommand(made.dir, "resume");
  asAgent(() => {
    writeCommand(made.dir, "flatten");
    writeRequest(made.dir, "q-2", { kind: "review" });
    expect(taken()).toEqual(["flatten"]);
    expect(takeRequests(made.dir)).toHaveLength(1);
  });
});

test("a link in the folder has no other file written or given away", () => {
  const other = made.file("other", "as it was");
  symlinkSync(other, path.join(made.dir, "operator.json.part"));
  symlinkSync(other, path.join(made.dir, "operator.json"));
  writeCommand(made.dir, "halt");
  expect(readFileSync(other, "utf8")).toBe("as it was");
  expect(taken()).toEqual(["halt"]);
});
