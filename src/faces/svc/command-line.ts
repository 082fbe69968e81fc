/**
 * The command `svc`: finds the capability, collects its input, runs it, prints one envelope. `main/` passes in
 * streams, files and the client. Spec: 3 §1, §4; records §17.2.
 */
import { fitHelp } from "../../core/wrap-text.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { capabilitiesOf } from "../capabilities/by-domain.ts";
import type { Capability } from "../contract/capability.ts";
import type { Client } from "../contract/client.ts";
import { type Envelope, failed } from "../contract/envelope.ts";
import { mcpCommand, type McpProgram } from "./mcp-command.ts";
import { isRequired, jsonInput, optionValue, positionals, splitWords, type Words } from "./options.ts";
import { nearCommand } from "./near-command.ts";
import { missingOrderId } from "./order-id.ts";
import { runCapability } from "./run-capability.ts";
import { type Failure, failure, invalidInput } from "../contract/statuses.ts";

/** The streams, files and wall clock (epoch ms) of the process. */
export interface SvcIo {
  out(text: string): void;
  err(text: string): void;
  /** All of standard input, or null if it is a terminal. */
  stdin(): Promise<string | null>;
  /** Throws if the file cannot be read. */
  file(path: string): string;
  readonly colour: boolean;
  readonly nowMs: () => number;
}

/** The client is opened only for a known capability: help and completion need none. */
export interface SvcProgram extends McpProgram {
  readonly io: SvcIo;
  readonly version: string;
  readonly signal: AbortSignal;
  /** Opens the client layer; throws if its state folder cannot be used. */
  open(): Promise<{ readonly client: Client; close(): Promise<void> }>;
}

/** A domain without an action runs this read. Records §17.2. */
const FALLBACK: Readonly<Record<string, string>> = {
  market: "get-ticker",
  portfolio: "overview",
  order: "open-orders",
  trade: "preview",
  transaction: "executions",
  position: "query",
  algo: "open-orders",
  automation: "list",
  config: "list",
  update: "check",
  audit: "list",
  auth: "check",
  invocation: "check",
};

const RESERVED: ReadonlySet<string> = new Set(["help", "version", "json", "input"]);

interface Found {
  readonly capability: Capability;
  readonly rest: readonly string[];
  /** Only the domain was given. */
  readonly fellBack: boolean;
}

/** The longest command that the words start with. */
async function find(words: readonly string[]): Promise<Found | null> {
  const [domain = ""] = words;
  const capabilities = await capabilitiesOf(domain);
  const byCommand = (wanted: readonly string[]): Capability | undefined =>
    capabilities.find(({ command }) => command.join(" ") === wanted.join(" "));
  for (let length = Math.min(2, words.length); length > 0; length--) {
    const capability = byCommand(words.slice(0, length));
    if (capability) return { capability, rest: words.slice(length), fellBack: false };
  }
  const action = words.length === 1 ? FALLBACK[domain] : undefined;
  const capability = action === undefined ? undefined : byCommand([domain, action]);
  return capability ? { capability, rest: [], fellBack: true } : null;
}

async function unknownCommand(words: readonly string[]): Promise<Failure> {
  const { CAPABILITIES } = await import("../capabilities/all.ts");
  const typed = words.join(" ");
  // People also type a capability's id, as documents and audit rows show it.
  const commands = new Map(
    CAPABILITIES.flatMap(({ id, command }) => [command.join(" "), id].map((name) => [name, command.join(" ")])),
  );
  for (const command of ["mcp serve", "mcp config", "completion"]) commands.set(command, command);
  const near = nearCommand(words, [...commands.keys()]);
  const hint = near === null ? "svc --help lists all commands" : `did you mean svc ${commands.get(near) ?? near}?`;
  return failure("FAIL", "12001", `unknown command: svc ${typed}`, { details: { hint } });
}

async function rawInput({ capability }: Found, { options }: Words, io: SvcIo): Promise<Result<string | null, Failure>> {
  const given = options.get("input");
  if (given === true) return err(invalidInput("--input needs a JSON object, @file or -"));
  if (given === "-") return ok(await io.stdin());
  if (given?.startsWith("@")) {
    try {
      return ok(io.file(given.slice(1)));
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      const why = code === undefined ? `it ${message}` : code;
      return err(invalidInput(`--input names ${given.slice(1)}, which cannot be read (${why})`));
    }
  }
  if (given !== undefined) return ok(given);
  // Standard input is read only if needed: a command must not wait for an open pipe that nobody writes to.
  const named = [...options.keys()].some((name) => !RESERVED.has(name));
  // A write always needs input, even if its schema leaves that check to the handler.
  const needs =
    capability.operationType === "TRADE_WRITE" ||
    capability.needsOneOf ||
    Object.keys(capability.input.shape).some((name) => isRequired(capability, name));
  return ok(named || !needs ? null : await io.stdin());
}

async function gather(found: Found, split: Words, io: SvcIo): Promise<Result<Record<string, unknown>, Failure>> {
  const { capability, rest } = found;
  const placed = positionals(capability, rest);
  if (!placed.ok) return placed;
  const raw = rest.length > 0 && !split.options.has("input") ? ok(null) : await rawInput(found, split, io);
  if (!raw.ok) return raw;
  const json = raw.value === null || raw.value.trim() === "" ? ok({}) : jsonInput(raw.value);
  if (!json.ok) return json;
  const named = [...split.options]
    .filter(([name]) => !RESERVED.has(name))
    .map(([name, value]) => [name, optionValue(capability, name, value)] as const);
  const twice = Object.keys(placed.value).find((name) => name in json.value || named.some(([other]) => other === name));
  if (twice !== undefined)
    return err(
      invalidInput(
        `unexpected words: ${rest.join(" ")}; ${twice} is given already`,
        `svc ${capability.command.join(" ")} --help`,
      ),
    );
  return ok({ ...json.value, ...placed.value, ...(Object.fromEntries(named) as Record<string, unknown>) });
}

async function print(io: SvcIo, envelope: Envelope, json: boolean): Promise<number> {
  // JSON output needs no tables and must not wait to load the table library.
  io.out(json ? `${JSON.stringify(envelope)}\n` : (await import("./text.ts")).envelopeText(envelope, io.colour));
  return envelope.ok ? 0 : 1;
}

/** A person who typed only the domain may not have meant the default read. */
async function withActions(envelope: Envelope, { capability, fellBack }: Found): Promise<Envelope> {
  if (!fellBack || envelope.status !== "INVALID_INPUT") return envelope;
  const [domain = ""] = capability.command;
  const actions = (await capabilitiesOf(domain))
    .filter(({ command }) => command[0] === domain)
    .map(({ command }) => command[1]);
  return { ...envelope, details: { ...envelope.details, hint: `svc ${domain} has: ${actions.join(", ")}` } };
}

async function call(program: SvcProgram, found: Found, split: Words): Promise<number> {
  const { io, signal } = program;
  const json = split.options.has("json");
  const called = `svc ${found.capability.command.join(" ")}`;
  const gathered = await gather(found, split, io);
  const { client, close } = await program.open();
  try {
    if (!gathered.ok) {
      const at = { face: client.face, called, real: false, atMs: io.nowMs(), auditId: null };
      return await print(io, failed(gathered.error, at), json);
    }
    const { capability } = found;
    const isWrite = capability.operationType === "TRADE_WRITE";
    const report = (note: string): void => {
      if (!json) io.err(`${note}\n`);
    };
    const madeId = json ? null : missingOrderId(capability, gathered.value, client);
    if (madeId !== null) report(`clientOrderId of this order: ${madeId}`);
    const input = madeId === null ? gathered.value : { ...gathered.value, clientOrderId: madeId };
    const envelope = await runCapability(capability, input, {
      client,
      called,
      signal,
      onNote: report,
      onAudit: ({ auditId, at, capabilityId, status, params }) => {
        if (json && isWrite)
          io.err(`${JSON.stringify({ auditId, timestamp: at, type: capabilityId, status, payload: params })}\n`);
      },
    });
    const code = await print(io, await withActions(envelope, found), json);
    const next =
      json || !envelope.ok ? null : (await import("./next-command.ts")).submitCommand(capability, input, envelope.data);
    if (next !== null) io.out(`\nTo carry it out:\n  ${next}\n`);
    return code;
  } finally {
    await close();
  }
}

/** The few commands that are not capabilities. Null for any other. */
async function special(program: SvcProgram, { words, options }: Words): Promise<number | null> {
  const { io } = program;
  if (options.has("version") && words.length === 0) {
    io.out(`${program.version}\n`);
    return 0;
  }
  if (words[0] === "mcp") return mcpCommand(program, { words, options });
  if (words[0] === "completion") {
    const script = (await import("./completion.ts")).completionScript(words[1] ?? "");
    if (script !== null && !options.has("help")) {
      io.out(script);
      return 0;
    }
    const help =
      "svc completion bash|zsh|fish\n\nExample:\n  svc completion bash > ~/.svc-completion && source ~/.svc-completion\n";
    (options.has("help") ? io.out : io.err)(help);
    return options.has("help") ? 0 : 1;
  }
  if (words.length > 0 && words[0] !== "help") return null;
  io.out(fitHelp((await import("./help.ts")).generalHelp(program.version)));
  return words.length === 0 && !options.has("help") ? 1 : 0;
}

/** Runs one command line and returns its exit code: 0 only if the envelope is ok. */
export async function runSvc(argv: readonly string[], program: SvcProgram): Promise<number> {
  const split = splitWords(argv);
  const done = await special(program, split);
  if (done !== null) return done;
  const found = await find(split.words);
  const { io } = program;
  if (!found) {
    const at = { face: "command-line", called: "svc", real: false, atMs: io.nowMs(), auditId: null } as const;
    return print(io, failed(await unknownCommand(split.words), at), split.options.has("json"));
  }
  if (split.options.has("help")) {
    const { capabilityHelp, domainHelp } = await import("./help.ts");
    const { capability, fellBack } = found;
    io.out(fitHelp(fellBack ? domainHelp(capability) : capabilityHelp(capability)));
    return 0;
  }
  return call(program, found, split);
}
