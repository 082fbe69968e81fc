/** A venue that remembers what it was reported, and a desk on it. */
import { dec, type Decimal, ZERO } from "../../src/core/decimal.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { silentLog } from "../../src/core/log.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import type { Order } from "../../src/domain/order.ts";
import { createDesk, type Desk } from "../../src/desk/desk.ts";
import type { DeskParts } from "../../src/desk/context.ts";
import type { PlaceAction } from "../../src/desk/action.ts";
import { memoryPreviewStore, memorySessionStore } from "../../src/desk/memory-stores.ts";
import type { VenuePort } from "../../src/domain/venue-calls.ts";
import type { AutomationStartInput } from "../../src/desk/session.ts";
import { rejected } from "../../src/protocol/codes.ts";
import { type Approved, reviewOperatorOrder } from "../../src/risk/review.ts";
import type { Draft } from "../../src/risk/view.ts";
import { BTC, draft, NOW_MS, rules, SOL } from "../risk/support.ts";

export interface FakeVenue extends VenuePort {
  /** Every call by name, with its arguments as canonical as they came. */
  readonly calls: { name: string; args: readonly unknown[] }[];
}

const done = <T>(value: T): Promise<Outcome<T>> => Promise.resolve({ kind: "done", value });

/** Answers "done" to everything; a test overrides what it is about. */
export function fakeVenue(overrides: Partial<VenuePort> = {}): FakeVenue {
  const calls: { name: string; args: readonly unknown[] }[] = [];
  const port: VenuePort = {
    account: () => done([]),
    assets: () => done([]),
    symbolRules: () => done([]),
    markPrices: () => done([]),
    fundingRate: (symbol) => done({ symbol, rate: ZERO, nextFundingAtMs: 0 }),
    ranking: () => Promise.resolve({ kind: "rejected", reason: "other", code: "30016", message: "no ranking here" }),
    leverage: () => done([]),
    setLeverage: () => done(undefined),
    setPositionMode: () => done(undefined),
    placeOrder: () => done({ orderId: "2190000000590001" }),
    amendOrder: () => done({ state: "OPEN" }),
    cancelOrder: () => done(undefined),
    cancelAll: () => done(undefined),
    order: () => done(order()),
    openOrders: () => done([]),
    orderHistory: () => done([]),
    executions: () => done([]),
    positions: () => done([]),
    closePosition: () => done({ orderId: null }),
    closeAllPositions: () => done({ notClosed: [] }),
    placeAlgo: () => done({ algoOrderId: "2190000000597001" }),
    amendAlgo: () => done(undefined),
    cancelAlgo: () => done(undefined),
    algo: () => Promise.resolve(rejected("401018", "Order does not exist")),
    openAlgos: () => done([]),
    ...overrides,
  };
  const spied = Object.fromEntries(
    Object.entries(port).map(([name, call]) => [
      name,
      (...args: readonly unknown[]) => {
        calls.push({ name, args });
        return (call as (...given: readonly unknown[]) => unknown)(...args);
      },
    ]),
  );
  return { ...(spied as unknown as VenuePort), calls };
}

export const order = (change: Partial<Order> = {}): Order => ({
  orderId: "2190000000590001",
  clientOrderId: "agent-1",
  symbol: BTC,
  side: "BUY",
  positionSide: "LONG",
  orderType: "LIMIT",
  timeInForce: "GTC",
  qty: dec("0.005"),
  limitPrice: dec("60000"),
  state: "OPEN",
  executedQty: ZERO,
  avgPrice: ZERO,
  fee: ZERO,
  reduceOnly: false,
  reason: "",
  cancelPending: false,
  createdAtMs: NOW_MS,
  updatedAtMs: NOW_MS,
  ...change,
});

export interface Row {
  readonly seq: number;
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly decisionId: string | undefined;
}

export interface TestDesk {
  readonly desk: Desk;
  readonly venue: FakeVenue;
  readonly rows: Row[];
  readonly parts: DeskParts;
  readonly clock: ReturnType<typeof virtualClock>;
}

export function testDesk(venue: FakeVenue = fakeVenue(), change: Partial<DeskParts> = {}): TestDesk {
  const clock = virtualClock(NOW_MS);
  const entropy = seededEntropy(7);
  const rows: Row[] = [];
  const parts: DeskParts = {
    env: { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy) },
    log: silentLog,
    venue,
    sessions: memorySessionStore(),
    previews: memoryPreviewStore(),
    record: ({ kind, body }, decisionId) => void rows.push({ seq: rows.length + 1, kind, body, decisionId }),
    runtime: "test",
    ...change,
  };
  return { desk: createDesk(parts), venue, rows, parts, clock };
}

export const consent = (change: Partial<AutomationStartInput> = {}): AutomationStartInput => ({
  symbols: [BTC, SOL],
  maxNotionalPerOrder: "500",
  maxTotalNotional: "1000",
  explicitUserConsent: true,
  acceptedRiskText: "I allow automated orders within these caps.",
  ...change,
});

/** A draft that has passed a review. */
export function approvedDraft(change: Parameters<typeof draft>[0] = {}): Approved<Draft> {
  const checked = reviewOperatorOrder(draft(change), {
    rules: rules(change.symbol ?? BTC),
    referencePrice: dec("60000"),
    maxNotionalUsdt: dec("100000"),
  });
  if (checked.kind === "denied") throw new Error(checked.verdicts.map((verdict) => verdict.reason).join(" "));
  return checked.draft;
}

export const place = (change: Parameters<typeof draft>[0] = {}, maxNotional: Decimal | null = null): PlaceAction => ({
  kind: "order.place",
  draft: approvedDraft(change),
  contractSize: dec("1"),
  marketPrice: change.orderType === "MARKET" ? dec("60000") : null,
  maxNotional,
});
