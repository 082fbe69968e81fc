import { isRec, type Rec } from "../fields.ts";
import { type Finding, finding, type Invariant } from "../history.ts";
import { readObject } from "../rows.ts";

/** I32: a tool server's standard output holds JSON-RPC and nothing else, line by line. */
export const i32: Invariant = {
  id: "I32",
  title: "stdout",
  rule: "Every line that a tool server wrote to its standard output (sinks named *.mcp-stdout) is one JSON-RPC 2.0 message.",
  needs: [],
  more: [],
  unseen: "",
  judge: ({ sinks }) => {
    const outputs = (sinks ?? []).filter(({ name }) => name.endsWith(".mcp-stdout"));
    if (outputs.length === 0)
      return {
        notJudged:
          "needs what a tool server wrote to its standard output (--mcp-stdout, or a sink named *.mcp-stdout); no tool server is part of a run of the daemon",
      };
    return outputs.flatMap(({ name, content }) => {
      const lines = content.split("\n");
      if (lines.at(-1) === "") lines.pop();
      return lines.flatMap((line, index): readonly Finding[] => {
        const problem = lineProblem(line);
        return problem === null ? [] : [finding(null, `${name} line ${index + 1} ${problem}`)];
      });
    });
  },
};

function lineProblem(line: string): string | null {
  const message = readObject(line);
  if (!message) return `is no JSON object: ${JSON.stringify(line.slice(0, 60))}`;
  if (message["jsonrpc"] !== "2.0") return "is not JSON-RPC 2.0";
  return isRequest(message) || isResponse(message) ? null : "is neither request, notification nor response";
}

const isId = (id: unknown): boolean => typeof id === "string" || (typeof id === "number" && Number.isFinite(id));

function isRequest(message: Rec): boolean {
  if (typeof message["method"] !== "string" || "result" in message || "error" in message) return false;
  return !("id" in message) || isId(message["id"]);
}

function isResponse(message: Rec): boolean {
  if ("method" in message) return false;
  const { id, error } = message;
  if ("result" in message) return isId(id) && !("error" in message);
  return (
    isRec(error) && Number.isInteger(error["code"]) && typeof error["message"] === "string" && (isId(id) || id === null)
  );
}
