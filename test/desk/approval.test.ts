import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { denied, unreviewed, wrongUnits } from "./approval.types.ts";
import { draft, view } from "../risk/support.ts";
import { approvedDraft, testDesk, consent, fakeVenue, order } from "./support.ts";

test("what the compiler refuses the desk refuses too, should somebody get around the compiler", async () => {
  const { desk, venue } = testDesk();
  unreviewed(desk, draft());
  denied(desk, draft(), view({ session: null }));
  const forged = { kind: "order.place", draft: draft(), contractSize: dec("1"), marketPrice: null, maxNotional: null };
  expect(await desk.preview(forged as Parameters<typeof desk.preview>[0])).toMatchObject({
    ok: false,
    error: { kind: "not-reviewed" },
  });
  expect(wrongUnits(approvedDraft()).kind).toBe("order.place");
  expect(venue.calls).toEqual([]);
});

test("a change of an order by the agent needs the draft of it that a review approved, to the digit", async () => {
  const asked: string[] = [];
  const wireFacts = (symbol: string) => {
    asked.push(symbol);
    return null;
  };
  const { desk, venue } = testDesk(fakeVenue(), { wireFacts });
  const session = await desk.startSession(consent());
  if (!session.ok) throw new Error(session.error.message);
  const { automationSessionId } = session.value;
  const draft = approvedDraft();
  const { limitPrice: price, qty } = draft.order;
  const known = order();
  const shared = { kind: "order.replace", key: { orderId: known.orderId }, contractSize: dec("1"), known } as const;
  const changes = [
    { ...shared, price, qty },
    { ...shared, price, qty, draft: { ...draft } as typeof draft },
    { ...shared, price, qty: qty.div(5), draft },
    { ...shared, price: price?.add(1) ?? null, qty, draft },
    { ...shared, price: null, qty, draft },
  ];
  for (const action of changes) {
    const preview = await desk.preview(action, { automationSessionId });
    if (!preview.ok) throw new Error(preview.error.message);
    const { previewId, confirmation } = preview.value;
    const sent = await desk.submit({ previewId, continueConsentId: confirmation.submitToken, action });
    expect(sent).toMatchObject({ kind: "blocked", refusal: { kind: "not-reviewed" } });
  }
  expect(venue.calls).toEqual([]);
  const action = { ...shared, price, qty, draft };
  const preview = await desk.preview(action, { automationSessionId });
  if (!preview.ok) throw new Error(preview.error.message);
  const { previewId, confirmation } = preview.value;
  const sent = await desk.submit({ previewId, continueConsentId: confirmation.submitToken, action });
  // Reviewed, and held at the wire all the same: nothing is known of the account.
  expect(sent).toMatchObject({ kind: "blocked", refusal: { kind: "wire-limits" } });
  expect(asked).toContain(known.symbol);
});
