/** The tool server as a host sees it through the maintained SDK: tools, resources, prompts, progress, cancellation. */
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CAPABILITIES } from "../../src/faces/capabilities/all.ts";
import type { Envelope } from "../../src/faces/contract/envelope.ts";
import { createMcpServer } from "../../src/faces/mcp/server.ts";
import { BTC, connectTool, type Rig, startRig } from "./svc-rig.ts";

let rig: Rig;
let host: Awaited<ReturnType<typeof connectTool>>;

beforeAll(async () => {
  rig = await startRig({ accounts: 1 });
  host = await connectTool(rig.open("tool-server", rig.variables(0)));
}, 60_000);
afterAll(async () => {
  await host.client.close();
  await rig.stop();
});

describe("tools", () => {
  test("are the capabilities, with schemas and truthful annotations", async () => {
    const { tools } = await host.client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(
      CAPABILITIES.flatMap(({ tool }) => (tool === null ? [] : [tool])).sort(),
    );
    expect(tools).toHaveLength(46);
    for (const { inputSchema, outputSchema, annotations } of tools) {
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: "object", required: ["ok", "status", "evidence"] });
      expect(annotations?.readOnlyHint === true && annotations.destructiveHint === true).toBe(false);
    }
    const place = tools.find(({ name }) => name === "svc/order/place");
    expect(place?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });

  test("list themselves with what the document asks for", async () => {
    const listing = (await host.drive("schema.discover")).data as { schemaVersion: string; tools: { name: string }[] };
    expect(listing.schemaVersion).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const fields = [
      "name",
      "riskLevel",
      "inputSchema",
      "outputSchema",
      "previewRequired",
      "containsRealOrder",
      "requiresExplicitHumanConfirmation",
    ];
    for (const tool of listing.tools) expect(Object.keys(tool)).toEqual(expect.arrayContaining(fields));
    expect(listing.tools.map(({ name }) => name)).toEqual(listing.tools.map(({ name }) => name).sort());
  });

  test("have names without slashes by a switch, and are called by either", async () => {
    const plain = await connectTool(rig.open("tool-server", rig.variables(0)), true);
    const { tools } = await plain.client.listTools();
    for (const { name } of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    for (const name of ["svc/market/get-mark-price", "svc_market_get-mark-price"]) {
      const { structuredContent } = await plain.client.callTool({ name, arguments: { symbol: BTC } });
      expect((structuredContent as unknown as Envelope).status).toBe("PASS");
    }
    await plain.client.close();
  });

  test("answer an unknown name and a bad input by an envelope, not by a protocol error", async () => {
    const unknown = await host.client.callTool({ name: "svc/no/such", arguments: {} });
    expect(unknown.isError).toBe(true);
    expect(unknown.content).toEqual([
      expect.objectContaining({ type: "text", text: expect.stringContaining("RMCP30002") }),
    ]);
    const bad = await host.drive("order.query", { orderid: "1" });
    expect(bad).toMatchObject({ status: "INVALID_INPUT", code: "RCLI30001" });
    expect(bad.message).toContain("did you mean orderId?");
    expect(bad.details?.hint).toBe("the inputSchema of svc/order/query in tools/list");
  });

  test("refuse an input of thousands of levels, with a row in the audit log", async () => {
    const symbol: unknown = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
    const refused = await host.drive("market.ticker", { symbol });
    expect(refused).toMatchObject({ status: "INVALID_INPUT", code: "RCLI30001" });
    expect(refused.message).toContain("more than 32 levels");
    const { contents } = await host.client.readResource({ uri: "svc://audit" });
    const [first] = contents;
    const { rows } = JSON.parse(first && "text" in first ? first.text : "{}") as { rows: Record<string, unknown>[] };
    expect(rows.find(({ auditId }) => auditId === refused.auditId)).toMatchObject({
      status: "INVALID_INPUT",
      params: "(an input of more than 32 levels)",
    });
  });

  test("refuse an unknown cursor, and calls before the host has introduced itself", async () => {
    const unknown = { cursor: "page-2" };
    await expect(host.client.listTools(unknown)).rejects.toMatchObject({ code: -32602 });
    await expect(host.client.listResources(unknown)).rejects.toMatchObject({ code: -32602 });
    await expect(host.client.listPrompts(unknown)).rejects.toMatchObject({ code: -32602 });
    const opened = rig.open("tool-server", rig.variables(0));
    const [near, far] = InMemoryTransport.createLinkedPair();
    const heard: unknown[] = [];
    near.onmessage = (message) => void heard.push(message);
    await near.start();
    await createMcpServer({ client: opened.client, underscoreNames: false }).connect(far);
    await near.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "svc/tools", arguments: {} } });
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    expect(heard).toEqual([expect.objectContaining({ id: 1, error: expect.objectContaining({ code: -32600 }) })]);
    await near.close();
    await opened.close();
  });

  test("report their progress, and stop when they are cancelled", async () => {
    const heard: number[] = [];
    const onprogress = ({ progress }: { progress: number }): void => void heard.push(progress);
    await host.client.callTool({ name: "svc/self-check", arguments: {} }, { onprogress });
    expect(heard.length).toBeGreaterThan(2);
    const ending = new AbortController();
    const call = host.client.callTool(
      { name: "svc/market/get-ticker", arguments: { symbol: "EXCHANGE_A_PERP_NOSUCH_USDT" } },
      { signal: ending.signal },
    );
    ending.abort("enough");
    await expect(call).rejects.toThrow();
    expect((await host.drive("position.query")).status).toBe("PASS");
  });
});

describe("beside the tools", () => {
  test("positions, orders and the audit log are resources", async () => {
    const { resources } = await host.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["svc://positions", "svc://orders", "svc://audit"]);
    for (const { uri } of resources) {
      const { contents } = await host.client.readResource({ uri });
      const [first] = contents;
      expect(first && "text" in first ? Object.keys(JSON.parse(first.text) as object).length : 0).toBeGreaterThan(0);
    }
    await expect(host.client.readResource({ uri: "svc://nothing" })).rejects.toThrow(/no resource/);
  });

  test("a workflow without what it must be given is refused with the names of what is missing", async () => {
    const order = { name: "place-order", arguments: { symbol: "BTCUSDT", intent: " " } };
    await expect(host.client.getPrompt(order)).rejects.toThrow(
      /prompt place-order needs intent \(What you want: side, size, price\), maxNotional \(Ceiling in USDT\)/,
    );
  });

  test("the workflows are prompts that name only tools there are", async () => {
    const { prompts } = await host.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain("place-order");
    const tools = new Set(CAPABILITIES.map(({ tool }) => tool));
    for (const { name, arguments: wanted = [] } of prompts) {
      const given = Object.fromEntries(wanted.map((argument) => [argument.name, "X"]));
      const { messages } = await host.client.getPrompt({ name, arguments: given });
      const [message] = messages;
      const text = message?.content.type === "text" ? message.content.text : "";
      for (const [tool] of text.matchAll(/svc\/[a-z/-]+[a-z]/g)) expect(tools).toContain(tool);
    }
  });
});
