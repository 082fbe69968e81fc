/** The client layer as cards meet it: whole command lines, and tool calls through the maintained SDK's own client. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { silentLog } from "../../src/core/log.ts";
import type { Envelope } from "../../src/faces/contract/envelope.ts";
import { type OpenClient, plugClient } from "../../src/client/plug.ts";
import type { Variables } from "../../src/client/credentials.ts";
import { commandLine, connectTool, type Drive, type Input } from "../faces/svc-rig.ts";
import type { Account, Service } from "./service.ts";

export interface SvcClient {
  /** `SVC_ACCESS_KEY` and the others, as a person sets them. */
  readonly variables: Variables;
  /** A command by its capability's id. */
  readonly command: Drive;
  /** The same with other variables, or so much later. */
  commandAs(change: { readonly variables?: Variables; readonly aheadMs?: number }): Drive;
  /** A tool by its capability's id, on one tool server for the whole card. */
  readonly tool: Drive;
  /** The whole client behind the SDK's own. */
  host(): Promise<Awaited<ReturnType<typeof connectTool>>>;
  leave(): Promise<void>;
}

/** Opens nothing before it is used. */
export function svcClient({ env, ready }: Service, account: Account): SvcClient {
  let folder: string | null = null;
  let host: Promise<Awaited<ReturnType<typeof connectTool>>> | null = null;
  let opened: OpenClient | null = null;
  const variables: Variables = {
    SVC_ACCESS_KEY: account.accessKey,
    SVC_SECRET_KEY: account.secretKey,
    SVC_API_HOST: ready.restUrl,
    SVC_MARKET_WS_URL: ready.marketWsUrl,
    SVC_EXCHANGES: "EXCHANGE_A,EXCHANGE_B",
    get SVC_STATE_DIR() {
      return (folder ??= mkdtempSync(path.join(os.tmpdir(), "svc-card-")));
    },
  };
  const shared = { log: silentLog, version: "9.9.9", cwd: os.tmpdir() };
  const commandAs: SvcClient["commandAs"] = ({ variables: own = variables, aheadMs = 0 }) => {
    const clock = aheadMs === 0 ? env.clock : { ...env.clock, nowMs: () => env.clock.nowMs() + aheadMs };
    const open = (): OpenClient =>
      plugClient({ ...shared, env: { ...env, clock }, face: "command-line", variables: own });
    return (id, input = {}) => commandLine({ nowMs: clock.nowMs, open }, id, input);
  };
  const connected = (): Promise<Awaited<ReturnType<typeof connectTool>>> => {
    opened ??= plugClient({ ...shared, env, face: "tool-server", variables });
    return (host ??= connectTool(opened));
  };
  return {
    variables,
    command: commandAs({}),
    commandAs,
    tool: async (id, input = {}) => (await connected()).drive(id, input),
    host: connected,
    leave: async () => {
      await (await host)?.client.close();
      await opened?.close();
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PASS, with what the client layer says of it. Answers `data`. */
export function passed(envelope: Envelope): Readonly<Record<string, unknown>> {
  expect([envelope.status, envelope.message]).toEqual(["PASS", undefined]);
  expect(envelope.ok).toBe(true);
  return envelope.data as Readonly<Record<string, unknown>>;
}

/** Not PASS: the status word and the five digits of the code. */
export function failed(envelope: Envelope, status: Envelope["status"], code?: string): Envelope {
  expect([envelope.status, code === undefined ? undefined : envelope.code], envelope.message).toEqual([status, code]);
  expect(envelope.ok).toBe(false);
  return envelope;
}

export type { Drive, Input };
