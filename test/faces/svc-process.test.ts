/**
 * The program `svc` as processes: what it prints, how it ends, what a kill leaves behind, and that no secret gets out.
 * The service sits behind a gate that can hold an answer back.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { Client as McpClient } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Envelope } from "../../src/faces/contract/envelope.ts";
import { i32 } from "../../src/verify/invariants/i32-stdout.ts";
import { historyOf } from "../../src/verify/read.ts";
import { judgeOne } from "../../src/verify/verify.ts";
import {
  bestPrices,
  BTC,
  capabilityOf,
  ETH,
  dataAt,
  type Drive,
  previewOf,
  type Rig,
  startRig,
  tokenOf,
  write,
} from "./svc-rig.ts";
import { programArgs } from "../support/bundled-program.ts";

const SVC = programArgs("svc");
const folder = mkdtempSync(path.join(os.tmpdir(), "svc-process-"));

interface Gate {
  readonly url: string;
  /** Writes are passed on, and their answers held back from now on. */
  hold: boolean;
  /** Reported when a write has reached the gate. */
  onWrite: () => void;
  readonly server: Server;
}

/** Passes everything on to the service. */
async function openGate(target: string): Promise<Gate> {
  const server = createServer((asked: IncomingMessage, answer: ServerResponse) => {
    const onward = request(`${target}${asked.url ?? ""}`, { method: asked.method, headers: asked.headers }, (heard) => {
      const write = asked.method !== "GET";
      if (write) gate.onWrite();
      if (write && gate.hold) return void heard.resume();
      answer.writeHead(heard.statusCode ?? 502, heard.headers);
      heard.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const gate: Gate = { url: `http://127.0.0.1:${port}`, hold: false, onWrite: () => undefined, server };
  return gate;
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

let rig: Rig;
let gate: Gate;
let variables: Record<string, string>;

function start(args: readonly string[], input: string | null = null) {
  const child = spawn(process.execPath, [...SVC, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...variables },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  child.stdin.end(input ?? "");
  const ended = new Promise<Ended>((resolve) => child.once("close", (code) => resolve({ code, out, err })));
  return { child, ended };
}

const run = (args: readonly string[], input: string | null = null): Promise<Ended> => start(args, input).ended;
/** The same command line without a process of its own, on the same state folder. */
const command: Drive = (id, input) => rig.command(variables)(id, input);

beforeAll(async () => {
  rig = await startRig({ scale: 1, accounts: 1 });
  gate = await openGate(rig.sim.ready.restUrl);
  const { SVC_ACCESS_KEY = "", SVC_SECRET_KEY = "" } = rig.variables(0);
  variables = {
    SVC_ACCESS_KEY,
    SVC_SECRET_KEY,
    SVC_API_HOST: gate.url,
    SVC_MARKET_WS_URL: rig.sim.ready.marketWsUrl,
    SVC_STATE_DIR: path.join(folder, "state"),
    SVC_EXCHANGES: "EXCHANGE_A",
  };
}, 60_000);

afterAll(async () => {
  gate.server.closeAllConnections();
  gate.server.close();
  await rig.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("a command", () => {
  test("prints one line, and its exit code says whether it is ok", async () => {
    const [bad, version, piped] = await Promise.all([
      run(["market", "get-mark-price", "--sybmol", "btcusdt", "--json"]),
      run(["--version"]),
      run(["market", "get-mark-price", "--json"], JSON.stringify({ symbol: "btcusdt" })),
    ]);
    expect(piped.out.trimEnd().split("\n")).toHaveLength(1);
    expect([bad.code, version.code, piped.code]).toEqual([1, 0, 0]);
    expect(JSON.parse(bad.out)).toMatchObject({ status: "INVALID_INPUT", code: "RCLI30001" });
    expect(bad.out).toContain("did you mean symbol?");
    expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("reads a write's input from a pipe, also where no field is required before the handler looks", async () => {
    const leverage = { targetCapabilityId: "position.set-leverage", symbol: "btcusdt", leverage: 2 };
    const piped = await run(["trade", "preview", "--json"], JSON.stringify(leverage));
    expect(JSON.parse(piped.out)).toMatchObject({ status: "PASS", data: { businessParams: { leverage: 2 } } });
  });

  test("takes a person from a coin's name to the order's id without asking for an id", async () => {
    await write(command, "position.set-leverage", { symbol: ETH, leverage: 2 });
    const { bid } = await bestPrices(command, ETH);
    const price = String(Math.floor(bid * 0.9));
    const order = `--symbol ETH --side buy --position-side long --order-type limit --price ${price} --quantity 0.1 --max-notional 1000`;
    const preview = ["order", "place-preview", ...order.split(" ")];
    const [asked, program] = await Promise.all([run(preview), run([...preview, "--json"])]);
    expect(asked.err).toContain(`symbol ETH is read as ${ETH}`);
    const made = /clientOrderId of this order: (svc-\w+)/.exec(asked.err)?.[1] ?? "";
    expect(JSON.parse(program.out)).toMatchObject({ status: "INVALID_INPUT", code: "RCLI30001" });
    expect(program.out).toContain("clientOrderId is required");

    const [, line = ""] = /To carry it out:\n {2}svc (.*)\n$/.exec(asked.out) ?? [];
    expect(line).toContain(`--client-order-id ${made}`);
    // The preview knows the id, so that the submit need not repeat it.
    const placed = await run(line.replace(`--client-order-id ${made} `, "").split(" "));
    expect([placed.code, placed.out]).toEqual([0, expect.stringContaining(made)]);
    const [open, again] = await Promise.all([run(["order", "open-orders"]), run(line.split(" "))]);
    const orderId = /\b\d{16}\b/.exec(placed.out)?.[0] ?? "";
    expect(open.out).toContain(orderId);
    expect(open.out).toContain(made);
    expect(again.out).toMatch(/^BLOCKED RCLI20002 PREVIEW_/);
    await write(command, "order.cancel", { orderId });
  }, 60_000);

  test("names the command that a misspelt word or a capability's id most likely meant", async () => {
    const said = async (...words: string[]): Promise<string | undefined> =>
      (JSON.parse((await run([...words, "--json"])).out) as Envelope).details?.hint;
    const asked = [said("market.ticker"), said("ordr", "open-orders"), said("order", "list-open")];
    expect(await Promise.all(asked)).toEqual([
      "did you mean svc market get-ticker?",
      "did you mean svc order open-orders?",
      "did you mean svc order open-orders?",
    ]);
    const target = await command("trade.preview", { targetCapabilityId: "order.plase" });
    expect(target.message).toContain("did you mean order.place?");
  });

  test("prints a host's snippet, which starts the tools from any folder and holds no secret", async () => {
    const printed = await run(["mcp", "config", "--host", "claude"]);
    expect(printed.err).toContain(".mcp.json");
    expect(printed.out).not.toContain(variables["SVC_ACCESS_KEY"]);
    expect(printed.out).not.toContain(variables["SVC_SECRET_KEY"]);
    const { svc } = (JSON.parse(printed.out) as { mcpServers: Record<"svc", Server> }).mcpServers;
    interface Server {
      readonly command: string;
      readonly args: string[];
      readonly env: Record<string, string>;
    }
    const env = Object.fromEntries(
      Object.entries(svc.env).map(([name, value]) => [
        name,
        value.replace(/^\$\{(\w+)\}$/, (_, of: string) => variables[of] ?? ""),
      ]),
    );
    const host = new McpClient({ name: "host", version: "1.0.0" });
    await host.connect(new StdioClientTransport({ command: svc.command, args: svc.args, env, cwd: folder }));
    const { tools } = await host.listTools();
    expect(tools.every(({ name }) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
    const asked = await host.callTool({ name: "svc_market_get-mark-price", arguments: { symbol: "BTC" } });
    expect(asked.structuredContent).toMatchObject({ ok: true });
    await host.close();
    expect((await run(["mcp", "config", "--host", "vscod"])).err).toContain("did you mean vscode?");
  }, 60_000);

  test("refuses a word that an option has said already, and names the actions of a domain that needs one", async () => {
    const stray = await run(["market", "get-mark-price", "extra", "--symbol", BTC, "--json"]);
    expect(stray.code).toBe(1);
    expect(JSON.parse(stray.out)).toMatchObject({
      status: "INVALID_INPUT",
      message: "unexpected words: extra; symbol is given already",
    });
    const alone = JSON.parse((await run(["market", "--json"])).out) as Envelope;
    expect(alone.message).toContain("symbol is required");
    expect(alone.details?.hint).toMatch(/^svc market has: .*get-ticker, .*get-mark-price/);
  });
  test("without credentials or host says which is missing", async () => {
    const without = (...names: string[]): Promise<Envelope> =>
      rig.command(Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name))))(
        "position.query",
      );
    expect(await without("SVC_SECRET_KEY")).toMatchObject({ status: "NOT_VERIFIED", code: "RCORE01001" });
    expect(await without("SVC_API_HOST")).toMatchObject({ status: "NOT_VERIFIED", code: "RCORE01003" });
  });
});

describe("a kill", () => {
  const consent = { explicitUserConsent: true, acceptedRiskText: "Automated orders are allowed." };

  test("between preview and submit, and between submit and audit, leaves the counts right", async () => {
    await write(command, "position.set-leverage", { symbol: BTC, leverage: 2 });
    const { bid } = await bestPrices(command);
    const order = {
      symbol: BTC,
      side: "BUY",
      positionSide: "LONG",
      orderType: "LIMIT",
      price: String(Math.floor(bid * 0.9)),
      quantity: "0.002",
      maxNotional: "150",
      clientOrderId: "kill-1",
    };
    const terms = { symbols: [BTC], maxNotionalPerOrder: "150", maxTotalNotional: "1000" };
    const session = String(dataAt(await command("automation.start", { ...terms, ...consent }), "automationSessionId"));
    const used = async (): Promise<unknown> =>
      dataAt(await command("automation.status", { automationSessionId: session }), "usedNotional");

    const preview = await command("order.place-preview", order);
    const submit = [
      ...capabilityOf("order.place").command,
      "--input",
      JSON.stringify({ ...order, ...tokenOf(preview) }),
      "--json",
    ];
    const early = start(submit);
    early.child.kill("SIGKILL");
    await early.ended;
    expect(await used()).toBe("0");

    gate.hold = true;
    const late = start(submit);
    await new Promise<void>((resolve) => (gate.onWrite = resolve));
    late.child.kill("SIGKILL");
    await late.ended;
    gate.hold = false;
    expect(await used()).toBe("150");
    const again = await command("order.place", { ...order, ...tokenOf(preview) });
    expect([again.status, again.message?.split(":")[0]]).toEqual(["BLOCKED", "PREVIEW_USED"]);
    expect(await used()).toBe("150");
    const audit = dataAt(await command("audit.list", { capabilityId: "order.place" }), "rows") as { status: string }[];
    expect(audit.map(({ status }) => status)).toContain("STARTED");
    const found = await command("order.query", { clientOrderId: "kill-1" });
    expect(dataAt(found, "data.orderState")).toBe("OPEN");
  }, 60_000);
});

test("a machine whose clock is two minutes ahead reads, and then trades, by the service's time", async () => {
  const ahead = rig.command(variables, 120_000);
  const first = await ahead("position.query");
  expect([first.status, first.message]).toEqual(["PASS", undefined]);
  const set = await write(ahead, "position.set-leverage", { symbol: BTC, leverage: 2 });
  expect(set.status).toBe("PASS");
});

test("a machine whose clock is two minutes ahead previews at once, and closes all at the second attempt", async () => {
  const own = { ...variables, SVC_STATE_DIR: path.join(folder, "ahead") };
  const first = await previewOf(rig.command(own, 120_000), "order.cancel", { clientOrderId: "nobodys" });
  expect([first.status, first.code]).toEqual(["NOT_FOUND", "RCORE22004"]);

  const other = rig.command({ ...variables, SVC_STATE_DIR: path.join(folder, "ahead-2") }, 120_000);
  const all = { symbol: BTC };
  const refused = await write(other, "order.cancel-all", all);
  expect(refused.details).toMatchObject({ upstreamCode: "7000", hint: expect.stringContaining("preview again") });
  expect((await write(other, "order.cancel-all", all)).status).toBe("PASS");
});

describe("the tool server as a process", () => {
  test("speaks nothing but protocol, survives an outage, and ends with its pipe", async () => {
    const record = path.join(folder, "tools.out");
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...SVC, "mcp", "serve", "--record", record],
      env: { PATH: process.env["PATH"] ?? "", ...variables },
      stderr: "pipe",
    });
    const client = new McpClient({ name: "test", version: "1.0.0" });
    const errors: Error[] = [];
    client.onerror = (error) => void errors.push(error);
    await client.connect(transport);
    const call = async (name: string, input: Record<string, unknown>): Promise<Envelope> =>
      (await client.callTool({ name, arguments: input })).structuredContent as unknown as Envelope;
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThanOrEqual(46);
    expect((await call("svc/market/get-mark-price", { symbol: BTC })).status).toBe("PASS");
    expect((await call("svc_position_query", {})).status).toBe("PASS");
    const port = Number(new URL(gate.url).port);
    gate.server.closeAllConnections();
    await new Promise<void>((resolve) => gate.server.close(() => resolve()));
    expect(await call("svc/position/query", {})).toMatchObject({ status: "FAIL", code: "RCORE23002" });
    await new Promise<void>((resolve) => gate.server.listen(port, "127.0.0.1", resolve));
    expect((await call("svc/position/query", {})).status).toBe("PASS");
    expect(errors).toEqual([]);
    const { pid } = transport;
    await client.close();
    expect(pid).not.toBeNull();
    expect(() => process.kill(pid ?? 0, 0)).toThrow();
    // What it wrote is what the verifier judges, the outage included.
    const content = readFileSync(record, "utf8");
    const history = historyOf({ rows: [], sinks: [{ name: "tools.mcp-stdout", content }] });
    if (!history.ok) throw new Error(history.error);
    expect(content.split("\n").length).toBeGreaterThan(5);
    expect(judgeOne(i32, history.value).verdict).toEqual({ kind: "held" });
  }, 60_000);
});

test("the tool server answers each bad line by its id and in a sentence, and goes on", async () => {
  const args = [...SVC, "mcp", "serve"];
  const child = spawn(process.execPath, args, { env: { PATH: process.env["PATH"] ?? "", ...variables } });
  let out = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  const clientInfo = { name: "test", version: "1.0.0" };
  const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo };
  const good = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "initialize", params });
  const listed = { jsonrpc: "2.0", id: 11, method: "tools/call", params: [1] };
  const nameless = { jsonrpc: "2.0", id: 12, method: "tools/call", params: { name: 5 } };
  const answer = { jsonrpc: "2.0", id: 13, result: 5 };
  const bad = [listed, answer, { jsonrpc: "2.0", id: {}, method: 5 }].map((each) => JSON.stringify(each)).join("\n");
  child.stdin.write(`{"jsonrpc": "2.0", "id": 5,\n\n{"id": 6, "method": "tools/list"}\n${bad}\n${good}\n`);
  child.stdin.write(`${JSON.stringify(nameless)}\n`);
  const lines = () => out.split("\n").filter((line) => line !== "");
  await vi.waitFor(() => expect(lines().join()).toMatch(/protocolVersion.*"id":12/s), { timeout: 20_000 });
  child.kill();
  const heard = lines().map((line) => JSON.parse(line) as { id: unknown; error?: { code: number; message: string } });
  expect(heard.map(({ id, error }) => [id, error?.code]).sort()).toEqual([
    // A host waits for no answer to its answer, nor by an id that is none.
    [null, -32600],
    [null, -32600],
    [null, -32700],
    [11, -32600],
    [12, -32602],
    [6, -32600],
    [7, undefined],
  ]);
  const said = (wanted: number) => heard.find(({ id }) => id === wanted)?.error?.message;
  expect(said(11)).toMatch(/: params: Invalid input: expected object, received array$/);
  expect(said(12)).toMatch(/: params\.name: Invalid input: expected string, received number$/);
  const history = historyOf({ rows: [], sinks: [{ name: "tools.mcp-stdout", content: out }] });
  if (!history.ok) throw new Error(history.error);
  expect(judgeOne(i32, history.value).verdict).toEqual({ kind: "held" });
}, 60_000);

test("no secret is in any file that was kept, and all are private", async () => {
  const unknown = "4hRk9Qz2mVx7Lp3TsB8n";
  await command("config.set", { key: "SVC_SECRET_KEY", value: unknown });
  await command("config.set", { key: "mySecret", value: variables["SVC_SECRET_KEY"] });
  await command("config.set", { key: "note", value: `key ${variables["SVC_ACCESS_KEY"] ?? ""}` });
  const shown = await run(["order", "query", "--client-order-id", variables["SVC_SECRET_KEY"] ?? "", "--json"]);
  const state = path.join(folder, "state");
  const kept = readdirSync(state).map((name) => readFileSync(path.join(state, name)).toString("latin1"));
  for (const secret of [variables["SVC_ACCESS_KEY"] ?? "?", variables["SVC_SECRET_KEY"] ?? "?", unknown]) {
    expect(kept.some((text) => text.includes(secret))).toBe(false);
    expect(`${shown.out}${shown.err}`).not.toContain(secret);
  }
  expect(statSync(path.join(state, "svc.db")).mode & 0o777).toBe(0o600);
  expect(statSync(state).mode & 0o777).toBe(0o700);
});
