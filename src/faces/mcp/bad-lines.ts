/**
 * Answers lines that are not messages: the SDK ignores text that is not JSON or not JSON-RPC, and a host would wait
 * for its answer forever. Records §17.14.
 */
import { parseJSONRPCMessage, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { issuesOf } from "./plain-issues.ts";

/** As in the SDK, which ends the connection if a line grows longer. */
const LONGEST_BYTES = 10 * 1024 * 1024;

type Id = string | number | null;

const answer = (id: Id, code: ProtocolErrorCode, message: string): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`;

/** Null if it cannot be read, and for a broken response: its id is one of ours, and the host waits for nothing. */
function idOf(value: unknown): Id {
  if (value === null || typeof value !== "object" || "result" in value || "error" in value) return null;
  const { id } = value as { readonly id?: unknown };
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function answerTo(line: string): string | null {
  if (line.trim() === "") return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return answer(null, ProtocolErrorCode.ParseError, "Parse error: the line is not JSON");
  }
  try {
    parseJSONRPCMessage(value);
    return null;
  } catch (error) {
    const broken = issuesOf(error, value);
    const why = `the line is not a JSON-RPC 2.0 message${broken === null ? "" : `: ${broken}`}`;
    return answer(idOf(value), ProtocolErrorCode.InvalidRequest, `Invalid Request: ${why}`);
  }
}

/** Receives the input chunks beside the server; `write` receives one line per bad one. */
export function badLines(write: (line: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      const refusal = answerTo(rest.toString("utf8", 0, end));
      rest = rest.subarray(end + 1);
      if (refusal !== null) write(refusal);
    }
    if (rest.length > LONGEST_BYTES) rest = Buffer.alloc(0);
  };
}
