/** The agent that runs on a data folder, as a program reaches it: its folder, its status endpoint, its answer to a request. */
import { existsSync } from "node:fs";
import path from "node:path";
import { systemClock } from "../core/clock.ts";
import { seededEntropy } from "../core/entropy.ts";
import { timedIds } from "../core/ids.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type Request, requestWaits, takeAnswer, withdrawRequest, writeRequest } from "./requests.ts";
import { EXIT, Refused } from "../ops/exit-codes.ts";
import { isLeaseHeld, leaseHolder } from "../journal/lease.ts";
import { journalPath, readRunCard, RUN_HEADER } from "../ops/run-file.ts";
import { readEnvironment, variable } from "./environment.ts";

/** The option, else BALLAST_DATA_DIR, else `data`. Refused when unreadable: `data` may be another agent's. */
export function dataDirOf(options: { readonly dataDir?: string }): string {
  const environment = readEnvironment({
    BALLAST_DATA_DIR: options.dataDir ?? process.env["BALLAST_DATA_DIR"],
    BALLAST_DATA_DIR_FILE: options.dataDir ? undefined : process.env["BALLAST_DATA_DIR_FILE"],
  });
  if (!environment.ok) throw new Refused(EXIT.config, environment.error.join("; "));
  return environment.value.dataDir;
}

/** A command of `ballast` as it is to be typed for the same data folder. */
export function typed(command: string, { dataDir }: { readonly dataDir?: string }): string {
  if (!dataDir) return command;
  return `${command} --data-dir ${/^[\w./~-]+$/.test(dataDir) ? dataDir : `'${dataDir.replaceAll("'", "'\\''")}'`}`;
}

/** What a command says where no agent runs. `next` is what to do then, where the folder exists. */
export function noAgent(options: { readonly dataDir?: string }, next?: string): string {
  const dataDir = path.resolve(dataDirOf(options));
  const start = `Start one with: ${typed("ballast run", options)}`;
  const text = existsSync(dataDir) ? (next ?? start) : `This folder does not exist. ${start}`;
  return `no agent is running on ${dataDir}. ${text}. For another data folder: --data-dir DIR`;
}

const ASK_WITHIN_MS = 10_000;
/** A command waits for an agent on a busy machine. */
export const PATIENCE_MS = 30_000;

/** Without an answer, `silence` says who holds the folder and why none came; it is null only where no agent runs. */
export type Reply<T> =
  | { readonly ok: boolean; readonly body: T; readonly silence: null }
  | { readonly ok: false; readonly body: null; readonly silence: string | null };

/** Only a free journal lock means that no agent runs: one that is frozen or has no status port trades all the same. */
export const isAgent = (reply: Reply<unknown>): boolean => reply.body !== null || reply.silence !== null;

/** The running agent's answer at `route`. */
export async function askAgent<T>(dataDir: string, route: string, withinMs = ASK_WITHIN_MS): Promise<Reply<T>> {
  const answer = await answerAt<T>(dataDir, route, withinMs);
  return typeof answer === "string" ? { ok: false, body: null, silence: silenceOf(dataDir, answer) } : answer;
}

/** Whether a process holds the folder, without asking its endpoint. A folder that cannot be looked into may be held. */
export function isHeld(dataDir: string): boolean {
  try {
    return isLeaseHeld(journalPath(dataDir));
  } catch {
    return true;
  }
}

function silenceOf(dataDir: string, why: string): string | null {
  try {
    if (!isLeaseHeld(journalPath(dataDir))) return null;
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    return `whether an agent runs on ${path.resolve(dataDir)} cannot be seen (${text}); ask as the user that it runs as`;
  }
  const holder = leaseHolder(journalPath(dataDir));
  const who = holder ? `process ${holder.pid}` : "a process";
  return `${who} holds this folder but its status port does not answer (${why})`;
}

/** A refusal of this shell is no answer either. */
const REFUSALS: readonly number[] = [401, 403];

/** The answer, or why there is none. */
async function answerAt<T>(dataDir: string, route: string, withinMs: number): Promise<Reply<T> | string> {
  const card = readRunCard(dataDir);
  const holder = leaseHolder(journalPath(dataDir));
  // The card of a killed run names a port that may be another program's by now.
  if (!card || (holder && holder.boot !== card.boot && isHeld(dataDir)))
    return "it has none: it is still starting, or the port was taken at its start";
  const abort = new AbortController();
  // A timer that keeps the process: a request that hangs would end it without a word.
  const stop = systemClock().after(withinMs, () => abort.abort());
  try {
    // An endpoint on a network address takes this machine for a remote one.
    const token = variable(process.env, "BALLAST_STATUS_TOKEN");
    const shown = token.ok ? token.value : null;
    const headers = shown === null ? {} : { authorization: `Bearer ${shown}` };
    const reply = await fetch(`${card.statusUrl}${route}`, { headers, signal: abort.signal });
    if (REFUSALS.includes(reply.status))
      return `${shown === null ? "BALLAST_STATUS_TOKEN is not set in this shell" : "BALLAST_STATUS_TOKEN of this shell is not the agent's"}: set it to the token that the agent was started with`;
    if (reply.headers.get(RUN_HEADER) !== card.boot) return "the port of its card is another program's by now";
    return { ok: reply.ok, body: (await reply.json()) as T, silence: null };
  } catch (error) {
    if (abort.signal.aborted) return `nothing within ${withinMs / 1_000} s`;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  } finally {
    stop();
  }
}

/** A switch may wait half a minute for a model's answer, a review for a whole exchange. */
const WAIT_MS = 120_000;
const LOOK_EVERY_MS = 150;

/**
 * Waits half a minute for the agent to take the request and two minutes for its answer, then withdraws it. The error is for
 * people; `T` is not checked.
 */
export async function askRunning<T>(
  options: { readonly dataDir?: string },
  request: Request,
  clock = systemClock(),
): Promise<Result<T, string>> {
  const dataDir = dataDirOf(options);
  // The request is a file as well, so that an agent without a status port can answer it.
  if (!isHeld(dataDir) && !isAgent(await askAgent(dataDir, "/health", PATIENCE_MS))) return err(noAgent(options));
  const id = timedIds(clock.nowMs, seededEntropy(`${process.pid}:${clock.nowMs()}`)).next("q");
  writeRequest(dataDir, id, request);
  const sinceMs = clock.monotonicMs();
  const waited = (): number => clock.monotonicMs() - sinceMs;
  while (waited() < (requestWaits(dataDir, id) ? PATIENCE_MS : WAIT_MS)) {
    await clock.sleep(LOOK_EVERY_MS);
    const answer = takeAnswer(dataDir, id) as ({ ok: boolean; error?: string } & T) | null;
    if (answer !== null) return answer.ok ? ok(answer) : err(answer.error ?? "the agent refused");
  }
  withdrawRequest(dataDir, id);
  const { silence } = await askAgent(dataDir, "/health");
  return err(`${silence ?? "the agent did not answer in time"}; the request is withdrawn; see the agent's log`);
}
