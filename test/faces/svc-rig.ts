/**
 * The simulated service over real sockets with both faces of the client layer on it, in one process and on one clock that
 * runs faster than the machine's, so that the service's rate limits pass quickly.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client as McpClient, InMemoryTransport } from "@modelcontextprotocol/client";
import { scaledClock, systemClock } from "../../src/core/clock.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { type Env, timedIds } from "../../src/core/ids.ts";
import { silentLog } from "../../src/core/log.ts";
import { CAPABILITIES } from "../../src/faces/capabilities/all.ts";
import { createMcpServer } from "../../src/faces/mcp/server.ts";
import { runSvc } from "../../src/faces/svc/command-line.ts";
import type { Envelope } from "../../src/faces/contract/envelope.ts";
import type { Face } from "../../src/faces/contract/statuses.ts";
import { type OpenClient, plugClient } from "../../src/client/plug.ts";
import type { Variables } from "../../src/client/credentials.ts";
import { accountOfSeed } from "../../src/sim/servers/service/accounts.ts";
import { type SimService, startSimService } from "../../src/sim/service.ts";

export const BTC = "EXCHANGE_A_PERP_BTC_USDT";
export const ETH = "EXCHANGE_A_PERP_ETH_USDT";

export type Input = Readonly<Record<string, unknown>>;
/** Calls a capability by its id, through whichever face. */
export type Drive = (id: string, input?: Input) => Promise<Envelope>;

export interface Rig {
  readonly env: Env;
  readonly sim: SimService;
  /** The environment of one of the service's accounts, with a state folder of its own. */
  variables(account: number): Variables;
  open(face: Face, variables: Variables): OpenClient;
  /** `aheadMs`: as if it were called so much later. */
  command(variables: Variables, aheadMs?: number): Drive;
  tool(variables: Variables): Promise<Drive>;
  stop(): Promise<void>;
}

export async function startRig({ scale = 20, accounts = 2 } = {}): Promise<Rig> {
  const machine = systemClock();
  const clock = scale === 1 ? machine : scaledClock(machine, scale, machine.nowMs());
  const entropy = seededEntropy(5);
  const env: Env = { clock, entropy, ids: timedIds(clock.nowMs, entropy.fork("ids")) };
  const setups = Array.from({ length: accounts }, (_, index) => accountOfSeed("svc", index + 1));
  const sim = await startSimService({
    env,
    log: silentLog,
    host: "127.0.0.1",
    port: 0,
    controlPort: 0,
    exchanges: ["EXCHANGE_A"],
    phase: 1,
    seed: 11,
    symbols: [BTC, ETH],
    accounts: setups,
  });
  const folders: string[] = [];
  const closers: (() => Promise<void>)[] = [];
  const open = (face: Face, variables: Variables): OpenClient =>
    plugClient({ env, log: silentLog, face, variables, version: "9.9.9", cwd: "." });
  return {
    env,
    sim,
    open,
    variables: (account) => {
      const folder = mkdtempSync(path.join(os.tmpdir(), "svc-"));
      folders.push(folder);
      const key = setups[account]?.keys[0];
      return {
        SVC_ACCESS_KEY: key?.accessKey,
        SVC_SECRET_KEY: key?.secretKey,
        SVC_API_HOST: sim.ready.restUrl,
        SVC_STATE_DIR: path.join(folder, "state"),
        SVC_EXCHANGES: "EXCHANGE_A",
      };
    },
    command: (variables, aheadMs = 0) => {
      const later = { ...env, clock: { ...clock, nowMs: () => clock.nowMs() + aheadMs } };
      const openLater = (face: Face): OpenClient =>
        plugClient({ env: later, log: silentLog, face, variables, version: "9.9.9", cwd: "." });
      const at = { nowMs: later.clock.nowMs, open: () => openLater("command-line") };
      return (id, input) => commandLine(at, id, input ?? {});
    },
    tool: async (variables) => {
      const opened = open("tool-server", variables);
      const { client, drive } = await connectTool(opened);
      closers.push(async () => {
        await client.close();
        await opened.close();
      });
      return drive;
    },
    stop: async () => {
      for (const close of closers) await close();
      await sim.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const capabilityOf = (id: string) => {
  const capability = CAPABILITIES.find((candidate) => candidate.id === id);
  if (!capability) throw new Error(`no capability ${id}`);
  return capability;
};

/** One whole command line, from argv to the printed line. */
export async function commandLine(
  at: { readonly nowMs: () => number; open(): OpenClient },
  id: string,
  input: Input,
): Promise<Envelope> {
  const lines: string[] = [];
  const code = await runSvc([...capabilityOf(id).command, "--input", JSON.stringify(input), "--json"], {
    version: "9.9.9",
    signal: new AbortController().signal,
    io: {
      out: (text) => lines.push(text),
      err: () => undefined,
      stdin: async () => null,
      file: () => "",
      colour: false,
      nowMs: at.nowMs,
    },
    open: async () => at.open(),
    serveMcp: async () => 1,
    launch: () => ({ command: "node", args: [], environment: {}, open: [] }),
  });
  const envelope = JSON.parse(lines.join("")) as Envelope;
  if ((code === 0) !== envelope.ok) throw new Error(`exit code ${code} beside ok ${String(envelope.ok)}`);
  return envelope;
}

/** The maintained SDK's own client on the tool server. */
export async function connectTool(
  opened: OpenClient,
  underscoreNames = false,
): Promise<{ client: McpClient; drive: Drive }> {
  const server = createMcpServer({ client: opened.client, underscoreNames });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new McpClient({ name: "test", version: "1.0.0" });
  await Promise.all([server.connect(far), client.connect(near)]);
  const drive: Drive = async (id, input = {}) => {
    const name = capabilityOf(id).tool ?? "";
    const result = await client.callTool({
      name: underscoreNames ? name.replaceAll("/", "_") : name,
      arguments: { ...input },
    });
    return result.structuredContent as unknown as Envelope;
  };
  return { client, drive };
}

/** Previews (by the dedicated preview where there is one) and submits. Throws when the preview does not pass. */
export async function write(drive: Drive, id: string, business: Input, extra: Input = {}): Promise<Envelope> {
  const preview = await previewOf(drive, id, { ...business, ...extra });
  if (!preview.ok) throw new Error(`preview of ${id}: ${preview.code} ${preview.message}`);
  return drive(id, { ...business, ...tokenOf(preview) });
}

export const previewOf = (drive: Drive, id: string, input: Input): Promise<Envelope> =>
  ["order.place", "order.replace", "order.cancel"].includes(id)
    ? drive(`${id}-preview`, input)
    : drive("trade.preview", { targetCapabilityId: id, ...input });

export function tokenOf(preview: Envelope): { previewId: string; continueConsentId: string } {
  const { previewId, confirmation } = preview.data as { previewId: string; confirmation: { submitToken: string } };
  return { previewId, continueConsentId: confirmation.submitToken };
}

/** A value inside an envelope's data, by dots. */
export function dataAt(envelope: Envelope, where: string): unknown {
  let value: unknown = envelope.data;
  for (const name of where.split(".")) value = (value as Record<string, unknown> | undefined)?.[name];
  return value;
}

/** Best prices now, by the book. */
export async function bestPrices(drive: Drive, symbol = BTC): Promise<{ bid: number; ask: number }> {
  const book = await drive("market.orderbook", { symbol, level: 1 });
  return { bid: Number(dataAt(book, "bestBid.price")), ask: Number(dataAt(book, "bestAsk.price")) };
}
