import { describe, expect, test } from "vitest";
import type { CloseAllAction, DeskAction } from "../../src/desk/action.ts";
import { sessionView } from "../../src/desk/session.ts";
import { restoredSessions } from "../../src/desk/sessions.ts";
import { dec } from "../../src/core/decimal.ts";
import { listLog } from "../llm/budget/ledger-support.ts";
import { BTC, NOW_MS, position, SOL } from "../risk/support.ts";
import { standingStop } from "../support/agent-world.ts";
import { testDesk, consent, fakeVenue, place } from "./support.ts";

describe("starting a session", () => {
  test("takes the operator's consent into a record with the documented defaults", async () => {
    const { desk } = testDesk();
    const started = await desk.startSession(
      consent({ symbols: [BTC, BTC, SOL], acceptedRiskText: "  yes, automated  " }),
    );
    expect(started).toMatchObject({
      ok: true,
      value: {
        status: "ACTIVE",
        symbols: [BTC, SOL],
        allowedActions: ["order.place", "order.replace", "order.cancel"],
        allowedOrderTypes: ["LIMIT", "MARKET"],
        createdAtMs: NOW_MS,
        expiresAtMs: NOW_MS + 86_400_000,
        acceptedRiskText: "yes, automated",
      },
    });
    if (!started.ok) return;
    expect(started.value.automationSessionId).toMatch(/^ras_/);
    expect(started.value.usedNotional.toFixed()).toBe("0");
    expect(sessionView(started.value, NOW_MS)).toMatchObject({ active: true, id: started.value.automationSessionId });
  });

  test.each<[string, Parameters<typeof consent>[0], string]>([
    ["no consent", { explicitUserConsent: false }, "explicitUserConsent"],
    ["a blank risk text", { acceptedRiskText: "  " }, "acceptedRiskText"],
    ["no symbols", { symbols: [] }, "symbols"],
    ["a bare pair", { symbols: ["BTCUSDT"] }, "symbols"],
    ["a cap of zero", { maxNotionalPerOrder: "0" }, "maxNotionalPerOrder"],
    ["a cap with a comma", { maxTotalNotional: "1,000" }, "maxTotalNotional"],
    ["a cap with an exponent", { maxTotalNotional: "2e3" }, "maxTotalNotional"],
    ["no time at all", { expiresInSeconds: 0 }, "expiresInSeconds"],
    ["31 days", { expiresInSeconds: 2_678_400 }, "expiresInSeconds"],
    ["half a second", { expiresInSeconds: 1.5 }, "expiresInSeconds"],
    ["an unknown action", { allowedActions: ["order.destroy"] }, "allowedActions"],
    ["an unknown order type", { allowedOrderTypes: ["ICEBERG"] }, "allowedOrderTypes"],
  ])("%s is refused by name", async (_story, change, field) => {
    const { desk } = testDesk();
    const refused = await desk.startSession(consent(change));
    expect(refused).toMatchObject({ ok: false, error: { kind: "session-input", details: { field } } });
    expect(await desk.sessions()).toEqual([]);
  });
});

describe("the life of a session", () => {
  const life = { explicitUserConsent: true, acceptedRiskText: "longer" };

  test("extend moves the expiry and nothing else, stop ends it for good", async () => {
    const { desk, clock } = testDesk();
    const started = await desk.startSession(consent({ expiresInSeconds: 60 }));
    if (!started.ok) throw new Error(started.error.message);
    const { automationSessionId } = started.value;
    clock.advanceSync(30_000);
    const longer = await desk.extendSession({ automationSessionId, expiresInSeconds: 100, ...life });
    expect(longer).toEqual({
      ok: true,
      value: { ...started.value, expiresAtMs: NOW_MS + 130_000, lastExtensionAcceptedRiskText: "longer" },
    });
    expect(
      await desk.extendSession({ automationSessionId, expiresInSeconds: 100, ...life, explicitUserConsent: false }),
    ).toMatchObject({
      error: { kind: "session-input" },
    });
    expect(await desk.stopSession(automationSessionId)).toMatchObject({
      value: { status: "STOPPED", stoppedAtMs: NOW_MS + 30_000 },
    });
    expect(await desk.stopSession(automationSessionId)).toMatchObject({ ok: true });
    expect(await desk.extendSession({ automationSessionId, expiresInSeconds: 100, ...life })).toMatchObject({
      error: { kind: "session-not-active" },
    });
    expect(await desk.stopSession("ras_none")).toMatchObject({ error: { kind: "session-unknown" } });
  });

  test("a stop that no row keeps is reported: a restart may find the session active", async () => {
    const log = listLog();
    let full = false;
    const record = () => {
      if (full) throw new Error("disk full");
    };
    const { desk } = testDesk(fakeVenue(), { log, record });
    const started = await desk.startSession(consent());
    if (!started.ok) throw new Error(started.error.message);
    full = true;
    const stopped = await desk.stopSession(started.value.automationSessionId);
    expect(stopped).toMatchObject({ ok: true, value: { status: "STOPPED" } });
    expect(log.lines.at(-1)).toMatchObject({ level: "error", evt: "session.stopped" });
    expect(log.lines.at(-1)?.msg).toMatch(/disk full/);
  });

  test("a session that ends between preview and submit, or before the wire, blocks", async () => {
    const { desk, venue } = testDesk();
    const started = await desk.startSession(consent());
    if (!started.ok) throw new Error(started.error.message);
    const { automationSessionId } = started.value;
    const submitting = async (clientOrderId: string, beforeWire: () => void) => {
      const action = place({ clientOrderId });
      const made = await desk.preview(action, { automationSessionId });
      if (!made.ok) throw new Error(made.error.message);
      return {
        previewId: made.value.previewId,
        continueConsentId: made.value.confirmation.submitToken,
        action,
        beforeWire,
      };
    };
    const first = await submitting("a", () => void desk.stopSession(automationSessionId));
    const second = await submitting("b", () => undefined);
    expect(await desk.submit(first)).toMatchObject({ kind: "blocked", refusal: { kind: "session-not-active" } });
    expect(await desk.submit(second)).toMatchObject({ kind: "blocked", refusal: { kind: "session-not-active" } });
    expect(venue.calls).toEqual([]);
    expect(await desk.session(automationSessionId)).toMatchObject({ ok: true, value: { status: "STOPPED" } });
  });

  test("what the journal holds gives the sessions back", async () => {
    const { desk, rows } = testDesk();
    const started = await desk.startSession(consent());
    if (!started.ok) throw new Error(started.error.message);
    await desk.extendSession({ automationSessionId: started.value.automationSessionId, expiresInSeconds: 7, ...life });
    expect(restoredSessions(rows)).toEqual(await desk.sessions());
  });
});

const closeAll = (only: NonNullable<CloseAllAction["only"]>): CloseAllAction => ({
  ...{ kind: "position.close-all", exchange: "EXCHANGE_A" },
  only,
});

describe("binding", () => {
  test.each<[string, Parameters<typeof consent>[0], Parameters<typeof place>[0], string]>([
    ["a symbol it does not name", { symbols: [SOL] }, {}, "session-scope"],
    ["an action it does not name", { allowedActions: ["order.cancel"] }, {}, "session-scope"],
    ["an order type it does not name", { allowedOrderTypes: ["MARKET"] }, {}, "session-scope"],
    ["more than one order may have", { maxNotionalPerOrder: "299" }, {}, "session-cap"],
    ["more than all may have", { maxTotalNotional: "299" }, {}, "session-cap"],
  ])("%s is refused at the preview", async (_story, change, order, kind) => {
    const { desk } = testDesk();
    const started = await desk.startSession(consent(change));
    if (!started.ok) throw new Error(started.error.message);
    const { automationSessionId } = started.value;
    expect(await desk.preview(place(order), { automationSessionId })).toMatchObject({ error: { kind } });
  });

  test.each<[string, DeskAction, string | null]>([
    ["all orders of the account", { kind: "order.cancel-all" }, "without its symbols named"],
    ["all orders of a symbol it names", { kind: "order.cancel-all", symbol: BTC }, null],
    ["all orders of another symbol", { kind: "order.cancel-all", symbol: SOL }, SOL],
    ["all positions", { kind: "position.close-all", exchange: "EXCHANGE_A" }, "without its symbols named"],
    ["all positions of a side", closeAll({ positionSide: "LONG" }), "without its symbols named"],
    ["positions of symbols it names", closeAll({ symbols: [BTC] }), null],
    ["positions of more symbols than it names", closeAll({ symbols: [BTC, SOL] }), SOL],
  ])("%s: a session reaches no further than its symbols", async (_story, action, refused) => {
    const { desk } = testDesk();
    const allowedActions = ["order.cancel-all", "position.close-all"];
    const started = await desk.startSession(consent({ symbols: [BTC], allowedActions }));
    if (!started.ok) throw new Error(started.error.message);
    const { automationSessionId } = started.value;
    const made = await desk.preview(action, { automationSessionId });
    if (refused === null) expect(made.ok).toBe(true);
    else expect(made).toMatchObject({ error: { kind: "session-scope", message: expect.stringContaining(refused) } });
  });

  test.each<DeskAction>([
    { kind: "order.cancel-all" },
    closeAll({ symbols: [SOL] }),
    { kind: "position.set-leverage", symbol: BTC, leverage: 2 },
  ])("$kind outside the session's actions is an ordinary preview, and its submit is taken", async (action) => {
    const { desk } = testDesk();
    const started = await desk.startSession(consent({ symbols: [BTC] }));
    if (!started.ok) throw new Error(started.error.message);
    const { automationSessionId } = started.value;
    const made = await desk.preview(action, { automationSessionId });
    if (!made.ok) throw new Error(made.error.message);
    expect(made.value.automationSession).toBeNull();
    const { previewId, confirmation } = made.value;
    const token = { previewId, continueConsentId: confirmation.submitToken ?? "" };
    expect(await desk.submit({ ...token, action, automationSessionId })).toMatchObject({ kind: "sent" });
    expect(await desk.session(automationSessionId)).toMatchObject({ value: { usedNotional: dec(0) } });
  });

  test.each<[string, string | null]>([
    ["that nobody knows", "ras_none"],
    ["that was stopped", null],
  ])("a close that names a session %s is an ordinary preview, and so is its submit", async (_story, unknown) => {
    const { desk } = testDesk();
    const started = await desk.startSession(consent({ symbols: [BTC], allowedActions: ["position.close-all"] }));
    if (!started.ok) throw new Error(started.error.message);
    await desk.stopSession(started.value.automationSessionId);
    const automationSessionId = unknown ?? started.value.automationSessionId;
    const action = closeAll({ symbols: [BTC] });
    const made = await desk.preview(action, { automationSessionId });
    if (!made.ok) throw new Error(made.error.message);
    expect(made.value.automationSession).toBeNull();
    expect(made.value.riskNotes.join(" ")).toContain("bound to no session");
    const { previewId, confirmation } = made.value;
    const token = { previewId, continueConsentId: confirmation.submitToken };
    expect(await desk.submit({ ...token, action, automationSessionId })).toMatchObject({ kind: "sent" });
    expect(await desk.preview(place(), { automationSessionId })).toMatchObject({ ok: false });
  });

  test("a stop that names a session which does not list it is previewed without being read", async () => {
    const { desk, venue } = testDesk();
    const started = await desk.startSession(consent());
    if (!started.ok) throw new Error(started.error.message);
    const { automationSessionId } = started.value;
    const action: DeskAction = { kind: "algo.cancel", algoOrderId: "2190000000597001" };
    expect((await desk.preview(action, { automationSessionId })).ok).toBe(true);
    expect(venue.calls).toEqual([]);
  });

  test("a stop that cannot be read is bound to no session, and can be cancelled", async () => {
    const { desk } = testDesk(fakeVenue({ algo: () => Promise.resolve({ kind: "unknown", message: "silence" }) }));
    const started = await desk.startSession(consent({ allowedActions: ["algo.cancel"] }));
    if (!started.ok) throw new Error(started.error.message);
    const { automationSessionId } = started.value;
    const action: DeskAction = { kind: "algo.cancel", algoOrderId: "2190000000597001" };
    expect(await desk.preview(action, { automationSessionId })).toMatchObject({ value: { automationSession: null } });
  });

  test.each<DeskAction>([
    { kind: "algo.cancel", algoOrderId: "2190000000597001" },
    { kind: "algo.replace", algoOrderId: "2190000000597001", change: { triggerPrice: dec("50000") } },
  ])("$kind: a stop on a symbol that a session does not name is none of its business", async (action) => {
    const { desk, venue } = testDesk(
      fakeVenue({ algo: () => Promise.resolve({ kind: "done", value: standingStop({ symbol: SOL }) }) }),
    );
    const allowedActions = ["algo.replace", "algo.cancel"];
    const bind = async (symbols: readonly string[]) => {
      const started = await desk.startSession(consent({ symbols: [...symbols], allowedActions }));
      if (!started.ok) throw new Error(started.error.message);
      return { automationSessionId: started.value.automationSessionId };
    };
    const beyond = await desk.preview(action, await bind([BTC]));
    expect(beyond).toMatchObject({ error: { kind: "session-scope", message: expect.stringContaining(SOL) } });
    expect(await desk.preview(action, { bindOnlyFitting: true })).toMatchObject({ value: { automationSession: null } });
    expect((await desk.preview(action, await bind([BTC, SOL]))).ok).toBe(true);
    venue.calls.length = 0;
    expect((await desk.preview(action)).ok).toBe(true);
    expect(venue.calls).toEqual([]);
  });

  test("without a name: none gives an ordinary preview, one is bound, several are ambiguous", async () => {
    const { desk } = testDesk();
    const alone = { bindOnlyFitting: true };
    expect(await desk.preview(place(), alone)).toMatchObject({ value: { automationSession: null } });
    const only = await desk.startSession(consent());
    if (!only.ok) throw new Error(only.error.message);
    await desk.startSession(consent({ symbols: [SOL] }));
    const { automationSessionId } = only.value;
    expect(await desk.preview(place(), alone)).toMatchObject({ value: { automationSession: { automationSessionId } } });
    await desk.startSession(consent());
    expect(await desk.preview(place(), alone)).toMatchObject({ error: { kind: "session-ambiguous" } });
    expect(await desk.preview(place())).toMatchObject({ value: { automationSession: null } });
  });

  test("consent for one preview must name symbol, ceiling and intent", async () => {
    const { desk } = testDesk(fakeVenue());
    const ask = (automationConsentText: string, automationScope = "single-preview") =>
      desk.preview(place({}, dec("400")), {
        consent: { automationMode: true, automationConsentText, automationScope },
      });
    expect(await ask(`I allow automated trading of ${BTC} up to 400 USDT.`)).toMatchObject({
      value: {
        automation: {
          enabled: true,
          confirmationMode: "automation-preview",
          scope: "single-preview",
          maxNotional: "400",
        },
      },
    });
    for (const text of [
      "",
      `automated ${BTC}`,
      `automated 400`,
      `${BTC} 400`,
      `automated ${BTC} 4000`,
      `automated X${BTC} 400`,
    ]) {
      expect(await ask(text)).toMatchObject({ error: { kind: "consent-text" } });
    }
    expect(await ask(`automated ${BTC} 400`, "forever")).toMatchObject({ error: { kind: "consent-text" } });
  });

  test("a figure in the symbol's name or a part of a larger figure is no ceiling that the owner stated", async () => {
    const { singleConsent } = await import("../../src/desk/single-consent.ts");
    const pepe = "EXCHANGE_A_PERP_1000PEPE_USDT";
    const ask = (automationConsentText: string, maxNotional: string) =>
      singleConsent({ automationMode: true, automationConsentText }, { symbol: pepe, maxNotional }).ok;
    expect(ask(`automated trading of ${pepe}`, "1000")).toBe(false);
    expect(ask(`automated trading of ${pepe}, at most 1000USDT`, "1000")).toBe(true);
    expect(ask(`automated trading of ${pepe} up to 1,400 USDT`, "400")).toBe(false);
    expect(ask(`automated trading of ${pepe} up to 1,400.50 USDT.`, "1400.5")).toBe(true);
    expect(ask(`automated trading up to 400, ${pepe}`, "400")).toBe(true);
    expect(ask(`automated trading of ${pepe} up to 3.400.`, "400")).toBe(false);
  });
});

test.each([
  ["a close with a ceiling", { kind: "position.close", maxNotional: dec("100") }, true],
  ["a close without one", { kind: "position.close", maxNotional: null }, false],
  ["a change of leverage, which has none", { kind: "position.set-leverage" }, false],
] as const)("%s: the notes say what a ceiling is, or nothing of it", async (_what, terms, noted) => {
  const held = async () => ({ kind: "done" as const, value: [position(BTC, "LONG", "0.01", "60000")] });
  const { desk } = testDesk(fakeVenue({ positions: held }));
  const of = { symbol: BTC, leg: "LONG", hedgeMode: true, leverage: 2 } as const;
  const made = await desk.preview({ ...of, ...terms } as DeskAction);
  if (!made.ok) throw new Error(made.error.message);
  const says = made.value.riskNotes.includes("maxNotional is a ceiling, not the size of the order.");
  expect(says).toBe(noted);
});
