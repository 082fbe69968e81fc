/** The schema issues of the SDK's errors, on one line: it prints them as a list of JSON. */
import { ProtocolErrorCode, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type Issue, issuesText } from "../../core/issues.ts";

const storedIssue = z.looseObject({
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
  /** Of a union: the issues of each of its forms. */
  errors: z.array(z.array(z.unknown())).optional(),
});
const storedIssues = z.array(storedIssue).min(1);

/** The first form of a union stands for all: a message is above all a request. */
function flat(issues: z.output<typeof storedIssues>): readonly Issue[] {
  return issues.flatMap((issue) => {
    const first = storedIssues.safeParse(issue.errors?.[0]);
    if (!first.success) return [issue];
    return flat(first.data).map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
  });
}

/** Null for an error that is not of a schema. */
export function issuesOf(error: unknown, root: unknown): string | null {
  const issues = storedIssues.safeParse((error as { readonly issues?: unknown } | null)?.issues);
  return issues.success ? issuesText(flat(issues.data), root) : null;
}

/** The text of an error, with the issues at its end as a sentence. */
export function plainText(text: string): string {
  const at = text.search(/\[\s*\{/);
  if (at < 0) return text;
  try {
    const issues = issuesOf({ issues: JSON.parse(text.slice(at)) as unknown }, undefined);
    return issues === null ? text : `${text.slice(0, at).replace(/ZodError: $/, "")}${issues}`;
  } catch {
    return text;
  }
}

function plainMessage(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message)) return message;
  const plain = plainText(message.error.message);
  if (plain === message.error.message) return message;
  // The SDK reports some inputs that break a schema as faults of the server.
  return { ...message, error: { ...message.error, code: ProtocolErrorCode.InvalidParams, message: plain } };
}

/** Makes the errors that the transport sends readable. */
export function sendPlainErrors(transport: Transport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(plainMessage(message), options);
}
