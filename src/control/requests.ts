/**
 * Requests from an operator's command to the running agent, and its answers: small files in the data folder, so
 * that they work in a container and need no port. Each request is one file, taken once; its answer bears its name.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { HANDOVERS } from "../agent/contract/handover.ts";
import type { Log } from "../core/log.ts";
import { leaveFolder, leaveSmall } from "../ops/small-file.ts";

/** What a request file may hold; anything else is dropped unanswered. */
export const RequestSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("use"),
    strategy: z.string().min(1).max(100),
    handover: z.enum(HANDOVERS).nullable(),
  }),
  z.strictObject({ kind: z.literal("forget-lesson"), id: z.string().min(1).max(100) }),
  z.strictObject({ kind: z.literal("review") }),
]);
export type Request = z.infer<typeof RequestSchema>;

/** The answer file bears the same `id`. */
export interface ReceivedRequest {
  readonly id: string;
  readonly request: Request;
}

const FOLDER = "requests";
const ID = /^[0-9a-z-]{1,60}$/;
const TAKEN_AT_ONCE = 20;

const folderOf = (dataDir: string): string => path.join(dataDir, FOLDER);
const requestPath = (dataDir: string, id: string): string => path.join(folderOf(dataDir), `${id}.request.json`);
const answerPath = (dataDir: string, id: string): string => path.join(folderOf(dataDir), `${id}.answer.json`);

/** Whole or not at all: the other side never reads half a file. */
function writeWhole(file: string, body: unknown): void {
  leaveFolder(path.dirname(file));
  leaveSmall(file, body);
}

/** The agent drops a request whose id holds anything but lower-case letters, digits and dashes. */
export const writeRequest = (dataDir: string, id: string, request: Request): void =>
  writeWhole(requestPath(dataDir, id), request);

/** Whether no agent has taken it yet. */
export const requestWaits = (dataDir: string, id: string): boolean => existsSync(requestPath(dataDir, id));

/** Also removes an answer that came too late. */
export const withdrawRequest = (dataDir: string, id: string): void => {
  rmSync(requestPath(dataDir, id), { force: true });
  rmSync(answerPath(dataDir, id), { force: true });
};

/**
 * The waiting requests, each taken once. Unreadable ones are dropped: nobody waits for an answer to them. One that cannot be removed
 * is not taken: it would be obeyed again and again.
 */
export function takeRequests(dataDir: string): readonly ReceivedRequest[] {
  let names: readonly string[];
  try {
    names = readdirSync(folderOf(dataDir)).filter((name) => name.endsWith(".request.json"));
  } catch {
    return [];
  }
  return [...names]
    .sort()
    .slice(0, TAKEN_AT_ONCE)
    .flatMap((name) => {
      const id = name.slice(0, -".request.json".length);
      const file = path.join(folderOf(dataDir), name);
      const read = ID.test(id) ? readJson(file) : null;
      const request = RequestSchema.safeParse(read);
      return isRemoved(file) && request.success ? [{ id, request: request.data }] : [];
    });
}

function isRemoved(file: string): boolean {
  try {
    rmSync(file, { force: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * `body` has `ok`, and `error` where that is false; the command that asked takes the file. Answers go where the disk lets
 * them: nothing in the agent may depend on a waiting command. Fault D1.
 */
export const answering =
  (dataDir: string, log: Log) =>
  (id: string, body: unknown): void => {
    try {
      writeWhole(answerPath(dataDir, id), body);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      log.event("warn", "schedule.failed", `the answer to the operator could not be written: ${why}`);
    }
  };

/** Takes the answer to a request; null while there is none. */
export function takeAnswer(dataDir: string, id: string): unknown {
  const file = answerPath(dataDir, id);
  const read = readJson(file);
  if (read !== null) rmSync(file, { force: true });
  return read;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as unknown;
  } catch {
    return null;
  }
}
