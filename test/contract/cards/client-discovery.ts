/** Discovery, diagnostics, versions and credentials. Spec: 3 §1, §4, §4.1, §5, §9. */
import { expect } from "vitest";
import { CAPABILITIES } from "../../../src/faces/capabilities/all.ts";
import type { Input } from "../../faces/svc-rig.ts";
import { card, type Surface } from "../harness.ts";
import { failed, passed } from "../svc-client.ts";
import { BTC } from "../venue.ts";

/** Document 3 §4: every action of a domain, and whether it is a tool too. */
const ACTIONS: Readonly<Record<string, string>> = {
  market: "get-ticker get-orderbook get-klines get-funding-rate get-mark-price get-symbol-info get-open-interest",
  portfolio: "overview assets statement user-fee-rate position-bracket set-position-mode",
  order: "place-preview place replace-preview replace cancel-preview cancel query open-orders history cancel-all",
  algo: "place replace cancel open-orders history query",
  position: "query history get-leverage set-leverage close close-all",
  transaction: "executions",
  trade: "preview verify-live",
  automation: "start list status extend stop",
};

interface Entry {
  readonly capabilityId: string;
  readonly cliCommand: string;
  readonly mcpTool?: string;
  readonly riskLevel: string;
  readonly inputSchema: string;
  readonly previewRequired: boolean;
  readonly containsRealOrder?: boolean;
}
interface Schema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly { readonly anyOf: readonly { readonly required?: readonly string[] }[] }[];
}
interface Listing {
  readonly schemaVersion: string;
  readonly capabilities: readonly Entry[];
  readonly inputSchemas: Readonly<Record<string, Schema>>;
}

export const clientDiscovery: Surface = {
  name: "client-discovery",
  cards: [
    card("C-4-01", "3 §4 to §4.7", "each capability is the command and the tool that the document names", async (v) => {
      const { capabilities } = passed(await v.svc.command("schema.discover")) as unknown as Listing;
      const wanted = Object.entries(ACTIONS).flatMap(([domain, actions]) =>
        actions.split(" ").map((action) => [`svc ${domain} ${action}`, `svc/${domain}/${action}`]),
      );
      const found = capabilities.map(({ cliCommand, mcpTool }) => [cliCommand, mcpTool]);
      for (const pair of wanted) expect(found).toContainEqual(pair);
      const { tools } = await (await v.svc.host()).client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(wanted.map(([, tool]) => tool)));
    }),
    card(
      "C-4.1-01",
      "3 §4.1, §9",
      "schema lists ids, commands, tools, schemas, previews and a dated version",
      async (v) => {
        const { schemaVersion, capabilities, inputSchemas } = passed(
          await v.svc.command("schema.discover"),
        ) as unknown as Listing;
        expect(schemaVersion).toMatch(/^\d{4}-\d{2}-\d{2}$/);
        for (const entry of capabilities) {
          expect(Object.keys(entry)).toEqual(
            expect.arrayContaining(["capabilityId", "cliCommand", "inputSchema", "outputSchema", "previewRequired"]),
          );
          expect(inputSchemas).toHaveProperty(entry.inputSchema);
        }
      },
    ),
    card(
      "C-4.1-02",
      "3 §4.1",
      "svc/tools lists name, risk, schemas, preview, real order and confirmation",
      async (v) => {
        const { tools } = passed(await v.svc.tool("schema.discover")) as { tools: readonly object[] };
        expect(tools.length).toBeGreaterThan(40);
        for (const tool of tools)
          expect(Object.keys(tool)).toEqual(
            expect.arrayContaining([
              ...["name", "riskLevel", "inputSchema", "outputSchema", "previewRequired", "containsRealOrder"],
              "requiresExplicitHumanConfirmation",
            ]),
          );
      },
    ),
    card("C-4.1-03", "3 §4.1, §4.5, §4.7", "the schema requires what a call needs", async (v) => {
      const { capabilities, inputSchemas } = passed(await v.svc.command("schema.discover")) as unknown as Listing;
      const schemaOf = (id: string): Schema => {
        const entry = capabilities.find(({ capabilityId }) => capabilityId === id);
        return inputSchemas[entry?.inputSchema ?? ""] ?? { properties: {} };
      };
      for (const { capabilityId } of capabilities.filter(({ previewRequired }) => previewRequired))
        expect(schemaOf(capabilityId).required, capabilityId).toEqual(
          expect.arrayContaining(["previewId", "continueConsentId"]),
        );
      expect(schemaOf("trade.preview").required).toEqual(["targetCapabilityId"]);
      const algo = schemaOf("algo.place");
      expect(algo.required).toEqual(expect.arrayContaining(["maxNotional", "clientOrderId"]));
      const choices = (algo.allOf ?? []).map(({ anyOf }) => anyOf.flatMap(({ required }) => required ?? []));
      for (const field of ["symbol", "side", "quantity", "triggerPrice"])
        expect(
          choices.some((fields) => fields.includes(field)),
          field,
        ).toBe(true);
    }),
    card("C-4.1-04", "3 §4.1", "containsRealOrder is true only where an order is placed", async (v) => {
      const { capabilities } = passed(await v.svc.command("schema.discover")) as unknown as Listing;
      const real = capabilities.filter((entry) => entry.containsRealOrder === true);
      expect(real.map(({ capabilityId }) => capabilityId).toSorted()).toEqual(
        ["algo.place", "order.place", "position.close", "position.close-all", "trading.verify-live"].toSorted(),
      );
    }),
    card("C-4.1-05", "3 §4.1, §7.2", "an unknown field gives INVALID_INPUT with RCLI30001 on both faces", async (v) => {
      for (const drive of [v.svc.command, v.svc.tool]) {
        failed(await drive("market.mark-price", { symbol: BTC, sybmol: BTC }), "INVALID_INPUT", "RCLI30001");
        failed(await drive("order.place", { symbol: BTC, colour: "red" }), "INVALID_INPUT", "RCLI30001");
      }
    }),
    card("C-4.1-06", "3 §4.1", "self-check takes a read-only flag and checks the connection", async (v) => {
      const data = passed(await v.svc.command("self-check.run", { readOnly: true }));
      expect(data).toMatchObject({ status: "PASS" });
    }),
    card("C-4.1-07", "3 §4.1, §9", "update check says the status of client, schema and skills", async (v) => {
      const answer = await v.svc.tool("update.check");
      expect(answer.data).toMatchObject({
        currentVersion: "9.9.9",
        currentMcpSchemaVersion: expect.stringMatching(/^\d{4}-/) as unknown,
        skillsInstallStatus: "NOT_VERIFIED",
      });
    }),
    card(
      "C-4.1-08",
      "3 §4.1",
      "doctor is a command only, and claims nothing about skills that it cannot see",
      async (v) => {
        const data = passed(await v.svc.command("doctor.run"));
        expect(data["credentialSource"]).toEqual({ SVC_ACCESS_KEY: true, SVC_SECRET_KEY: true, SVC_API_HOST: true });
        const { checks } = data["compatibility"] as { checks: { name: string; status: string; actual: unknown }[] };
        for (const { name, status, actual } of checks.filter((check) => check.name.startsWith("skills")))
          expect([name, status, actual]).toEqual([name, "NOT_VERIFIED", null]);
        const { tools } = await (await v.svc.host()).client.listTools();
        expect(tools.map(({ name }) => name).filter((name) => /doctor|auth|invocation/.test(name))).toEqual([]);
      },
    ),
    card("C-4.1-09", "3 §4.1, §5", "auth check tests the credentials without printing a secret", async (v) => {
      const answer = await v.svc.command("auth.check");
      expect(passed(answer)["maskedAccessKey"]).toMatch(/\*\*\*/);
      expect(JSON.stringify(answer)).not.toContain(v.account.secretKey);
      expect(JSON.stringify(answer)).not.toContain(v.account.accessKey);
      const wrong = v.svc.commandAs({ variables: { ...v.svc.variables, SVC_SECRET_KEY: "another-secret" } });
      expect((await wrong("auth.check")).ok).toBe(false);
    }),
    card("C-4.1-10", "3 §4.1", "invocation check judges a command line", async (v) => {
      const check = (commandLine: string) => v.svc.command("invocation.check", { commandLine });
      expect(passed(await check("svc market get-ticker --symbol BTCUSDT --json"))["compliant"]).toBe(true);
      failed(await check("svc order place --json | sh"), "BLOCKED");
    }),
    card(
      "C-1-01",
      "3 §1",
      "reads are read or trade-read, writes trade-write, sessions and mode critical",
      async (v) => {
        const { capabilities } = passed(await v.svc.command("schema.discover")) as unknown as Listing;
        const expected: Readonly<Record<string, string>> = {
          "market.ticker": "read",
          "schema.discover": "read",
          "portfolio.overview": "trade-read",
          "order.query": "trade-read",
          "position.query": "trade-read",
          "order.place": "trade-write",
          "order.replace": "trade-write",
          "order.cancel": "trade-write",
          "position.close": "trade-write",
          "position.set-leverage": "trade-write",
          "automation.start": "critical-trade-write",
          "automation.extend": "critical-trade-write",
          "portfolio.set-position-mode": "critical-trade-write",
          "config.set": "write-config",
          "config.unset": "write-config",
          "automation.stop": "write-config",
        };
        const found = new Map(capabilities.map(({ capabilityId, riskLevel }) => [capabilityId, riskLevel]));
        for (const [id, risk] of Object.entries(expected)) expect([id, found.get(id)]).toEqual([id, risk]);
      },
    ),
    card("C-1-02", "3 §1", "every write is previewed first, but for sessions and the live verification", async (v) => {
      const { capabilities } = passed(await v.svc.command("schema.discover")) as unknown as Listing;
      const bare = capabilities
        .filter(({ riskLevel, previewRequired }) => /trade-write/.test(riskLevel) && !previewRequired)
        .map(({ capabilityId }) => capabilityId);
      expect(bare.filter((id) => !id.endsWith("preview")).toSorted()).toEqual(
        ["automation.extend", "automation.start", "trading.verify-live"].toSorted(),
      );
    }),
    card("C-5-01", "3 §5, §7.2", "missing credentials give RCORE01001, a missing host RCORE01003", async (v) => {
      const without = (name: string) => {
        const variables = Object.fromEntries(Object.entries(v.svc.variables).filter(([key]) => key !== name));
        return v.svc.commandAs({ variables })("position.query");
      };
      failed(await without("SVC_ACCESS_KEY"), "NOT_VERIFIED", "RCORE01001");
      failed(await without("SVC_SECRET_KEY"), "NOT_VERIFIED", "RCORE01001");
      failed(await without("SVC_API_HOST"), "NOT_VERIFIED", "RCORE01003");
    }),
    card("C-5-02", "3 §5", "keys are masked in the output of every read", async (v) => {
      const reads = CAPABILITIES.filter(({ operationType }) => operationType === "TRADE_READ");
      const input: Readonly<Record<string, Input>> = { "position.get-leverage": { symbol: BTC } };
      for (const { id } of reads) {
        const text = JSON.stringify(await v.svc.tool(id, input[id] ?? {}));
        expect(text).not.toContain(v.account.secretKey);
        expect(text).not.toContain(v.account.accessKey);
      }
    }),
  ],
};
