/**
 * trade verify-live: places and cancels a small real post-only order, to prove the whole path with the owner's consent.
 * After any failure it cancels the order and checks that nothing remains. Spec: 3 §4.7; records §17.13.
 */
import { z } from "zod";
import type { Decimal } from "../../core/decimal.ts";
import { err, ok } from "../../core/result.ts";
import { codeOf, type Failure, failure, type Status } from "../contract/statuses.ts";
import { caught } from "../contract/thrown.ts";
import { type Answer, type Call, capability } from "../contract/capability.ts";
import type { Service } from "../contract/client.ts";
import * as fields from "./fields.ts";
import { selfCheck } from "./self-check.ts";
import { consentGap, restingOrder, type VerificationInput } from "./verification-order.ts";
import { WRITE_TARGETS } from "./writes/targets.ts";
import { previewWrite } from "./writes/preview.ts";
import { submitWrite } from "./writes/submit.ts";

interface Step {
  readonly name: string;
  readonly status: Status;
  readonly toolOrCommandEvidence: string;
}

type Positions = ReadonlyMap<string, Decimal>;

interface Run {
  readonly call: Call;
  readonly service: Service;
  readonly input: VerificationInput;
  readonly steps: Step[];
  /** The owner's positions from before, which are not leftovers. Empty if they could not be read. */
  held: Positions;
  submitted: boolean;
  cleanup: "NOT_NEEDED" | "CONFIRMED" | "NOT_CONFIRMED";
  previewId?: string;
  lastState?: string;
}

interface Fault {
  readonly stage: string;
  readonly failure: Failure;
}

const CLEANUP_WAITS_MS = [100, 250, 500, 1_000, 2_000];
const COMMAND: Readonly<Record<string, string>> = {
  "self-check": "svc self-check",
  "user-consent": "svc trade verify-live",
  market: "svc market get-symbol-info, svc market get-orderbook",
  preview: "svc order place-preview",
  place: "svc order place",
  query: "svc order query",
  replace: "svc order replace",
  cancel: "svc order cancel",
  "cleanup-check": "svc order open-orders, svc position query",
};

function note(run: Run, name: string, status: Status): void {
  run.steps.push({ name, status, toolOrCommandEvidence: COMMAND[name] ?? "svc trade verify-live" });
  run.call.progress(run.steps.length, Object.keys(COMMAND).length, name);
}

/** Previews and submits one write. Returns the failed stage, or null. */
async function carryOut(
  run: Run,
  id: "order.place" | "order.cancel",
  business: Readonly<Record<string, unknown>>,
): Promise<Fault | null> {
  const target = WRITE_TARGETS[id];
  const name = id === "order.place" ? "place" : "cancel";
  // Its owner's consent is for this order: no session approves it, pays for it, or stands in the way of its cancel.
  const preview = await caught(run.call, () => previewWrite(run.call, target, business, {}));
  if (!preview.ok) return { stage: name === "place" ? "market" : "cancel", failure: preview.error };
  const { previewId, confirmation } = preview.value as { previewId: string; confirmation: { submitToken: string } };
  if (name === "place") {
    run.previewId = previewId;
    note(run, "preview", "PASS");
    run.submitted = true;
    run.cleanup = "NOT_CONFIRMED";
  }
  const consent = { previewId, continueConsentId: confirmation.submitToken };
  const done = await caught(run.call, () => submitWrite(run.call, target, { ...business, ...consent }));
  // Any failure except an unknown outcome proves that no order rests.
  if (!done.ok && name === "place" && done.error.status !== "NOT_VERIFIED") {
    run.submitted = false;
    run.cleanup = "NOT_NEEDED";
  }
  return done.ok ? null : { stage: name, failure: done.error };
}

async function query(run: Run): Promise<Fault | null> {
  const { clientOrderId } = run.input;
  const order = await run.service.venue.order({ clientOrderId });
  if (order.kind !== "done") {
    return {
      stage: "query",
      failure: failure("NOT_VERIFIED", "23001", `the order could not be read back: ${order.message}`),
    };
  }
  run.lastState = order.value.state;
  return null;
}

/** Each position on the symbol with its quantity; null if they could not be read. */
async function positionsHeld({ service, input }: Run): Promise<Positions | null> {
  const found = await service.venue.positions(input.symbol);
  if (found.kind !== "done") return null;
  return new Map(
    found.value.filter(({ symbol, qty }) => symbol === input.symbol && qty.gt(0)).map(({ side, qty }) => [side, qty]),
  );
}

const samePositions = (now: Positions, before: Positions): boolean =>
  now.size === before.size && [...now].every(([positionKey, qty]) => before.get(positionKey)?.eq(qty) ?? false);

/** Whether the order has ended and the symbol's positions are as before it. Checks a few times. */
async function cleanedUp(run: Run): Promise<boolean> {
  const { service, input, call } = run;
  for (const waitMs of CLEANUP_WAITS_MS) {
    await call.client.env.clock.sleep(waitMs);
    const [order, positions] = await Promise.all([
      service.venue.order({ clientOrderId: input.clientOrderId }),
      positionsHeld(run),
    ]);
    if (order.kind === "done") run.lastState = order.value.state;
    const ended = order.kind === "done" && ["CANCELLED", "REJECTED"].includes(order.value.state);
    if (ended && positions !== null && samePositions(positions, run.held)) return true;
  }
  return false;
}

/** Everything between consent and cancel. A fault ends it early; the cleanup follows in any case. */
async function sequence(run: Run): Promise<Fault | null> {
  const checked = await selfCheck(run.call, 0);
  note(run, "self-check", checked.status);
  if (checked.status !== "PASS") {
    return { stage: "self-check", failure: failure("NOT_VERIFIED", "10002", "the self-check did not pass") };
  }
  const order = await restingOrder(run);
  note(run, "market", order.ok ? "PASS" : "FAIL");
  if (!order.ok) return { stage: "market", failure: order.error };
  run.held = (await positionsHeld(run)) ?? run.held;
  const placed = await carryOut(run, "order.place", order.value);
  note(run, "place", placed ? placed.failure.status : "PASS");
  if (placed) return placed;
  const queried = await query(run);
  note(run, "query", queried ? queried.failure.status : "PASS");
  note(run, "replace", "EXPECTED_ERROR");
  return queried;
}

async function cleanup(run: Run): Promise<Fault | null> {
  if (run.cleanup === "NOT_NEEDED") return null;
  const cancelled = await carryOut(run, "order.cancel", { clientOrderId: run.input.clientOrderId });
  note(run, "cancel", cancelled ? cancelled.failure.status : "PASS");
  const clean = await cleanedUp(run);
  run.cleanup = clean ? "CONFIRMED" : "NOT_CONFIRMED";
  note(run, "cleanup-check", clean ? "PASS" : "NOT_VERIFIED");
  if (clean) return null;
  const message = "the order or a position may still exist: check with svc order open-orders and svc position query";
  return cancelled ?? { stage: "cleanup-check", failure: failure("NOT_VERIFIED", "24002", message) };
}

function reportOf(run: Run, fault: Fault | null): Readonly<Record<string, unknown>> {
  return {
    submittedRealOrder: run.submitted,
    status: fault ? fault.failure.status : "PASS",
    cleanupStatus: run.cleanup,
    steps: run.steps,
    ...(run.previewId === undefined ? {} : { previewId: run.previewId }),
    ...(run.lastState === undefined
      ? {}
      : { lastObservedOrderState: run.lastState, expectedOrderStates: ["CANCELLED"] }),
    ...(fault
      ? {
          errorCode: codeOf(fault.failure.digits, run.call.client.face),
          errorMessage: fault.failure.message,
          errorStage: fault.stage,
          recommendedAction:
            run.cleanup === "NOT_CONFIRMED" ? "cancel the order by its client order id and check again" : "none",
        }
      : {}),
  };
}

async function verify(call: Call, input: VerificationInput): Answer {
  const service = call.client.service();
  if (!service.ok) return service;
  const run: Run = {
    call,
    service: service.value,
    input,
    steps: [],
    held: new Map(),
    submitted: false,
    cleanup: "NOT_NEEDED",
  };
  // The records check the consent after the self-check. Here it comes first, because it costs no call; both must pass.
  const gap = consentGap(input);
  note(run, "user-consent", gap ? "BLOCKED" : "PASS");
  const fault = gap
    ? { stage: "user-consent", failure: failure("BLOCKED", "20002", `CONSENT_TEXT: ${gap}`) }
    : await sequence(run);
  const left = gap ? null : await cleanup(run);
  const worst = fault ?? left;
  const report = reportOf(run, worst);
  return worst ? err({ ...worst.failure, data: report }) : ok(report);
}

/** Previews and submits by itself, by the owner's consent; a failure of a step carries the report as data. */
export const verifyLive = capability({
  id: "trading.verify-live",
  command: ["trade", "verify-live"],
  summary: "Place one small real post-only order and cancel it, to prove the whole path.",
  operationType: "TRADE_WRITE",
  riskLevel: "critical-trade-write",
  inputName: "TradingVerificationInput",
  input: z.strictObject({
    symbol: fields.symbol,
    side: fields.side,
    maxNotional: fields.maxNotional,
    clientOrderId: fields.clientOrderId,
    positionSide: fields.positionSide.optional(),
    explicitUserConsent: fields.flag("True only if the account's owner agreed."),
    acceptedRiskText: fields.text("The owner's words: symbol, side, maxNotional, real, and cancel or cleanup."),
  }),
  outputName: "TradingVerificationReport",
  output: z.looseObject({ submittedRealOrder: z.boolean(), status: z.string(), cleanupStatus: z.string() }),
  containsRealOrder: true,
  requiresExplicitHumanConfirmation: true,
  confirmationMode: "internal-preview-and-parameter-bound-consent",
  example: {
    symbol: "EXCHANGE_A_PERP_BTC_USDT",
    side: "BUY",
    positionSide: "LONG",
    maxNotional: "100",
    clientOrderId: "verify-001",
    explicitUserConsent: true,
    acceptedRiskText: "Real BUY LONG of EXCHANGE_A_PERP_BTC_USDT up to 100, then cancel.",
  },
  run: verify,
});
