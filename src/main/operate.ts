/** `ballast halt`, `ballast resume` and `ballast flatten`: writes a command to the data folder, which the running agent reads within a second. */
import path from "node:path";
import { complain, print } from "../ops/complaint.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { commandWaits, withdrawCommand, writeCommand } from "../control/command-file.ts";
import { askAgent, dataDirOf, noAgent, PATIENCE_MS } from "../control/running-agent.ts";
import { counted } from "../core/words.ts";
import type { FlattenOptions, OperateOptions } from "../faces/cli/operator-commands.ts";

const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 300;

interface Floor {
  readonly floorState: string;
  readonly floorReason: string;
}

/** Waits ten seconds for the agent to carry it out; otherwise exit code 1. `all` withdraws external opening orders as well. */
export async function operateProgram(command: "halt" | "resume", options: OperateOptions): Promise<number> {
  const dataDir = dataDirOf(options);
  if (!(await askAgent(dataDir, "/status", PATIENCE_MS))) {
    const next =
      command === "halt" ? `To start it halted: touch ${path.join(dataDir, "HALT")}, then: ballast run` : undefined;
    return complain(noAgent(dataDir, next));
  }
  writeCommand(dataDir, command === "halt" && options.all ? "halt-all" : command);
  const wanted = command === "halt" ? "HALT" : "NORMAL";
  let now: Floor | null = null;
  for (let waited = 0; waited < WAIT_MS; waited += LOOK_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    if (commandWaits(dataDir)) continue;
    const answer = await askAgent<Floor>(dataDir, "/status", PATIENCE_MS);
    now = answer?.ok ? answer.body : null;
    // The ladder moves on a quarter of a second after a resume, so only leaving HALT is certain to be seen.
    if (!now || (command === "halt") !== (now.floorState === "HALT")) continue;
    const text = options.json
      ? JSON.stringify({ ok: true, floorState: now.floorState })
      : `The agent is ${now.floorState}${now.floorState === wanted ? "" : `, not ${wanted}: its equity does not allow it`}.`;
    process.stdout.write(`${text}\n`);
    return EXIT.ok;
  }
  return complain(`${unobeyed(command, dataDir, now)}; see its log`);
}

/** A late halt is better than none, so it stays; a resume must not take effect unseen, so it is withdrawn. */
function unobeyed(command: "halt" | "resume", dataDir: string, now: Floor | null): string {
  const within = `within ${WAIT_MS / 1_000} s`;
  if (!commandWaits(dataDir))
    return `the agent took the command, and ${now ? `is still ${now.floorState} (${now.floorReason})` : "does not answer"}`;
  if (command === "halt") return `the agent did not take the command ${within}; the command stays until it does`;
  withdrawCommand(dataDir);
  return `the agent did not take the command ${within}, and it is withdrawn`;
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

/** Exit code 2 without `yes`, 1 if a position is still open after a minute. */
export async function flattenProgram({ yes, json, ...options }: FlattenOptions): Promise<number> {
  const dataDir = dataDirOf(options);
  const answer = await askAgent<Holdings>(dataDir, "/status", PATIENCE_MS);
  if (!answer?.ok)
    return complain(
      noAgent(
        dataDir,
        `To close everything at its start: touch ${path.join(dataDir, "FLATTEN")}, then: ballast run. To close without an agent: svc position close-all, then check: svc position query`,
      ),
    );
  const { positions, orders, readOnly } = answer.body;
  if (readOnly) return complain("this agent may only watch the account; close at the venue: svc position close-all");
  if (!yes) {
    const what = [
      ...positions.map(heldText),
      ...orders.map(({ clientOrderId, symbol }) => `order ${clientOrderId} ${symbol}`),
    ];
    if (!json) print(what.length === 0 ? "Nothing is held and no order rests." : what.join("\n"));
    return complain("nothing was done. Close all of it and stay halted with: ballast flatten --yes", EXIT.usage, {
      positions,
      orders,
    });
  }
  writeCommand(dataDir, "flatten");
  let now = answer.body;
  for (let waited = 0; waited < FLATTEN_WAIT_MS; waited += LOOK_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    if (commandWaits(dataDir)) continue;
    const next = await askAgent<Holdings>(dataDir, "/status", PATIENCE_MS);
    if (next?.ok) now = next.body;
    if (now.floorState !== "HALT" || now.positions.length > 0) continue;
    const closed = positions.length;
    process.stdout.write(
      json
        ? `${JSON.stringify({ ok: true, floorState: "HALT", closed })}\n`
        : `Closed ${counted(closed, "position")}: nothing is held, and the agent is halted. Continue with: ballast resume\n`,
    );
    return EXIT.ok;
  }
  const left = now.positions.map(heldText).join("; ");
  return complain(
    `${commandWaits(dataDir) ? "the agent did not take the command; the command stays until it does" : `still held after ${FLATTEN_WAIT_MS / 1_000} s: ${left || now.floorReason}; the agent continues closing`}; see its log`,
  );
}

const heldText = ({ symbol, side, qty, unrealizedUsdt }: Holdings["positions"][number]): string =>
  `${side} ${qty} ${symbol}, unrealised ${Number(unrealizedUsdt).toFixed(2)} USDT`;
