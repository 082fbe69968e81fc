/** The agent that runs on a data folder, as a program reaches it: its folder, its status endpoint, its answer to a request. */
import path from "node:path";
import { systemClock } from "../core/clock.ts";
import { seededEntropy } from "../core/entropy.ts";
import { timedIds } from "../core/ids.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type Request, takeAnswer, withdrawRequest, writeRequest } from "./requests.ts";
import { EXIT, Refused } from "../ops/exit-codes.ts";
import { readRunCard } from "../ops/run-file.ts";
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

/** What a command says where no agent answers. `next` is what to do then. */
export const noAgent = (dataDir: string, next = "Start one with: ballast run"): string =>
  `no agent is running on ${path.resolve(dataDir)}. ${next}. For another data folder: --data-dir DIR`;

const ASK_WITHIN_MS = 10_000;
/** A command waits for an agent on a busy machine; where none runs, the connection is refused at once. */
export const PATIENCE_MS = 30_000;

/** The running agent's answer at `route`, or null when none answers. */
export async function askAgent<T>(
  dataDir: string,
  route: string,
  withinMs = ASK_WITHIN_MS,
): Promise<{ ok: boolean; body: T } | null> {
  const card = readRunCard(dataDir);
  if (!card) return null;
  const abort = new AbortController();
  // A timer that keeps the process: a request that hangs would end it without a word.
  const stop = systemClock().after(withinMs, () => abort.abort());
  try {
    // An endpoint on a network address takes this machine for a remote one.
    const token = variable(process.env, "BALLAST_STATUS_TOKEN");
    const headers = token.ok && token.value !== null ? { authorization: `Bearer ${token.value}` } : {};
    const reply = await fetch(`${card.statusUrl}${route}`, { headers, signal: abort.signal });
    return { ok: reply.ok, body: (await reply.json()) as T };
  } catch {
    return null;
  } finally {
    stop();
  }
}

/** A switch may wait half a minute for a model's answer, a review for a whole exchange. */
const WAIT_MS = 120_000;
const LOOK_EVERY_MS = 150;

/** Waits two minutes at most and withdraws a request that nobody takes. The error is for people; `T` is not checked. */
export async function askRunning<T>(dataDir: string, request: Request): Promise<Result<T, string>> {
  if (!(await askAgent(dataDir, "/health", PATIENCE_MS))) return err(noAgent(dataDir));
  const clock = systemClock();
  const id = timedIds(clock.nowMs, seededEntropy(`${process.pid}:${clock.nowMs()}`)).next("q");
  writeRequest(dataDir, id, request);
  const untilMs = clock.monotonicMs() + WAIT_MS;
  while (clock.monotonicMs() < untilMs) {
    await clock.sleep(LOOK_EVERY_MS);
    const answer = takeAnswer(dataDir, id) as ({ ok: boolean; error?: string } & T) | null;
    if (answer !== null) return answer.ok ? ok(answer) : err(answer.error ?? "the agent refused");
  }
  withdrawRequest(dataDir, id);
  return err("the agent did not answer in time; see its log");
}
