import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import type { DeskAction } from "../../src/desk/action.ts";
import type { Desk } from "../../src/desk/desk.ts";
import type { PlaceAlgoOrder } from "../../src/domain/algo-order.ts";
import type { VenuePort } from "../../src/domain/venue-calls.ts";
import { restoredSessions } from "../../src/desk/sessions.ts";
import type { SubmitInput } from "../../src/desk/submit.ts";
import { rejected } from "../../src/protocol/codes.ts";
import { BTC } from "../risk/support.ts";
import { testDesk, consent, fakeVenue, order, place } from "./support.ts";

async function started(desk: Desk, change: Parameters<typeof consent>[0] = {}): Promise<string> {
  const session = await desk.startSession(consent(change));
  if (!session.ok) throw new Error(session.error.message);
  return session.value.automationSessionId;
}

async function previewed<A extends DeskAction>(
  desk: Desk,
  action: A,
  automationSessionId?: string,
): Promise<SubmitInput<A>> {
  const made = await desk.preview(action, automationSessionId === undefined ? {} : { automationSessionId });
  if (!made.ok) throw new Error(made.error.message);
  return { previewId: made.value.previewId, continueConsentId: made.value.confirmation.submitToken, action };
}

const usedIn = async (desk: Desk, id: string): Promise<string> => {
  const session = await desk.session(id);
  return session.ok ? session.value.usedNotional.toFixed() : session.error.kind;
};

const placements = (venue: { calls: { name: string }[] }): number =>
  venue.calls.filter((call) => call.name === "placeOrder").length;

describe("preview, then submit", () => {
  test("a placement goes out once, under its session, with its rows in order", async () => {
    const { desk, venue, rows } = testDesk();
    const id = await started(desk);
    const action = place();
    const made = await desk.preview(action, { automationSessionId: id, decisionId: "d-1" });
    if (!made.ok) throw new Error(made.error.message);
    expect(made.value).toMatchObject({
      capabilityId: "order.place-preview",
      status: "PASS",
      businessParams: { price: "60000", quantity: "0.005", clientOrderId: "agent-1", positionSide: "LONG" },
      requestSummary: { action: "place_order", estimatedNotional: "300" },
      confirmation: { requiredFields: ["previewId", "continueConsentId"] },
      automationSession: { automationSessionId: id, confirmationMode: "automation-session" },
    });
    expect(placements(venue)).toBe(0);
    const { previewId, confirmation } = made.value;
    const sent = await desk.submit({ previewId, continueConsentId: confirmation.submitToken, action });
    expect(sent).toMatchObject({ kind: "sent", outcome: { kind: "done", value: { orderId: "2190000000590001" } } });
    expect(venue.calls).toEqual([{ name: "placeOrder", args: [action.draft.order] }]);
    expect(rows.map((row) => [row.kind, row.decisionId])).toEqual([
      ["session", undefined],
      ["preview", "d-1"],
      ["session", "d-1"],
      ["wire-out", "d-1"],
      ["wire-in", "d-1"],
    ]);
    expect(rows[3]?.body["paramsHash"]).toBe(made.value.paramsHash);
    expect(await usedIn(desk, id)).toBe("300");
  });

  test.each<[string, (input: SubmitInput<DeskAction>) => SubmitInput<DeskAction>, string]>([
    ["no preview", (input) => ({ ...input, previewId: "" }), "preview-missing"],
    ["an unknown preview", (input) => ({ ...input, previewId: "rpv_none" }), "preview-missing"],
    ["no token", (input) => ({ ...input, continueConsentId: "" }), "token-missing"],
    ["another token", (input) => ({ ...input, continueConsentId: "confirm_x" }), "token-wrong"],
    ["another quantity", (input) => ({ ...input, action: place({ qty: "0.006" }) }), "preview-mismatch"],
    [
      "another action",
      (input) => ({ ...input, action: { kind: "algo.cancel", algoOrderId: "1" } }),
      "preview-mismatch",
    ],
    ["another session", (input) => ({ ...input, automationSessionId: "ras_x" }), "preview-mismatch"],
    ["a recheck that objects", (input) => ({ ...input, recheck: () => "the mark moved" }), "rechecked"],
    [
      "a caller's row that fails",
      (input) => ({
        ...input,
        beforeWire: () => {
          throw new Error("disk full");
        },
      }),
      "not-recorded",
    ],
  ])("%s: nothing leaves and nothing is counted", async (_name, spoil, kind) => {
    const { desk, venue } = testDesk();
    const id = await started(desk);
    const input = await previewed(desk, place(), id);
    const result = await desk.submit(spoil(input));
    expect(result).toMatchObject({ kind: "blocked", refusal: { kind } });
    expect(placements(venue)).toBe(0);
    expect(await usedIn(desk, id)).toBe("0");
  });

  test("the line of an order that was dropped says which", async () => {
    const lines: string[] = [];
    const { desk } = testDesk(fakeVenue(), { log: { event: (_level, evt, msg) => void lines.push(`${evt} ${msg}`) } });
    await desk.submit({ ...(await previewed(desk, place())), recheck: () => "the mark moved" });
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^order\\.dropped place .*${BTC}.*: the mark moved$`)),
    );
  });

  test("a failed check leaves the preview usable, a submit uses it up", async () => {
    const { desk, venue } = testDesk();
    const input = await previewed(desk, place());
    expect((await desk.submit({ ...input, continueConsentId: "wrong" })).kind).toBe("blocked");
    expect((await desk.submit(input)).kind).toBe("sent");
    expect(await desk.submit(input)).toMatchObject({ refusal: { kind: "preview-used" } });
    expect(placements(venue)).toBe(1);
  });

  test("a preview expires after five minutes", async () => {
    const { desk, clock } = testDesk();
    const first = await previewed(desk, place());
    clock.advanceSync(299_999);
    const second = await previewed(desk, place({ clientOrderId: "agent-2" }));
    expect((await desk.submit(first)).kind).toBe("sent");
    clock.advanceSync(300_000);
    expect(await desk.submit(second)).toMatchObject({ refusal: { kind: "preview-expired" } });
  });

  test("time that passes while the row is written counts: an expired preview does not leave", async () => {
    const { desk, venue, clock } = testDesk();
    const input = await previewed(desk, place());
    const result = await desk.submit({ ...input, beforeWire: () => clock.advanceSync(300_000) });
    expect(result).toMatchObject({ refusal: { kind: "preview-expired" } });
    expect(placements(venue)).toBe(0);
  });

  test("a preview belongs to the runtime that made it", async () => {
    const { desk, parts } = testDesk();
    const input = await previewed(desk, place());
    const other = testDesk(fakeVenue(), { previews: parts.previews, runtime: "other" });
    expect(await other.desk.submit(input)).toMatchObject({ refusal: { kind: "other-runtime" } });
  });

  test("a client order id is sent once in a desk's life, and never after the journal knows it", async () => {
    const { desk, venue } = testDesk();
    const [first, second] = [await previewed(desk, place()), await previewed(desk, place())];
    const results = await Promise.all([desk.submit(first), desk.submit(second)]);
    expect(results.map((result) => result.kind).sort()).toEqual(["blocked", "sent"]);
    expect(placements(venue)).toBe(1);
    const later = testDesk(fakeVenue(), { wasSent: (id) => id === "agent-1" });
    const again = await later.desk.submit(await previewed(later.desk, place()));
    expect(again).toMatchObject({ refusal: { kind: "duplicate-client-order-id" } });
  });

  test.each([
    ["the service refused", rejected("401023", "no"), "sent"],
    ["the service has already", rejected("406010", "duplicate"), "blocked"],
    ["no service refused", rejected("http-404", "no"), "blocked"],
    ["got no reply", { kind: "unknown", message: "timeout" } as const, "blocked"],
  ])("an order that %s: whether its id may go again with a caller that keeps the ids", async (_what, reply, then) => {
    const wasSent = () => false;
    const { desk, venue } = testDesk(fakeVenue({ placeOrder: async () => reply }), { wasSent });
    await desk.submit(await previewed(desk, place()));
    const again = await desk.submit(await previewed(desk, place()));
    expect([again.kind, placements(venue)]).toEqual([then, then === "sent" ? 2 : 1]);
  });

  test.each(["unknown", "done", "rejected"] as const)(
    "a stop whose reply was %s: only an unknown one comes again",
    async (kind) => {
      let calls = 0;
      const { desk } = testDesk(
        fakeVenue({
          placeAlgo: async () => {
            calls += 1;
            if (kind === "done") return { kind, value: { algoOrderId: "2190000000597001" } };
            return kind === "rejected" ? rejected("50001", "no") : { kind, message: "timeout" };
          },
        }),
      );
      const order: PlaceAlgoOrder = {
        ...{ symbol: BTC, condition: "CONDITIONAL", side: "SELL", positionSide: "LONG", qty: dec("0.01") },
        ...{ reduceOnly: true, triggerPrice: dec("58200"), triggerType: "MARK_PRICE", takeProfitPrice: null },
        ...{ stopLossPrice: null, clientOrderId: "p-boot-1" },
      };
      const ask = async (triggerPrice: string) => {
        const action = {
          kind: "algo.place",
          order: { ...order, triggerPrice: dec(triggerPrice) },
          maxNotional: null,
        } as const;
        return desk.submit(await previewed(desk, action));
      };
      await ask("58200");
      const again = await ask("58300");
      expect([again.kind, calls]).toEqual(kind === "unknown" ? ["sent", 2] : ["blocked", 1]);
    },
  );

  test("a copy of an approved draft is not approved", async () => {
    const { desk } = testDesk();
    const action = place();
    const forged = { ...action, draft: { ...action.draft, order: { ...action.draft.order, qty: dec("5") } } };
    expect(await desk.preview(forged)).toMatchObject({ error: { kind: "not-reviewed" } });
    const input = await previewed(desk, action);
    expect(await desk.submit({ ...input, action: { ...action, draft: { ...action.draft } } })).toMatchObject({
      refusal: { kind: "not-reviewed" },
    });
  });

  test("without a row nothing goes on the wire", async () => {
    let full = false;
    const { desk, venue } = testDesk(fakeVenue(), {
      record: ({ kind }) => {
        if (full && kind === "wire-out") throw new Error("no space left on device");
      },
    });
    const id = await started(desk);
    const input = await previewed(desk, place(), id);
    full = true;
    expect(await desk.submit(input)).toMatchObject({ kind: "blocked", refusal: { kind: "not-recorded" } });
    expect(placements(venue)).toBe(0);
    expect(await usedIn(desk, id)).toBe("0");
  });
});

describe("what is looked up before a preview", () => {
  test("a cancel needs an order that exists and is open", async () => {
    const cancel = { kind: "order.cancel", key: { orderId: "2190000000590001" }, known: null } as const;
    const filled = testDesk(fakeVenue({ order: async () => ({ kind: "done", value: order({ state: "FILLED" }) }) }));
    expect(await filled.desk.preview(cancel)).toMatchObject({ error: { kind: "order-not-open" } });
    const gone = testDesk(fakeVenue({ order: async () => rejected("401018", "") }));
    expect(await gone.desk.preview(cancel)).toMatchObject({ error: { kind: "order-not-found" } });
    const nowhere = testDesk(fakeVenue({ order: async () => rejected("http-404", "") }));
    expect(await nowhere.desk.preview(cancel)).toMatchObject({ error: { kind: "order-not-found" } });
    const down = testDesk(fakeVenue({ order: async () => ({ kind: "unknown", message: "timeout" }) }));
    expect(await down.desk.preview(cancel)).toMatchObject({ error: { kind: "unreadable" } });
    const open = testDesk();
    expect(await open.desk.preview(cancel)).toMatchObject({ ok: true, value: { orderReadback: { state: "OPEN" } } });
  });

  test("an order the caller has just read is not read again", async () => {
    const { desk, venue } = testDesk();
    await desk.preview({ kind: "order.cancel", key: { clientOrderId: "agent-1" }, known: order() });
    expect(venue.calls).toEqual([]);
  });

  test("a close needs a position", async () => {
    const { desk } = testDesk();
    const close = { kind: "position.close", symbol: order().symbol, leg: "LONG", hedgeMode: true } as const;
    expect(await desk.preview({ ...close, maxNotional: null, known: null })).toMatchObject({
      error: { kind: "no-position" },
    });
  });

  test("a stated ceiling below the value blocks, and is what a session counts", async () => {
    const { desk } = testDesk();
    const id = await started(desk);
    expect(await desk.preview(place({}, dec("299")))).toMatchObject({ error: { kind: "above-max-notional" } });
    await desk.submit(await previewed(desk, place({}, dec("450")), id));
    expect(await usedIn(desk, id)).toBe("450");
  });

  test("a replace counts the value of the new order", async () => {
    const { desk } = testDesk();
    const id = await started(desk);
    const action = {
      kind: "order.replace",
      key: { orderId: "2190000000590001" },
      price: dec("50000"),
      qty: null,
    } as const;
    await desk.submit(await previewed(desk, { ...action, contractSize: dec("1"), known: null }, id));
    expect(await usedIn(desk, id)).toBe("250");
  });
});

test("two changes of one order, each within the cap by the preview, do not add up to one beyond it", async () => {
  let known = order();
  const amendOrder: VenuePort["amendOrder"] = async (_, { price, qty }) => {
    known = { ...known, ...(price && { limitPrice: price }), ...(qty && { qty }) };
    return { kind: "done", value: { state: "OPEN" } };
  };
  const { desk, venue } = testDesk(fakeVenue({ amendOrder, order: async () => ({ kind: "done", value: known }) }));
  const id = await started(desk);
  const { orderId } = known;
  const shared = { kind: "order.replace", key: { orderId }, contractSize: dec("1"), known: null } as const;
  const larger = await previewed(desk, { ...shared, price: null, qty: dec("0.008") }, id);
  const dearer = await previewed(desk, { ...shared, price: dec("90000"), qty: null }, id);
  expect(await desk.submit(larger)).toMatchObject({ kind: "sent" });
  expect(await desk.submit(dearer)).toMatchObject({ kind: "blocked", refusal: { kind: "preview-mismatch" } });
  expect(venue.calls.filter(({ name }) => name === "amendOrder")).toHaveLength(1);
  expect(await usedIn(desk, id)).toBe("480");
});

describe("the session's count", () => {
  const outcomes: [Outcome<{ orderId: string }>, string][] = [
    [{ kind: "done", value: { orderId: "1" } }, "300"],
    [{ kind: "unknown", message: "timeout" }, "300"],
    [rejected("401023", "margin"), "0"],
    [{ kind: "rate-limited", retryAtMs: 0, message: "slow down" }, "0"],
    [{ kind: "not-sent", message: "offline" }, "0"],
  ];
  test.each(outcomes)("after %j it has used %s", async (outcome, used) => {
    const { desk, rows } = testDesk(fakeVenue({ placeOrder: async () => outcome }));
    const id = await started(desk);
    const sent = await desk.submit(await previewed(desk, place(), id));
    expect(sent).toMatchObject({ kind: "sent", outcome });
    expect(await usedIn(desk, id)).toBe(used);
    const restored = restoredSessions(rows.filter((row) => row.kind === "session"));
    expect(restored.map((session) => session.usedNotional.toFixed())).toEqual([used]);
  });

  test("a client that throws against its promise leaves the fate unknown and the use counted", async () => {
    const { desk } = testDesk(fakeVenue({ placeOrder: () => Promise.reject(new Error("socket")) }));
    const id = await started(desk);
    expect(await desk.submit(await previewed(desk, place(), id))).toMatchObject({ outcome: { kind: "unknown" } });
    expect(await usedIn(desk, id)).toBe("300");
  });

  test("a crash between the charge and the wire leaves the use counted", async () => {
    const { desk, rows } = testDesk(fakeVenue({ placeOrder: () => new Promise(() => undefined) }));
    const id = await started(desk);
    void desk.submit(await previewed(desk, place(), id));
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    const written = rows.filter((row) => row.kind === "session");
    expect(restoredSessions(written)).toMatchObject([{ automationSessionId: id, status: "ACTIVE" }]);
    expect(restoredSessions(written)[0]?.usedNotional.toFixed()).toBe("300");
  });

  test("reducing orders of the daemon use nothing", async () => {
    const { desk } = testDesk();
    const id = await started(desk);
    await desk.submit(await previewed(desk, place({ side: "SELL", limitPrice: "60000" }), id));
    expect(await usedIn(desk, id)).toBe("0");
  });

  test("caps hold when fifty submits run at once in any order, with any outcomes", async () => {
    const kinds = ["done", "unknown", "rejected", "not-sent"] as const;
    const plan = fc.array(
      fc.record({
        lots: fc.integer({ min: 1, max: 9 }),
        outcome: fc.constantFrom(...kinds),
        waits: fc.nat({ max: 6 }),
      }),
      { minLength: 50, maxLength: 50 },
    );
    await fc.assert(
      fc.asyncProperty(plan, async (orders) => {
        let index = 0;
        let atRisk = dec(0);
        let worst = dec(0);
        const venue = fakeVenue({
          placeOrder: async ({ qty, limitPrice, clientOrderId }) => {
            const { outcome, waits } = orders[Number(clientOrderId.slice(1))] ?? { outcome: "done", waits: 0 };
            const value = qty.mul(limitPrice ?? 0);
            atRisk = atRisk.add(value);
            if (atRisk.gt(worst)) worst = atRisk;
            for (let turn = 0; turn < waits; turn++) await Promise.resolve();
            if (outcome === "rejected" || outcome === "not-sent") atRisk = atRisk.sub(value);
            if (outcome === "done") return { kind: "done", value: { orderId: String(index++) } };
            return outcome === "rejected" ? rejected("1", "") : { kind: outcome, message: "" };
          },
        });
        const { desk } = testDesk(venue);
        const id = await started(desk, { maxTotalNotional: "3000" });
        const inputs: SubmitInput<DeskAction>[] = [];
        for (const [n, { lots }] of orders.entries()) {
          inputs.push(
            await previewed(desk, place({ qty: `0.00${lots}`, limitPrice: "50000", clientOrderId: `c${n}` }), id),
          );
        }
        await Promise.all(
          inputs.map(async (input, n) => {
            for (let turn = 0; turn < (orders[n]?.waits ?? 0); turn++) await Promise.resolve();
            return desk.submit(input);
          }),
        );
        expect(worst.lte(3000)).toBe(true);
        expect(await usedIn(desk, id)).toBe(atRisk.toFixed());
      }),
      { numRuns: 25 },
    );
  });
});
