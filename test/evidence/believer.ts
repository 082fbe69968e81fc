/** What an agent believes of its account, run after run: its state and its journal, without ticks, decisions or a venue. */
import type { AgentEvent } from "../../src/agent/contract/events.ts";
import { type Effect, Outbox } from "../../src/agent/contract/effects.ts";
import { closeHeld } from "../../src/agent/protect/close-held.ts";
import { react } from "../../src/agent/shell/reactions.ts";
import { createState } from "../../src/agent/state/create-state.ts";
import type { AgentState } from "../../src/agent/state/state.ts";
import { createContext } from "../../src/context/context.ts";
import { type Decimal, dec, maxDecimal, ONE, ZERO } from "../../src/core/decimal.ts";
import { remainingQty } from "../../src/domain/order.ts";
import type { PositionMode } from "../../src/domain/position.ts";
import { REST_RATES } from "../../src/protocol/rest-rates.ts";
import { restore } from "../../src/restore/restore.ts";
import { intentRow } from "../../src/rows/intent.ts";
import type { RowBody, RowKind } from "../../src/rows/row.ts";
import { wireOutRow } from "../../src/rows/wire-out.ts";
import { memoryJournal } from "../support/memory-journal.ts";
import { wireOf } from "../support/wire-of.ts";
import { BTC, holding, settingsOf } from "../support/agent-fixtures.ts";
import { wholeRow } from "../support/rows.ts";
import { keyOf, type Side } from "./account.ts";

type DistributiveOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;
export type Untimed = DistributiveOmit<AgentEvent, "atMs">;

const SETTINGS = settingsOf();
/** Nothing that happens to an account changes it. */
const CONTEXT = createContext({ universe: SETTINGS.universe });

export class Believer {
  readonly #journal = memoryJournal();
  readonly #mode: PositionMode;
  #state: AgentState;
  #lives = 0;
  #writes = 0;

  /** In one-way mode its orders name no side. */
  constructor(mode: PositionMode, atMs: number) {
    this.#mode = mode;
    this.#state = this.#begin(atMs);
    const boot = wholeRow("boot", {});
    this.#record(boot.kind, boot.body, null, atMs);
  }

  /** The process dies, and another one starts from its journal. */
  restart(atMs: number): void {
    this.#state = this.#begin(atMs);
    this.hear({ kind: "stream", stream: "user", up: true, reason: "test" }, atMs);
  }
  /** Returns what it asks for. */
  hear(event: Untimed, atMs: number): readonly Effect[] {
    return this.#does(atMs, (out) => react(this.#state, { ...event, atMs } as AgentEvent, { nowMs: atMs, out }));
  }
  /** An opening is promised and sent. Returns its client order id. */
  promise(side: Side, qty: Decimal, atMs: number): string {
    this.#state.count += 1;
    const clientOrderId = `i-${this.#state.runId}-${this.#state.count.toString(36)}`;
    const order = {
      ...{
        symbol: BTC,
        side: side === "LONG" ? ("BUY" as const) : ("SELL" as const),
        positionSide: this.#mode === "NET" ? ("NONE" as const) : side,
        qty,
      },
      ...{ orderType: "LIMIT" as const, limitPrice: dec("60000"), timeInForce: "GTC" as const },
      ...{ reduceOnly: false, clientOrderId },
    };
    const stopPrice = dec(side === "LONG" ? "58000" : "62000");
    const decisionId = `d-${clientOrderId}`;
    const intent = { clientOrderId, decisionId, opening: true, draft: { order, stopPrice, targetPrice: null } };
    this.#does(atMs, (out) => {
      this.#state.orders.promise(intent, atMs);
      const names = { intentId: clientOrderId, clientOrderId, decisionId, symbol: BTC, leg: side };
      const rest = { order, stopPrice, targetPrice: null, notional: qty.mul(60_000), evidence: [] };
      out.record(
        intentRow({ event: "open", opening: true, ...names, ...rest, strategy: "test", reason: "test" }),
        decisionId,
      );
      out.ask({ kind: "place", intent: intent as never, contractSize: ONE });
    });
    return clientOrderId;
  }
  /** A close is sent, where it believes that something is held and no close is under way. */
  close(side: Side, atMs: number): boolean {
    const held = this.#state.positions.get(keyOf(side));
    if (!held) return false;
    const effects = this.#does(atMs, (out) => closeHeld(this.#state, held, { nowMs: atMs, out, why: "test" }));
    return effects.some(({ kind }) => kind === "close");
  }

  /** What counts as held. */
  held(side: Side): Decimal {
    return this.#state.positions.get(keyOf(side))?.position.qty ?? ZERO;
  }
  /** The most that may be held: what is held or only missing, and what own openings may have filled or still fill. */
  most(side: Side): Decimal {
    const { positions, orders } = this.#state;
    const missing = positions.missingOnes().filter((each) => each.side === side);
    const live = orders.live().filter(({ ours, opening, leg }) => ours && opening && leg === side);
    const ended = orders.unsettled().filter(({ fate, ours, leg }) => fate === "ended" && ours && leg === side);
    const parts = [
      this.held(side),
      ...missing.map(({ qty }) => maxDecimal(ZERO, qty)),
      ...live.map(({ order, settledQty }) => remainingQty(order).add(order.executedQty.sub(settledQty))),
      ...ended.map(({ order, settledQty }) => order.executedQty.sub(settledQty)),
    ];
    return parts.reduce((sum, part) => sum.add(part), ZERO);
  }
  live(): readonly string[] {
    return this.#state.orders.live().map(({ clientOrderId }) => clientOrderId);
  }
  knows(transactionId: string): boolean {
    return this.#state.fills.seen.has(transactionId);
  }
  /** For a report: everything that is held, and the orders that are not over. */
  describe(): string {
    const held = this.#state.positions
      .all()
      .map(({ key, position, takenQty }) => `${key.slice(-5)} ${position.qty.toFixed()} -${takenQty.toFixed()}`);
    const orders = this.#state.orders
      .live()
      .map(({ clientOrderId, fate, order }) => `${clientOrderId} ${fate} ${order.executedQty.toFixed()}`);
    return `${held.join(", ") || "flat"}; ${orders.join(", ") || "no orders"}`;
  }

  #begin(atMs: number): AgentState {
    this.#lives += 1;
    const strategies = { chosen: holding(), fallback: holding() };
    const restored = restore(this.#journal.reader, atMs);
    const runId = `t${this.#lives}`;
    return createState({ runId, context: CONTEXT, settings: SETTINGS, rates: REST_RATES, strategies, restored, atMs });
  }
  #does(atMs: number, work: (out: Outbox) => void): readonly Effect[] {
    const out = new Outbox();
    work(out);
    for (const effect of out.effects) this.#write(effect, atMs);
    return out.effects;
  }
  #write(effect: Effect, atMs: number): void {
    if (effect.kind === "record") return this.#record(effect.row, effect.body, effect.decisionId, atMs);
    const wire = wireOf(effect);
    if (!wire) return;
    const names = { previewId: `p${++this.#writes}`, ...wire, paramsHash: "h", runtime: "test" };
    const row = wireOutRow({ ...names, decisionId: null, automationSessionId: null, seen: null });
    this.#record(row.kind, row.body, null, atMs);
  }
  #record(kind: RowKind, body: RowBody, decisionId: string | null, atMs: number): void {
    const intentId = kind === "intent" ? body["intentId"] : undefined;
    if (typeof intentId === "string" && !intentId.startsWith("i-"))
      throw new Error(`an intent row names ${intentId}, which is no order of ours`);
    this.#journal.add({ kind, body, decisionId, atMs, runId: this.#state.runId });
  }
}
