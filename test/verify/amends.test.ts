/** Changes of resting orders: honest histories of them pass, and every mistake planted into one is seen. */
import { describe, expect, test } from "vitest";
import { SHORT_ETH } from "./base.ts";
import * as move from "./moves.ts";
import {
  type Body,
  BTC,
  type Entry,
  ETH,
  findingsOf,
  frame,
  hashOfParams,
  history,
  newStory,
  pass,
  row,
  type Story,
} from "./story.ts";

interface Amended {
  readonly story: Story;
  readonly placed: move.Placed;
  readonly verdict: Entry;
  readonly promise: Entry;
  readonly out: Entry;
  readonly end: Entry;
  readonly frame: Body;
}

const CHANGED: move.Wanted = { ...SHORT_ETH, price: "3003", qty: "0.12" };

/** A resting ETH entry is changed to another price and size, withdrawn, and ends. */
function amendedRun(change: { readonly how?: string; readonly also?: Body; readonly reserve?: string } = {}): Amended {
  const story = newStory();
  move.account(story);
  move.runStarts(story, "b1");
  move.beat(story);
  move.session(story);
  for (const symbol of [BTC, ETH]) move.symbol(story, symbol);
  move.setLeverage(story, ETH);
  move.live(story, 20_000);
  const placed = move.place(story, SHORT_ETH);
  move.order(story, placed, "OPEN", "0");
  pass(story, 8_000);
  const { id, orderId, decisionId } = placed;
  const verdict = row(story, "verdict", { clientOrderId: id, symbol: ETH, kind: "approved", verdicts: [] }, decisionId);
  const { price, qty } = CHANGED;
  const common = { intentId: "a-1", clientOrderId: id };
  const promised = { ...common, event: "amend", orderId, decisionId, symbol: ETH, price, qty };
  const promise = row(story, "intent", { ...promised, before: { price: "3005", qty: "0.1" } }, decisionId);
  const params = { orderId, price, quantity: qty };
  const seen = { ...move.seen(story, CHANGED), counted: [id], amends: id, intentId: "a-1" };
  const out = move.write(story, "order.replace", params, {
    decisionId,
    sessionId: "ras_1",
    seen,
    reserve: change.reserve ?? "360.36",
  });
  pass(story, 20);
  frame(story, "PUT /api/v1/trading/order", { orderId, replacePrice: price, replaceQty: qty });
  const sent = story.wire.at(-1) ?? {};
  pass(story, 10);
  const changed = { ...placed, wanted: CHANGED };
  move.order(story, changed, "OPEN", "0");
  pass(story, 30);
  move.answer(story, "done", { state: "OPEN" });
  const reported = { ...common, event: "amend-end", how: change.how ?? "amended", orderId, state: "OPEN", qty, price };
  const end = row(story, "intent", { ...reported, ...change.also }, decisionId);
  move.live(story, 20_000);
  move.askCancel(story, changed);
  pass(story, 900);
  move.cancelled(story, changed);
  move.live(story, 20_000);
  row(story, "stop", { reason: "stopped by SIGTERM" });
  return { story, placed: changed, verdict, promise, out, end, frame: sent };
}

const seenBy = ({ story }: Amended): readonly string[] => [...findingsOf(history(story)).keys()];
const reworded = (out: Entry, change: Body): void => {
  const params = { ...(out.body["params"] as Body), ...change };
  Object.assign(out.body, { params, paramsHash: hashOfParams(params) });
};
const drop = (story: Story, entry: Entry): void => void story.entries.splice(story.entries.indexOf(entry), 1);

test("an entry that is changed and withdrawn is honest", () => {
  expect(findingsOf(history(amendedRun().story))).toEqual(new Map());
});

test("a change that fills whole is no overfill, because it was promised", () => {
  const run = amendedRun();
  expect(seenBy(run)).toEqual([]);
  const filled = amendedRun();
  const facts = filled.story.venue.filter((fact) => fact["fact"] === "order" && fact["orderState"] === "CANCELLED");
  for (const fact of facts) Object.assign(fact, { orderState: "FILLED", executedQty: "0.12" });
  expect(findingsOf(history(filled.story)).get("I2") ?? []).toEqual([]);
  for (const fact of facts) Object.assign(fact, { executedQty: "0.13" });
  expect([...findingsOf(history(filled.story)).keys()]).toContain("I2");
});

describe("a mistake about a change is seen", () => {
  const plants: readonly (readonly [invariant: string, what: string, made: () => Amended])[] = [
    ["I1", "no promise", () => edited(({ story, promise }) => drop(story, promise))],
    ["I1", "a verdict that denied", () => edited(({ verdict }) => void (verdict.body["kind"] = "denied"))],
    ["I1", "a promise of another size", () => edited(({ promise }) => void (promise.body["qty"] = "0.11"))],
    ["I1", "a promise of another order", () => edited(({ promise }) => void (promise.body["orderId"] = "1"))],
    ["I1", "no row", () => edited(({ story, out }) => drop(story, out))],
    ["I1", "another price at the venue", () => edited((run) => void (paramsOf(run)["replacePrice"] = "3001"))],
    ["I1", "no session", () => edited(({ out }) => void (out.body["automationSessionId"] = null))],
    ["I1", "the same promise sent twice", () => edited(twice)],
    ["I4", "an end without evidence", () => amendedRun({ how: "hoped" })],
    ["I4", "an end that the order belies", () => amendedRun({ also: { qty: "0.1" } })],
    ["I4", "an ended order that has not ended", () => amendedRun({ how: "order-ended" })],
    ["I4", "a refusal that says nothing", () => amendedRun({ how: "refused", also: { code: "500" } })],
    ["I4", "not sent, and yet answered", () => amendedRun({ how: "not-sent" })],
    ["I4", "absent after one look", () => amendedRun({ how: "absent", also: { reads: 1, spreadMs: 90_000 } })],
    ["I4", "absent after two seconds", () => amendedRun({ how: "absent", also: { reads: 9, spreadMs: 2_000 } })],
    ["I10", "two in five seconds", () => edited(twice)],
    ["I11", "a raised value that was not reserved", () => amendedRun({ reserve: "300" })],
    ["I11", "a value above the cap", () => edited((run) => resized(run, "0.3"))],
    ["I12", "no leverage read", () => edited(({ out }) => void delete (out.body["seen"] as Body)["leverage"])],
    ["I15", "an old book", () => edited(({ out }) => void ((out.body["seen"] as Body)["bookAgeMs"] = 9_000))],
    ["I16", "after a halt", () => edited(halted)],
    ["I18", "a price between two ticks", () => edited((run) => repriced(run, "3003.0000001"))],
  ];
  test.each(plants)("%s: %s", (invariant, _what, made) => {
    expect(seenBy(made())).toContain(invariant);
  });
});

function edited(edit: (run: Amended) => void): Amended {
  const run = amendedRun();
  edit(run);
  return run;
}

const paramsOf = ({ frame: sent }: Amended): Body => sent["params"] as Body;

function twice({ story, out, frame: sent }: Amended): void {
  const at = story.entries.indexOf(out);
  story.entries.splice(at + 1, 0, { ...out, body: { ...out.body } });
  story.wire.splice(story.wire.indexOf(sent) + 1, 0, { ...sent, atMs: Number(sent["atMs"]) + 1 });
}

function resized(run: Amended, qty: string): void {
  run.promise.body["qty"] = qty;
  run.end.body["qty"] = qty;
  paramsOf(run)["replaceQty"] = qty;
  everywhere(run, { quantity: qty });
}

function repriced(run: Amended, price: string): void {
  run.promise.body["price"] = price;
  run.end.body["price"] = price;
  paramsOf(run)["replacePrice"] = price;
  everywhere(run, { price });
}

function everywhere({ story, out }: Amended, change: Body): void {
  const preview = story.entries.find(
    ({ kind, body }) => kind === "preview" && body["previewId"] === out.body["previewId"],
  );
  for (const entry of preview ? [preview, out] : [out]) reworded(entry, change);
}

function halted({ story, verdict }: Amended): void {
  const halt = { ...verdict, kind: "operator", decisionId: null, atMs: verdict.atMs - 5_000 };
  const body = { command: "halt", from: "NORMAL", to: "HALT" };
  const at = story.entries.findIndex((entry) => entry.atMs > halt.atMs);
  story.entries.splice(at, 0, { ...halt, body, monoMs: halt.monoMs - 5_000 });
}
