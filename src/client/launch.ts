/** How to start this `svc` from any folder, as a model's host does: absolute paths, and no secret. */
import { realpathSync } from "node:fs";
import path from "node:path";
import type { Launch } from "../faces/svc/mcp-hosts.ts";
import type { Variables } from "./credentials.ts";

/** Each may also be given as NAME_FILE, and a path is no secret. */
const CREDENTIALS = ["SVC_ACCESS_KEY", "SVC_SECRET_KEY", "SVC_API_HOST"];
/** Limits set in this shell apply to the host's model too. */
const SWITCHES = ["SVC_EXCHANGES", "SVC_READ_ONLY", "SVC_TRADING_ENABLED", "SVC_MAX_NOTIONAL"];
const FOLDERS = ["SVC_CANDLE_DIR", "BALLAST_DATA_DIR"];

/** An address with a user, a password or a query may contain a secret. */
function plainAddress(text: string | undefined): string | null {
  if (text === undefined || !URL.canParse(text)) return null;
  const { username, password, search } = new URL(text);
  return username === "" && password === "" && search === "" ? text : null;
}

/** `script` is the file that this process runs; `nodeArgs` are node's own arguments. */
export function launchOf(
  variables: Variables,
  at: { readonly node: string; readonly nodeArgs: readonly string[]; readonly script: string; readonly cwd: string },
): Launch {
  const environment: Record<string, string> = {};
  const open: string[] = [];
  for (const name of CREDENTIALS) {
    const file = variables[`${name}_FILE`];
    const address = name === "SVC_API_HOST" ? plainAddress(variables[name]) : null;
    if (file) environment[`${name}_FILE`] = path.resolve(at.cwd, file);
    else if (address !== null) environment[name] = address;
    else open.push(name);
  }
  const stream = plainAddress(variables["SVC_MARKET_WS_URL"]);
  if (stream !== null) environment["SVC_MARKET_WS_URL"] = stream;
  for (const name of SWITCHES) if (variables[name]) environment[name] = variables[name];
  for (const name of FOLDERS) if (variables[name]) environment[name] = path.resolve(at.cwd, variables[name]);
  // A host starts the server in any folder.
  environment["SVC_STATE_DIR"] = path.resolve(at.cwd, variables["SVC_STATE_DIR"] ?? ".svc");
  // A loader given as a package name resolves from here, not from the host's folder.
  const nodeArgs = at.nodeArgs.map((arg, index) =>
    at.nodeArgs[index - 1] === "--import" ? import.meta.resolve(arg) : arg,
  );
  return { command: at.node, args: [...nodeArgs, realpathSync(at.script)], environment, open };
}
