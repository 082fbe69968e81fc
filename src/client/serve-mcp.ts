/** `svc mcp serve`: the tool server over standard input and output, until its host closes the pipe. */
import { appendFileSync, writeFileSync } from "node:fs";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { badLines } from "../faces/mcp/bad-lines.ts";
import { plainText, sendPlainErrors } from "../faces/mcp/plain-issues.ts";
import { createMcpServer } from "../faces/mcp/server.ts";
import { onStopSignal } from "../ops/stop-signals.ts";
import type { OpenClient } from "./plug.ts";

/** From `--tool-names underscore` and `--record FILE`. */
export interface McpOptions {
  readonly underscoreNames: boolean;
  /** A file that receives a copy of every byte of standard output. */
  readonly record?: string;
}

/** Wraps the stream itself, so that output of libraries outside the protocol is recorded as well. Invariant I32. */
function recordOutput(file: string): void {
  writeFileSync(file, "", { mode: 0o600 });
  const write = process.stdout.write.bind(process.stdout) as (...given: unknown[]) => boolean;
  process.stdout.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    appendFileSync(file, chunk);
    return write(chunk, ...rest);
  }) as typeof process.stdout.write;
}

/** Resolves when standard input has ended or a signal came, with everything closed. */
export async function mcpProgram(open: OpenClient, options: McpOptions): Promise<number> {
  if (options.record !== undefined) recordOutput(options.record);
  // Only protocol messages may reach standard output, even if a library prints.
  const protocolOut = process.stdout;
  for (const name of ["log", "info", "debug", "warn"] as const) {
    Object.defineProperty(globalThis.console, name, {
      value: (...words: unknown[]) => process.stderr.write(`${words.join(" ")}\n`),
    });
  }
  const { client } = open;
  const transport = new StdioServerTransport(process.stdin, protocolOut);
  sendPlainErrors(transport);
  const handle = serveStdio(() => createMcpServer({ client, underscoreNames: options.underscoreNames }), {
    transport,
    onerror: (error) => process.stderr.write(`${client.redact(plainText(error.message))}\n`),
  });
  process.stdin.on(
    "data",
    badLines((line) => void protocolOut.write(line)),
  );
  await new Promise<void>((resolve) => {
    process.stdin.once("end", () => resolve());
    process.stdin.once("close", () => resolve());
    onStopSignal({ first: () => resolve() });
  });
  await handle.close();
  await open.close();
  return 0;
}
