/** What `svc` loads: a command that asks nobody must not pay for the HTTP client. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { programArgs } from "../support/bundled-program.ts";
import { folder, takenDown } from "../support/process.ts";

const HANG_MS = 240_000;
const { folders } = takenDown();

/** Only the HTTP client of ours loads this part of Node. */
const MARK = "NativeModule http2";
const LISTS_MODULES = `process.on("exit", () => process.stderr.write(process.moduleLoadList.join("\\n")));`;

/** The parts of Node that the command had loaded when it ended. */
function loadedBy(...command: readonly string[]): readonly string[] {
  const made = folder();
  folders.push(made);
  const preload = made.file("lists-modules.cjs", LISTS_MODULES);
  const { stderr } = spawnSync(process.execPath, ["--require", preload, ...programArgs("svc"), ...command, "--json"], {
    encoding: "utf8",
    env: {
      ...{ PATH: process.env["PATH"] ?? "", SVC_STATE_DIR: made.dir, SVC_API_HOST: "http://127.0.0.1:9" },
      ...{ SVC_ACCESS_KEY: "k".repeat(8), SVC_SECRET_KEY: "s".repeat(8) },
    },
  });
  return stderr.split("\n");
}

test("a local command does not load the HTTP client, a read over the network does", { timeout: HANG_MS }, () => {
  expect(loadedBy("config", "list")).not.toContain(MARK);
  expect(loadedBy("portfolio", "overview")).toContain(MARK);
});
