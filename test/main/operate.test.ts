/** What `ballast halt` and `ballast resume` say of an agent that obeys, that obeys and moves on, and that does neither. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { flattenProgram, operateProgram } from "../../src/main/operate.ts";
import { commandWaits, takeCommand, writeCommand } from "../../src/control/command-file.ts";
import { takeLease } from "../../src/journal/lease.ts";
import { statusProgram } from "../../src/main/status.ts";
import { strategyUseProgram } from "../../src/main/strategy.ts";
import { journalPath, writeRunCard } from "../../src/ops/run-file.ts";

interface Floor {
  readonly floorState: string;
  readonly floorReason: string;
  readonly positions?: readonly object[];
  readonly orders?: readonly object[];
  readonly readOnly?: boolean;
}

let dataDir = "";
/** What the endpoint answers in place of the floor. */
let refusal: number | null = null;
let floor: Floor = { floorState: "NORMAL", floorReason: "" };
let obeyed: Partial<Record<string, Floor>> = {};
const said: string[] = [];
/** It takes commands where it obeys any. */
let run = "b";
const agent = createServer((_request, response) => {
  response.setHeader("x-ballast-run", run);
  if (refusal !== null) response.writeHead(refusal).end("forbidden");
  else response.end(JSON.stringify(floor));
});
let taking: ReturnType<typeof setInterval>;

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), "ballast-operate-"));
  await new Promise<void>((resolve) => agent.listen(0, "127.0.0.1", resolve));
  const { port } = agent.address() as AddressInfo;
  writeRunCard(dataDir, { pid: 1, boot: "b", statusUrl: `http://127.0.0.1:${port}`, sinceMs: 0 });
  taking = setInterval(() => {
    const command = Object.keys(obeyed).length === 0 ? null : takeCommand(dataDir);
    if (command !== null) floor = obeyed[command] ?? floor;
  }, 20);
  said.length = 0;
  refusal = null;
  run = "b";
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => said.push(String(text)) > 0);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  clearInterval(taking);
  agent.closeAllConnections();
  agent.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const LOOK_EVERY_MS = 300;

/** Ten seconds of looking are half of one. */
function hasten(): void {
  const real = setTimeout;
  const sooner = (work: () => void, ms: number): unknown => real(work, ms === LOOK_EVERY_MS ? ms / 20 : ms);
  vi.stubGlobal("setTimeout", (work: (...given: unknown[]) => void, ms: number, ...given: unknown[]) =>
    sooner(() => work(...given), ms),
  );
}

function silent(): void {
  agent.closeAllConnections();
  agent.close();
}

/** The folder as a running agent holds it. */
function held(): void {
  const lease = takeLease(journalPath(dataDir), { pid: 4711, boot: "b", sinceMs: 0 });
  onTestFinished(() => lease.release());
}

const say = (command: "halt" | "resume"): Promise<number> => operateProgram(command, { json: false, dataDir });
const HALT = { floorState: "HALT", floorReason: "the operator said halt" };

test("a halt is logged once the agent is halted", async () => {
  [floor, obeyed] = [{ floorState: "NORMAL", floorReason: "" }, { halt: HALT }];
  expect([await say("halt"), said.join("")]).toEqual([0, "The agent is HALT.\n"]);
});

test("an agent that needs longer than ten seconds for its answer is halted all the same", async () => {
  [floor, obeyed] = [{ floorState: "NORMAL", floorReason: "" }, { halt: HALT }];
  const real = setTimeout;
  // Whoever waits ten seconds gives up at once.
  vi.stubGlobal("setTimeout", (work: () => void, ms: number) => real(work, ms === 10_000 ? 0 : ms));
  expect([await say("halt"), said.join("")]).toEqual([0, "The agent is HALT.\n"]);
});

test("a halt of all is another word than a halt, and the agent hears which", async () => {
  [floor, obeyed] = [{ floorState: "NORMAL", floorReason: "" }, { "halt-all": HALT }];
  expect(await operateProgram("halt", { json: false, dataDir, all: true })).toBe(0);
  expect(said.join("")).toBe("The agent is HALT.\n");
});

test("a resume is reported also where the ladder has moved on before anybody looked", async () => {
  [floor, obeyed] = [HALT, { resume: { floorState: "WARN", floorReason: "equity 870 is below 880" } }];
  expect([await say("resume"), said.join("")]).toEqual([
    0,
    "The agent is WARN, not NORMAL: its equity does not allow it.\n",
  ]);
});

test("a resume that is taken and comes to nothing says where the agent is", async () => {
  hasten();
  const flattened = { floorState: "HALT", floorReason: "flattened near the floor" };
  [floor, obeyed] = [flattened, { resume: flattened }];
  expect(await say("resume")).toBe(1);
  expect(said.join("")).toMatch(/took the command, and is still HALT \(flattened near the floor\)/);
});

test("a resume that nobody takes is withdrawn, for no later run to obey", async () => {
  hasten();
  [floor, obeyed] = [HALT, {}];
  expect(await say("resume")).toBe(1);
  expect(said.join("")).toMatch(/did not take the command within 10 s, and it is withdrawn/);
  expect(commandWaits(dataDir)).toBe(false);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "a resume that %s interrupts is taken back, and a newer halt is not",
  async (signal) => {
    [floor, obeyed] = [HALT, {}];
    hasten();
    const ended = vi.spyOn(process, "kill").mockReturnValue(true);
    for (const left of ["resume", "halt"] as const) {
      const saying = say("resume");
      await vi.waitUntil(() => commandWaits(dataDir));
      writeCommand(dataDir, left);
      process.emit(signal, signal);
      expect([commandWaits(dataDir), ended.mock.lastCall?.[1]]).toEqual([left === "halt", signal]);
      takeCommand(dataDir);
      await saying;
    }
  },
);

test("a data folder that the environment does not give is refused, and no other agent is halted", async () => {
  vi.stubEnv("BALLAST_DATA_DIR", undefined);
  vi.stubEnv("BALLAST_DATA_DIR_FILE", path.join(dataDir, "gone"));
  await expect(operateProgram("halt", { json: false })).rejects.toThrow(/BALLAST_DATA_DIR_FILE names .*cannot be read/);
  vi.stubEnv("BALLAST_DATA_DIR", dataDir);
  await expect(operateProgram("halt", { json: false })).rejects.toThrow(/both set/);
});

const HELD = {
  floorState: "NORMAL",
  floorReason: "",
  orders: [],
  readOnly: false,
  positions: [{ symbol: "EXCHANGE_A_PERP_BTC_USDT", side: "LONG", qty: "0.01", unrealizedUsdt: "-1.239" }],
};

test("a flattening without --yes lists what would be closed and does nothing", async () => {
  [floor, obeyed] = [HELD, {}];
  expect(await flattenProgram({ yes: false, json: false, dataDir })).toBe(2);
  expect(said.join("")).toMatch(
    /^LONG 0\.01 EXCHANGE_A_PERP_BTC_USDT, unrealised -1\.24 USDT\n.*ballast flatten --yes/,
  );
  expect(commandWaits(dataDir)).toBe(false);
});

test("a flattening is done once nothing is held and the agent is halted", async () => {
  [floor, obeyed] = [HELD, { flatten: { ...HALT, positions: [], orders: [] } }];
  expect(await flattenProgram({ yes: true, json: true, dataDir })).toBe(0);
  expect(JSON.parse(said.join(""))).toEqual({ ok: true, floorState: "HALT", closed: 1 });
});

test("an agent that may only watch flattens nothing, and neither does none", async () => {
  [floor, obeyed] = [{ ...HELD, readOnly: true }, {}];
  expect(await flattenProgram({ yes: true, json: false, dataDir })).toBe(1);
  expect(said.join("")).toContain("svc position close-all");
  silent();
  said.length = 0;
  expect(await flattenProgram({ yes: true, json: false, dataDir })).toBe(1);
  expect(said.join("")).toMatch(
    /no agent is running.*touch .*FLATTEN, then: ballast run.*svc position close-all.*--data-dir/,
  );
});

test("a held folder whose endpoint is silent gets the command, and the text says where it waits", async () => {
  [floor, obeyed] = [HELD, {}];
  held();
  silent();
  hasten();
  const waits = `process 4711 holds this folder but its status port does not answer \\(.*ECONNREFUSED.*; the command waits for it in ${path.join(dataDir, "operator.json")}`;
  expect(await say("halt")).toBe(1);
  expect(said.join("")).toMatch(new RegExp(waits));
  expect(takeCommand(dataDir)).toBe("halt");
  said.length = 0;
  expect(await flattenProgram({ yes: true, json: false, dataDir })).toBe(1);
  expect(said.join("")).toMatch(new RegExp(waits));
  expect(takeCommand(dataDir)).toBe("flatten");
  said.length = 0;
  expect(await say("resume")).toBe(1);
  expect(said.join("")).toMatch(
    /process 4711 holds this folder.* did not take the command within 10 s, and it is with/,
  );
  expect(commandWaits(dataDir)).toBe(false);
});

test("a shell without the token leaves its command, and learns which variable to set", async () => {
  [floor, obeyed] = [{ floorState: "NORMAL", floorReason: "" }, { halt: HALT }];
  held();
  hasten();
  refusal = 403;
  vi.stubEnv("BALLAST_STATUS_TOKEN", undefined);
  expect(await say("halt")).toBe(1);
  expect(said.join("")).toMatch(/took the command, and cannot be seen to obey: .*BALLAST_STATUS_TOKEN is not set/);
  expect(floor.floorState).toBe("HALT");
});

test("a held folder is never said to have no agent, and its listing asks for --yes in the same folder", async () => {
  held();
  silent();
  expect(await flattenProgram({ yes: false, json: false, dataDir })).toBe(2);
  expect(said.join("")).toMatch(new RegExp(`process 4711 holds.*ballast flatten --yes --data-dir ${dataDir}`));
  await statusProgram({ health: true, json: false, watch: false, dataDir });
  await statusProgram({ health: false, json: false, watch: false, dataDir });
  expect(said.join("")).not.toContain("no agent");
  expect(said.slice(1).join("")).toMatch(/^dead: process 4711 holds(.|\n)*ballast: process 4711 holds/);
});

test("the card of an earlier run names no agent's port: another program may have it", async () => {
  const lease = takeLease(journalPath(dataDir), { pid: 4711, boot: "later", sinceMs: 0 });
  onTestFinished(() => lease.release());
  expect(await flattenProgram({ yes: false, json: false, dataDir })).toBe(2);
  expect(said.join("")).toContain("does not answer (it has none");
});

test("another agent on the port of a killed run is neither reported nor told to flatten", async () => {
  run = "another";
  [floor, obeyed] = [HELD, {}];
  expect(await flattenProgram({ yes: true, json: false, dataDir })).toBe(1);
  expect(await statusProgram({ health: true, json: false, watch: false, dataDir })).toBe(1);
  expect(said.join("")).toMatch(/no agent is running(.|\n)*dead: no agent answers/);
  expect(commandWaits(dataDir)).toBe(false);
});

test("where no agent runs, the hints keep the folder, and none is to touch a file where there is no folder", async () => {
  silent();
  expect(await say("resume")).toBe(1);
  expect(said.join("")).toContain(`Start one with: ballast run --data-dir ${dataDir}.`);
  said.length = 0;
  const gone = path.join(dataDir, "gone");
  expect(await operateProgram("halt", { json: false, dataDir: gone })).toBe(1);
  expect(await flattenProgram({ yes: true, json: false, dataDir: gone })).toBe(1);
  expect(await strategyUseProgram("momentum", { json: false, dataDir: gone })).toBe(1);
  expect(said.join("")).toContain("This folder does not exist");
  expect(said.join("")).not.toContain("touch");
});
