/**
 * Answers lines that are not messages: the SDK ignores text that is not JSON or not JSON-RPC, and a host would wait
 * for its answer forever. Records §17.14.
 */
import { parseJSONRPCMessage, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** As in the SDK, which ends the connection if a line grows longer. */
const LONGEST_BYTES = 10 * 1024 * 1024;

const answer = (code: ProtocolErrorCode, message: string): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } })}\n`;

function answerTo(line: string): string | null {
  if (line.trim() === "") return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return answer(ProtocolErrorCode.ParseError, "Parse error: the line is not JSON");
  }
  try {
    parseJSONRPCMessage(value);
    return null;
  } catch {
    return answer(ProtocolErrorCode.InvalidRequest, "Invalid Request: the line is not a JSON-RPC 2.0 message");
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
