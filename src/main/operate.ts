/** `ballast halt`, `ballast resume` and `ballast flatten`: writes a command to the data folder, which the running agent reads within a second. */
import path from "node:path";
import { complain, print } from "../ops/complaint.ts";
import { EXIT, Refused } from "../ops/exit-codes.ts";
import { commandPath, commandWaits, withdrawCommand, writeCommand } from "../control/command-file.ts";
import {
  askAgent,
  dataDirOf,
  isAgent,
  isHeld,
  noAgent,
  PATIENCE_MS,
  type Reply,
  typed,
} from "../control/running-agent.ts";
import { onStopSignal } from "../ops/stop-signals.ts";
import type { OperatorCommand } from "../agent/contract/events.ts";
import { systemClock } from "../core/clock.ts";
import { counted } from "../core/words.ts";
import type { FlattenOptions, OperateOptions } from "../faces/cli/operator-commands.ts";

const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 300;
const REASON_WITHIN_MS = 2_000;

interface Floor {
  readonly floorState: string;
  readonly floorReason: string;
}

/** Waits ten seconds for the agent to carry it out; otherwise exit code 1. `all` withdraws external opening orders as well. */
export async function operateProgram(command: "halt" | "resume", options: OperateOptions): Promise<number> {
  const dataDir = dataDirOf(options);
  const endListening = onStopSignal({
    signals: ["SIGINT", "SIGTERM", "SIGHUP"],
    first: (signal) => {
      if (command === "resume") withdrawCommand(dataDir, command);
      endListening();
      process.kill(process.pid, signal);
    },
  });
  try {
    return await operated(command, options);
  } finally {
    endListening();
  }
}

async function operated(command: "halt" | "resume", options: OperateOptions): Promise<number> {
  const dataDir = dataDirOf(options);
  if (!(await runs(dataDir))) {
    const touch = `To start it halted: touch ${path.join(dataDir, "HALT")}, then: ${typed("ballast run", options)}`;
    return complain(noAgent(options, command === "halt" ? touch : undefined));
  }
  leave(dataDir, command === "halt" && options.all ? "halt-all" : command);
  const clock = systemClock();
  const wanted = command === "halt" ? "HALT" : "NORMAL";
  let now: Reply<Floor> | null = null;
  for (let waited = 0; waited < WAIT_MS; waited += LOOK_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    if (commandWaits(dataDir)) continue;
    const askedMs = clock.monotonicMs();
    now = await askAgent<Floor>(dataDir, "/status", PATIENCE_MS);
    if (!now.ok) {
      waited += clock.monotonicMs() - askedMs;
      continue;
    }
    const { floorState } = now.body;
    // The ladder moves on a quarter of a second after a resume, so only leaving HALT is certain to be seen.
    if ((command === "halt") !== (floorState === "HALT")) continue;
    const text = options.json
      ? JSON.stringify({ ok: true, floorState })
      : `The agent is ${floorState}${floorState === wanted ? "" : `, not ${wanted}: its equity does not allow it`}.`;
    process.stdout.write(`${text}\n`);
    return EXIT.ok;
  }
  return complain(await unobeyed(command, dataDir, now));
}

/** A command is left without a question first: an agent that is slow to answer must not be late to halt. */
const runs = async (dataDir: string): Promise<boolean> =>
  isHeld(dataDir) || isAgent(await askAgent(dataDir, "/status", PATIENCE_MS));

/** Whoever may write the folder may command its agent, with or without the status token. */
function leave(dataDir: string, command: OperatorCommand): void {
  try {
    writeCommand(dataDir, command);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Refused(
      EXIT.failed,
      `the command ${command} cannot be left in ${commandPath(dataDir)} (${why}). Give it as the user that the agent runs as`,
    );
  }
}

/** A late halt is better than none, so it stays; a resume must not take effect unseen, so it is withdrawn, here as at Ctrl-C. */
async function unobeyed(command: "halt" | "resume", dataDir: string, now: Reply<Floor> | null): Promise<string> {
  if (!commandWaits(dataDir)) {
    const state = now?.ok ? `is still ${now.body.floorState} (${now.body.floorReason})` : "cannot be seen to obey";
    return `the agent took the command, and ${state}${now?.silence ? `: ${now.silence}` : ""}; see its log`;
  }
  const untaken = await untakenText(dataDir, WAIT_MS);
  if (command === "halt") return `${untaken}; the command waits for it in ${commandPath(dataDir)}; see its log`;
  withdrawCommand(dataDir, command);
  return `${untaken}, and it is withdrawn; see its log`;
}

/** The agent had its time for the command; only the reason of its silence is asked for. */
async function untakenText(dataDir: string, waitedMs: number): Promise<string> {
  const { silence } = await askAgent(dataDir, "/status", REASON_WITHIN_MS);
  const untaken = `did not take the command within ${waitedMs / 1_000} s`;
  return silence === null ? `the agent ${untaken}` : `${silence} and ${untaken}`;
}

/** The part of the running agent's status that concerns a flattening. */
interface Holdings extends Floor {
  readonly positions: readonly {
    readonly symbol: string;
    readonly side: string;
    readonly qty: string;
    readonly unrealizedUsdt: string;
  }[];
  readonly orders: readonly { readonly clientOrderId: string; readonly symbol: string; readonly ours: boolean }[];
  readonly readOnly: boolean;
}

/** Closing at the market takes seconds; a venue that refuses for longer needs a person. */
const FLATTEN_WAIT_MS = 60_000;
/** For what is held before: the command itself must not wait for a slow answer. */
const HOLDINGS_WITHIN_MS = 5_000;

/** Exit code 2 without `yes`, 1 if a position is still open after a minute. */
export async function flattenProgram({ yes, json, ...options }: FlattenOptions): Promise<number> {
  const dataDir = dataDirOf(options);
  const before = await askAgent<Holdings>(dataDir, "/status", yes ? HOLDINGS_WITHIN_MS : undefined);
  if (!isAgent(before)) {
    const next = `To close everything at its start: touch ${path.join(dataDir, "FLATTEN")}, then: ${typed("ballast run", options)}. To close without an agent: svc position close-all, then check: svc position query`;
    return complain(noAgent(options, next));
  }
  if (before.ok && before.body.readOnly)
    return complain("this agent may only watch the account; close at the venue: svc position close-all");
  if (!yes) return unsure(before, { json, ...options });
  leave(dataDir, "flatten");
  const clock = systemClock();
  let now = before;
  // An agent that has shown nothing so far is not waited for as long as one that is seen to close.
  const limitMs = (): number => (before.ok || now.ok ? FLATTEN_WAIT_MS : WAIT_MS);
  for (let waited = 0; waited < limitMs(); waited += LOOK_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    if (commandWaits(dataDir)) continue;
    const askedMs = clock.monotonicMs();
    now = await askAgent<Holdings>(dataDir, "/status", PATIENCE_MS);
    if (!now.ok) waited += clock.monotonicMs() - askedMs;
    if (!now.ok || now.body.floorState !== "HALT" || now.body.positions.length > 0) continue;
    const closed = before.ok ? before.body.positions.length : null;
    const what = closed === null ? "" : `Closed ${counted(closed, "position")}: `;
    const next = typed("ballast resume", options);
    process.stdout.write(
      json
        ? `${JSON.stringify({ ok: true, floorState: "HALT", closed })}\n`
        : `${what}nothing is held, and the agent is halted. Continue with: ${next}\n`,
    );
    return EXIT.ok;
  }
  return complain(`${await unflattened(dataDir, now)}; see its log`);
}

/** What a flattening would close, and how to order it. */
function unsure(seen: Reply<Holdings>, { json, ...options }: Omit<FlattenOptions, "yes">): number {
  const next = `nothing was done. Close all of it and stay halted with: ${typed("ballast flatten --yes", options)}`;
  if (!seen.ok) return complain(`${seen.silence ?? "the agent does not say what it holds"}; ${next}`, EXIT.usage);
  const { positions, orders } = seen.body;
  const what = [
    ...positions.map(heldText),
    ...orders.map(({ clientOrderId, symbol }) => `order ${clientOrderId} ${symbol}`),
  ];
  if (!json) print(what.length === 0 ? "Nothing is held and no order rests." : what.join("\n"));
  return complain(next, EXIT.usage, { positions, orders });
}

async function unflattened(dataDir: string, now: Reply<Holdings>): Promise<string> {
  if (commandWaits(dataDir)) {
    const { silence } = await askAgent(dataDir, "/status", REASON_WITHIN_MS);
    return `${silence ?? "the agent did not take the command"}; the command waits for it in ${commandPath(dataDir)}`;
  }
  if (!now.ok)
    return `the agent took the command, and what it still holds cannot be seen: ${now.silence ?? "it has ended"}. Check at the venue: svc position query`;
  const left = now.body.positions.map(heldText).join("; ");
  return `still held after ${FLATTEN_WAIT_MS / 1_000} s: ${left || now.body.floorReason}; the agent continues closing`;
}

const heldText = ({ symbol, side, qty, unrealizedUsdt }: Holdings["positions"][number]): string =>
  `${side} ${qty} ${symbol}, unrealised ${Number(unrealizedUsdt).toFixed(2)} USDT`;
