/** `svc mcp serve`: the tool server over standard input and output, until its host closes the pipe. */
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { createMcpServer } from "../../faces/mcp/server.ts";
import type { OpenClient } from "./plug.ts";

/** Answers when standard input has ended or a signal came, with everything closed. */
export async function mcpProgram(open: OpenClient, options: { readonly underscoreNames: boolean }): Promise<number> {
  // Nothing but protocol may reach standard output, whatever a library thinks of printing.
  const protocolOut = process.stdout;
  for (const name of ["log", "info", "debug", "warn"] as const) {
    Object.defineProperty(globalThis.console, name, {
      value: (...words: unknown[]) => process.stderr.write(`${words.join(" ")}\n`),
    });
  }
  const { client } = open;
  const transport = new StdioServerTransport(process.stdin, protocolOut);
  const handle = serveStdio(() => createMcpServer({ client, underscoreNames: options.underscoreNames }), {
    transport,
    onerror: (error) => process.stderr.write(`${client.redact(error.message)}\n`),
  });
  await new Promise<void>((resolve) => {
    process.stdin.once("end", () => resolve());
    process.stdin.once("close", () => resolve());
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
  await handle.close();
  await open.close();
  return 0;
}
