/** `svc mcp serve` and `svc mcp config`: the tool server, and the configuration that a host needs to start it. */
import { nearestWord } from "../../core/nearest.ts";
import { fitHelp } from "../../core/wrap-text.ts";
import { type Launch, MCP_HOSTS, mcpSnippet } from "./mcp-hosts.ts";
import type { Words } from "./options.ts";

/** The part of the program that these commands use. */
export interface McpProgram {
  readonly io: { out(text: string): void; err(text: string): void };
  /** How to start this program from anywhere; contains no secrets. */
  launch(): Launch;
  /** Returns the exit code. */
  serveMcp(options: { readonly underscoreNames: boolean; readonly record?: string }): Promise<number>;
}

const HELP = `svc mcp serve [--tool-names slash|underscore] [--record FILE]

Serves all tools over standard input and output. With --record the standard output is also stored for
\`ballast verify --mcp-stdout\`.

svc mcp config --host ${MCP_HOSTS.join("|")}

Prints the host's configuration, with absolute paths and without secrets. Instructions go to standard error, so that the
output can be redirected to a file.

Examples:
  svc mcp serve --tool-names underscore --record tools.mcp-stdout
  svc mcp config --host vscode > .vscode/mcp.json
`;

const ALWAYS: ReadonlySet<string> = new Set(["help", "version", "json", "input"]);
const OPTIONS: Readonly<Record<string, readonly string[]>> = { serve: ["toolNames", "record"], config: ["host"] };
const SPELLED: Readonly<Record<string, string>> = {
  serve: "the options are --tool-names and --record",
  config: "the option is --host",
};

/** Describes an unknown or invalid option or word; null if there is none. */
function problemOf(action: string, { words, options }: Words): string | null {
  const known = OPTIONS[action] ?? [];
  const unknown = [...words.slice(2), ...options.keys()].find((name) => !known.includes(name) && !ALWAYS.has(name));
  if (unknown !== undefined) return `${unknown} is unknown; ${SPELLED[action] ?? ""}`;
  if (action === "config") return hostProblem(options.get("host"));
  const names = options.get("toolNames") ?? "slash";
  if (names !== "slash" && names !== "underscore")
    return `--tool-names is ${names === true ? "empty" : names}; write slash or underscore`;
  return options.get("record") === true ? "--record needs a file" : null;
}

function hostProblem(host: string | true | undefined): string | null {
  const choice = `one of ${MCP_HOSTS.join(", ")}`;
  if (typeof host !== "string") return `--host is needed: ${choice}`;
  if (MCP_HOSTS.includes(host)) return null;
  const near = nearestWord(host, MCP_HOSTS);
  return `--host ${host} is unknown; ${near === null ? `${choice}, generic for any other` : `did you mean ${near}?`}`;
}

/** Returns the exit code. */
export async function mcpCommand({ io, launch, serveMcp }: McpProgram, given: Words): Promise<number> {
  const { words, options } = given;
  const [, action = ""] = words;
  if (!Object.hasOwn(OPTIONS, action) || options.has("help")) {
    const near = nearestWord(action, Object.keys(OPTIONS));
    if (action !== "" && near !== null && near !== action)
      io.err(`svc mcp ${action} is unknown; did you mean svc mcp ${near}?\n`);
    io.out(fitHelp(HELP));
    return options.has("help") ? 0 : 1;
  }
  const wrong = problemOf(action, given);
  if (wrong !== null) {
    io.err(`svc mcp ${action}: ${wrong}\n`);
    return 1;
  }
  if (action === "serve") {
    const record = options.get("record");
    return serveMcp({
      underscoreNames: options.get("toolNames") === "underscore",
      ...(typeof record === "string" ? { record } : {}),
    });
  }
  const snippet = mcpSnippet(String(options.get("host")), launch());
  if (snippet === null) return 1;
  io.out(snippet.text);
  io.err(`${snippet.place}\n`);
  return 0;
}
