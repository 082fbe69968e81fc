/** The envelope, and the preview before every write. Spec: 3 §1, §2.1 to §2.3, §3.1, §7. */
import { expect } from "vitest";
import { dataAt, previewOf, tokenOf, write } from "../../faces/svc-rig.ts";
import { card, type Surface } from "../harness.ts";
import { at } from "../json.ts";
import { failed, passed } from "../svc-client.ts";
import { accepted, BTC, ORDER } from "../venue.ts";
import { farOrder } from "./client-steps.ts";

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const MISSING = "RCLI20002";

export const clientPreviews: Surface = {
  name: "client-previews",
  cards: [
    card(
      "C-2.1-01",
      "3 §2.1",
      "an answer holds ok, status, data and evidence with source, words and time",
      async (v) => {
        const answer = await v.svc.command("position.query");
        expect(answer).toMatchObject({ ok: true, status: "PASS" });
        expect(answer.data).toBeTypeOf("object");
        expect(answer.evidence.length).toBeGreaterThan(0);
        for (const { source, toolOrCommandEvidence, timestamp } of answer.evidence) {
          expect(source).toMatch(/^(local_check|real_tool_call)$/);
          expect(toolOrCommandEvidence).toContain("svc position query");
          expect(timestamp).toMatch(ISO);
        }
      },
    ),
    card("C-2.1-02", "3 §2.1", "a failure holds ok false, status, code and message", async (v) => {
      const answer = await v.svc.tool("order.query", {});
      expect(answer).toMatchObject({ ok: false, status: "INVALID_INPUT", code: "RCLI30001" });
      expect(answer.message).toMatch(/orderId/);
      expect(answer.auditId).toMatch(/^[0-9a-f-]{36}$/);
    }),
    card("C-2.1-03", "3 §2.1, §4.3", "a read holds the service's answer byte for byte", async (v) => {
      const placed = accepted(await v.post(ORDER, await v.farOrder()));
      const orderId = String(at(placed, "orderId"));
      await v.settled(orderId, ["OPEN"]);
      const raw = await v.get(ORDER, { orderId });
      expect(JSON.stringify((await v.svc.command("order.query", { orderId })).data)).toBe(raw.text);
    }),
    card(
      "C-2.1-04",
      "3 §2.1, §4.4",
      "a write holds the service's own envelope and fields, ours stand beside it",
      async (v) => {
        const order = await farOrder(v, "c-2104");
        const placed = await write(v.svc.command, "order.place", order);
        const own = { code: 200000, message: "Success", data: { clientOrderId: "c-2104" } };
        expect(placed.data).toMatchObject(own);
        const orderId = String(dataAt(placed, "data.orderId"));
        expect(dataAt(placed, "readback.order.orderId")).toBe(orderId);
        const price = String(Number(order["price"]) - 10);
        const replaced = await write(v.svc.command, "order.replace", { orderId, price });
        expect(replaced.data).toMatchObject({ code: 200000, data: { orderId, orderState: "OPEN" } });
        const cancelled = await write(v.svc.command, "order.cancel", { orderId });
        expect(dataAt(cancelled, "response.data")).toMatchObject({ orderId, action: "CANCEL_PENDING" });
        expect(dataAt(cancelled, "readback.order")).toEqual(await v.order(orderId));
      },
    ),
    card("C-2.2-01", "3 §2.2", "a preview holds id, parameters, notes, expiry and confirmation", async (v) => {
      const order = await farOrder(v, "c-2201");
      const data = passed(await v.svc.command("order.place-preview", order));
      expect(data["previewId"]).toBeTypeOf("string");
      expect(data["businessParams"]).toMatchObject(order);
      expect(Array.isArray(data["riskNotes"])).toBe(true);
      expect(data["expiresAt"]).toMatch(ISO);
      expect(data["confirmation"]).toMatchObject({
        submitToken: expect.any(String) as unknown,
        requiredFields: ["previewId", "continueConsentId"],
      });
      expect(data).not.toHaveProperty("automation");
    }),
    card("C-2.2-02", "3 §2.2", "continueConsentId equals the preview's submitToken, else BLOCKED", async (v) => {
      const order = await farOrder(v, "c-2202");
      const token = tokenOf(await v.svc.command("order.place-preview", order));
      const wrong = { ...order, ...token, continueConsentId: "confirm_other" };
      failed(await v.svc.command("order.place", wrong), "BLOCKED", MISSING);
      passed(await v.svc.command("order.place", { ...order, ...token }));
    }),
    card(
      "C-2.3-01",
      "3 §2.2, §2.3",
      "consent in the user's own words is accepted and shown as automation",
      async (v) => {
        const order = await farOrder(v, "c-2301");
        const words = { automationMode: true, automationScope: "single-preview" };
        const automationConsentText = `I allow this automated order in ${String(order["symbol"])} up to 400 USDT.`;
        const preview = await v.svc.command("order.place-preview", { ...order, ...words, automationConsentText });
        expect(passed(preview)["automation"]).toEqual({
          enabled: true,
          confirmationMode: "automation-preview",
          scope: "single-preview",
          maxNotional: "400",
        });
        // The consent goes with the preview, not with the submit.
        failed(await v.svc.command("order.place", { ...order, ...words, ...tokenOf(preview) }), "INVALID_INPUT");
        passed(await v.svc.command("order.place", { ...order, ...tokenOf(preview) }));
      },
    ),
    card(
      "C-2.3-02",
      "3 §2.3",
      "the words must hold the exact symbol, the maxNotional value and the intent",
      async (v) => {
        const order = await farOrder(v, "c-2302");
        const symbol = String(order["symbol"]);
        const lacking = [
          "I allow this automated order up to 400 USDT.",
          `I allow this automated order in ${symbol}.`,
          `I allow this order in ${symbol} up to 400 USDT.`,
          undefined,
        ];
        for (const automationConsentText of lacking) {
          const asked = { ...order, automationMode: true, automationConsentText };
          failed(await v.svc.command("order.place-preview", asked), "BLOCKED", MISSING);
        }
      },
    ),
    card("C-3.1-01", "3 §1, §3.1", "a preview sends no order; its submit with the same parameters does", async (v) => {
      const order = await farOrder(v, "c-3101");
      const preview = await v.svc.command("order.place-preview", order);
      expect(dataAt(await v.svc.command("order.open-orders"), "data.list")).toEqual([]);
      passed(await v.svc.command("order.place", { ...order, ...tokenOf(preview) }));
      expect(dataAt(await v.svc.command("order.open-orders"), "data.list")).toHaveLength(1);
    }),
    card("C-3.1-02", "3 §3.1", "parameters that differ are BLOCKED, and the preview stays usable", async (v) => {
      const order = await farOrder(v, "c-3102");
      const token = tokenOf(await v.svc.command("order.place-preview", order));
      const other = { ...order, ...token, quantity: "0.004" };
      failed(await v.svc.command("order.place", other), "BLOCKED", MISSING);
      passed(await v.svc.command("order.place", { ...order, ...token }));
    }),
    card("C-3.1-03", "3 §3.1, §8", "a preview is valid for about five minutes", async (v) => {
      const order = await farOrder(v, "c-3103");
      const token = tokenOf(await v.svc.command("order.place-preview", order));
      const later = v.svc.commandAs({ aheadMs: 301_000 });
      failed(await later("order.place", { ...order, ...token }), "BLOCKED", MISSING);
      passed(await v.svc.command("order.place", { ...order, ...token }));
    }),
    card("C-3.1-04", "3 §3.1, §7.2", "a submit without previewId or consent is BLOCKED with RCLI20002", async (v) => {
      const order = await farOrder(v, "c-3104");
      const { previewId } = tokenOf(await v.svc.command("order.place-preview", order));
      failed(await v.svc.command("order.place", order), "BLOCKED", MISSING);
      failed(await v.svc.command("order.place", { ...order, previewId }), "BLOCKED", MISSING);
      failed(await v.svc.tool("position.set-leverage", { symbol: BTC, leverage: 2 }), "BLOCKED", MISSING);
      failed(await v.svc.tool("order.cancel-all", { symbol: BTC }), "BLOCKED", MISSING);
    }),
    card("C-3.1-05", "3 §1, §3.1", "preview and submit use the same runtime", async (v) => {
      const order = await farOrder(v, "c-3105");
      const byCommand = tokenOf(await v.svc.command("order.place-preview", order));
      failed(await v.svc.tool("order.place", { ...order, ...byCommand }), "BLOCKED", MISSING);
      const byTool = tokenOf(await v.svc.tool("order.place-preview", order));
      failed(await v.svc.command("order.place", { ...order, ...byTool }), "BLOCKED", MISSING);
      passed(await v.svc.tool("order.place", { ...order, ...byTool }));
    }),
    card("C-3.1-06", "3 §3.1", "a close preview with no position is BLOCKED with NO_POSITION_TO_CLOSE", async (v) => {
      const close = { symbol: BTC, positionSide: "LONG", reduceOnly: true, maxNotional: "400" };
      const answer = failed(await previewOf(v.svc.command, "position.close", close), "BLOCKED");
      expect(answer.message).toMatch(/^NO_POSITION_TO_CLOSE/);
    }),
  ],
};
