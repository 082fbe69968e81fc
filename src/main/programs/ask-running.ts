/** Asks the running agent for something and waits for its answer; a request that nobody takes is withdrawn. */
import { systemClock } from "../../core/clock.ts";
import { seededEntropy } from "../../core/entropy.ts";
import { timedIds } from "../../core/ids.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { type Request, takeAnswer, withdrawRequest, writeRequest } from "../requests.ts";
import { askAgent } from "./status.ts";

/** A switch may wait half a minute for the answer of a model, a review for a whole exchange. */
const WAIT_MS = 120_000;
const LOOK_EVERY_MS = 150;

/** Two minutes at most; the error is for people. The answer's form is taken on trust as `T`. */
export async function askRunning<T>(dataDir: string, request: Request): Promise<Result<T, string>> {
  if (!(await askAgent(dataDir, "/health"))) return err(`no agent is running on ${dataDir}`);
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
