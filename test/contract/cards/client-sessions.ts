/** Automation sessions. Spec: 3 §2.4, §3.2, §4.7. */
import { expect } from "vitest";
import { dataAt, previewOf, tokenOf, write } from "../../faces/svc-rig.ts";
import { card, type Surface } from "../harness.ts";
import { failed, passed } from "../svc-client.ts";
import { BTC, ETH } from "../venue.ts";
import { farOrder, marketOrder, startSession } from "./client-steps.ts";

const CONSENT = { explicitUserConsent: true, acceptedRiskText: "One more hour of automated orders." };

export const clientSessions: Surface = {
  name: "client-sessions",
  cards: [
    card("C-2.4-01", "3 §2.4", "a start takes symbols, caps, span, actions, types, consent and words", async (v) => {
      const started = await v.svc.command("automation.start", {
        symbols: [BTC],
        maxNotionalPerOrder: "100",
        maxTotalNotional: "1000",
        expiresInSeconds: 3_600,
        allowedActions: ["order.place", "order.replace", "order.cancel"],
        allowedOrderTypes: ["LIMIT", "MARKET"],
        explicitUserConsent: true,
        acceptedRiskText: "I allow automated orders.",
      });
      expect(passed(started)).toMatchObject({
        automationSessionId: expect.any(String) as unknown,
        symbols: [BTC],
        maxNotionalPerOrder: "100",
        maxTotalNotional: "1000",
        allowedActions: ["order.place", "order.replace", "order.cancel"],
        allowedOrderTypes: ["LIMIT", "MARKET"],
      });
    }),
    card("C-3.2-01", "3 §3.2", "no session begins without explicit consent", async (v) => {
      const terms = { symbols: [BTC], maxNotionalPerOrder: "100", maxTotalNotional: "1000", ...CONSENT };
      const refused = { ...terms, explicitUserConsent: false };
      expect((await v.svc.command("automation.start", refused)).ok).toBe(false);
      expect(dataAt(await v.svc.command("automation.list"), "sessions")).toEqual([]);
    }),
    card("C-3.2-02", "3 §3.2, §4.7", "extend moves the expiry of an active session, with consent", async (v) => {
      const automationSessionId = await startSession(v.svc.command, BTC);
      const before = dataAt(await v.svc.command("automation.status", { automationSessionId }), "expiresAt");
      const longer = { automationSessionId, expiresInSeconds: 7_200, ...CONSENT };
      failed(await v.svc.command("automation.extend", { ...longer, explicitUserConsent: false }), "BLOCKED");
      const extended = passed(await v.svc.command("automation.extend", longer));
      expect(Date.parse(String(extended["expiresAt"]))).toBeGreaterThan(Date.parse(String(before)) + 3_000_000);
    }),
    card("C-3.2-03", "3 §3.2, §4.7", "stop ends a session: no preview is bound to it again", async (v) => {
      const order = await farOrder(v, "c-3203");
      const automationSessionId = await startSession(v.svc.command, order["symbol"]);
      const bound = await v.svc.command("order.place-preview", { ...order, automationSessionId });
      passed(await v.svc.command("automation.stop", { automationSessionId }));
      failed(await v.svc.command("order.place-preview", { ...order, automationSessionId }), "BLOCKED");
      failed(await v.svc.command("order.place", { ...order, ...tokenOf(bound) }), "BLOCKED");
    }),
    card(
      "C-3.2-04",
      "3 §3.2, §4.4",
      "a preview is bound with automationSessionId, and the preview step stays",
      async (v) => {
        const order = await farOrder(v, "c-3204");
        const automationSessionId = await startSession(v.svc.command, order["symbol"]);
        failed(await v.svc.command("order.place", { ...order, automationSessionId }), "BLOCKED", "RCLI20002");
        const preview = await v.svc.command("order.place-preview", { ...order, automationSessionId });
        expect(passed(preview)["automationSession"]).toMatchObject({ automationSessionId });
        const placed = await v.svc.command("order.place", { ...order, automationSessionId, ...tokenOf(preview) });
        passed(placed);
        const status = await v.svc.command("automation.status", { automationSessionId });
        expect(dataAt(status, "usedNotional")).toBe("400");
      },
    ),
    card("C-3.2-05", "3 §2.4, §3.2", "an opening beyond symbols, actions, types or caps is BLOCKED", async (v) => {
      const order = await farOrder(v, "c-3205");
      const { symbol } = order;
      const refusedUnder = async (terms: Record<string, unknown>, change: Record<string, unknown> = {}) => {
        const automationSessionId = await startSession(v.svc.command, symbol, terms);
        const asked = { ...order, automationSessionId, ...change };
        failed(await v.svc.command("order.place-preview", asked), "BLOCKED");
      };
      await refusedUnder({ symbols: [ETH] });
      await refusedUnder({ allowedActions: ["order.cancel"] });
      await refusedUnder({ allowedOrderTypes: ["MARKET"] });
      await refusedUnder({ maxNotionalPerOrder: "399" });
      await refusedUnder({ maxTotalNotional: "399" });
    }),
    card(
      "C-3.2-06",
      "3 §2.4, §3.2",
      "what cannot open and is not in the session's list is previewed as ever",
      async (v) => {
        const order = await marketOrder(v, "c-3206");
        const symbol = String(order["symbol"]);
        const automationSessionId = await startSession(v.svc.command, symbol);
        const bound = await v.svc.command("order.place-preview", { ...order, automationSessionId });
        const placed = await v.svc.command("order.place", { ...order, ...tokenOf(bound) });
        await v.settled(String(dataAt(placed, "data.orderId")), ["FILLED"]);
        const close = { symbol, positionSide: "LONG", reduceOnly: true, maxNotional: "400" };
        const writes: readonly (readonly [string, Record<string, unknown>])[] = [
          ["position.set-leverage", { symbol, leverage: 4 }],
          ["order.cancel-all", { symbol }],
          ["algo.cancel", { algoOrderId: "1111111111111111" }],
          ["position.close", close],
        ];
        for (const [id, business] of writes) {
          for (const session of [automationSessionId, "ras_unknown"]) {
            const preview = passed(await previewOf(v.svc.command, id, { ...business, automationSessionId: session }));
            expect(preview, id).not.toHaveProperty("automationSession");
            expect((preview["riskNotes"] as string[]).join(" ")).toContain("bound to no session");
          }
        }
        const preview = await previewOf(v.svc.command, "position.close", { ...close, automationSessionId });
        const session = { automationSessionId };
        passed(await v.svc.command("position.close", { ...close, ...session, ...tokenOf(preview) }));
        const status = await v.svc.command("automation.status", session);
        expect(dataAt(status, "usedNotional")).toBe("400");
      },
    ),
    card("C-3.2-07", "3 §4.7", "list shows every session, status one by its id", async (v) => {
      const ids = [await startSession(v.svc.tool, BTC), await startSession(v.svc.tool, ETH)];
      const sessions = dataAt(await v.svc.tool("automation.list"), "sessions") as { automationSessionId: string }[];
      expect(sessions.map(({ automationSessionId }) => automationSessionId).toSorted()).toEqual(ids.toSorted());
      const [automationSessionId] = ids;
      const status = passed(await v.svc.tool("automation.status", { automationSessionId }));
      expect(status).toMatchObject({ automationSessionId, symbols: [BTC] });
      failed(await v.svc.tool("automation.status", { automationSessionId: "ras_none" }), "NOT_FOUND");
    }),
    card("C-3.2-08", "3 §2.4", "an expired session admits nothing more", async (v) => {
      const order = await farOrder(v, "c-3208");
      const automationSessionId = await startSession(v.svc.command, order["symbol"], { expiresInSeconds: 30 });
      const later = v.svc.commandAs({ aheadMs: 31_000 });
      failed(await later("order.place-preview", { ...order, automationSessionId }), "BLOCKED");
    }),
    card("C-3.2-09", "3 §3.2", "a bound replace and cancel are within the session's list too", async (v) => {
      const order = await farOrder(v, "c-3209");
      const automationSessionId = await startSession(v.svc.command, order["symbol"]);
      const session = { automationSessionId };
      const orderId = String(dataAt(await write(v.svc.command, "order.place", order, session), "data.orderId"));
      const change = { orderId, price: String(Number(order["price"]) - 10) };
      const replace = await previewOf(v.svc.command, "order.replace", { ...change, ...session });
      expect(passed(replace)["automationSession"]).toMatchObject(session);
      const cancel = await previewOf(v.svc.command, "order.cancel", { orderId, ...session });
      expect(passed(cancel)["automationSession"]).toMatchObject(session);
      passed(await v.svc.command("order.cancel", { orderId, ...tokenOf(cancel) }));
    }),
  ],
};
