/**
 * One drawn history of an account, as an agent hears of it: its own orders, closes, stops that fire and trades by hand, with
 * pushes that are lost, repeated and late, lists and look-ups that lag, replies that never come, and deaths.
 */
import { type Entropy, seededEntropy } from "../../src/core/entropy.ts";
import { otherSide, type PositionMode } from "../../src/domain/position.ts";
import { rejected } from "../../src/protocol/codes.ts";
import { account as reading, START_MS } from "../support/agent-fixtures.ts";
import { lotsAsQty, type Push, type Side, TrueAccount } from "./account.ts";
import { Believer, type Untimed } from "./believer.ts";
import { describe } from "./describe.ts";
import type { History, Telling } from "./history.ts";
import { wrongAtEnd, wrongNow } from "./judge.ts";
import { withoutName } from "./without-name.ts";

interface Message {
  readonly madeMs: number;
  readonly dueMs: number;
  readonly event: Untimed;
  /** A reply or a list reaches only the process that asked for it. */
  readonly isAnswer: boolean;
}

const LAGS_MS = [0, 500, 2_000, 8_000, 15_000];
const EVENTS_MIN = 6;
const EVENTS_MAX = 18;
const LATE_MS = 15_000;
/** Longer than any read lags. */
const ROUND_MS = 25_000;
/** An order that the venue does not know is looked up so often. */
const ROUNDS = 5;
const LOTS_MAX = 4;

class Playing {
  readonly #draw: Entropy;
  readonly #mode: PositionMode;
  readonly #lagMs: number;
  readonly #byHand: boolean;
  readonly #nameless: number;
  readonly account: TrueAccount;
  readonly agent: Believer;
  readonly #report: (atMs: number, text: string) => void;
  readonly wrong: string[] = [];
  #waiting: Message[] = [];
  nowMs = START_MS;
  messages = 0;
  deaths = 0;
  /** Somebody else has traded, so that nothing the agent has heard bounds what is held. */
  #byOthers = false;
  #trades = 0;

  constructor(draw: Entropy, mode: PositionMode, { nameless, report }: Telling) {
    this.#draw = draw;
    this.#mode = mode;
    this.#nameless = nameless;
    this.#lagMs = LAGS_MS[draw.int("lag", 0, LAGS_MS.length)] ?? 0;
    this.#byHand = draw.chance("by hand", 0.3);
    this.#report = report;
    this.account = new TrueAccount(draw.fork("account"), { mode, dated: draw.chance("dated", 0.5) }, this.nowMs);
    this.agent = new Believer(mode, this.nowMs);
    this.#hear({ kind: "stream", stream: "user", up: true, reason: "test" });
    this.#list(this.nowMs);
  }

  play(): void {
    const events = this.#draw.int("events", EVENTS_MIN, EVENTS_MAX);
    for (let count = 0; count < events; count++) {
      this.#pass(this.#draw.int("gap", 50, this.#draw.chance("soon", 0.5) ? 900 : 9_000));
      this.#happen();
    }
    for (const order of this.account.open()) this.#push(this.account.cancel(order, this.nowMs));
    this.#pass(LATE_MS + 1_000);
    for (let round = 0; round < ROUNDS; round++) {
      this.#pass(ROUND_MS);
      this.#list(this.nowMs);
      this.#executions(this.nowMs);
      for (const clientOrderId of this.agent.live()) this.#lookUp(clientOrderId, this.nowMs);
      this.#pass(1_000);
    }
    for (const what of wrongAtEnd(this.agent, this.account)) this.#note(what);
  }

  #happen(): void {
    const { account } = this;
    const kind = this.#draw.next("what");
    const [resting] = account.open();
    const side = this.#draw.chance("long", 0.6) ? "LONG" : "SHORT";
    if (kind < 0.2) this.#open(side);
    else if (kind < 0.42 && resting) this.#push(account.fill(resting, this.nowMs));
    else if (kind < 0.5 && resting) this.#push(account.cancel(resting, this.nowMs));
    else if (kind < 0.6) this.#close(side);
    else if (kind < 0.66 && account.lots(side) > 0)
      this.#push(account.reduce(side, account.lots(side), this.nowMs).pushes);
    else if (kind < 0.73 && this.#byHand) this.#tradeByHand(side);
    else if (kind < 0.8) this.#die();
    else if (kind < 0.88) this.#list(this.nowMs - this.#lagMs);
    else if (kind < 0.94) this.#executions(this.nowMs - this.#lagMs);
    else for (const clientOrderId of this.agent.live()) this.#lookUp(clientOrderId, this.nowMs - this.#lagMs);
  }

  #open(side: Side): void {
    const lots = this.#draw.int("lots", 1, LOTS_MAX + 1);
    const clientOrderId = this.agent.promise(side, lotsAsQty(lots), this.nowMs);
    this.#report(this.nowMs, `promises ${clientOrderId} ${side} ${lots}`);
    this.#pass(this.#draw.int("way", 20, 400));
    const arrives = this.#draw.chance("arrives", 0.93);
    if (arrives) this.#push(this.account.place(clientOrderId, side, lots, this.nowMs));
    const placed = this.account.byClientId(clientOrderId);
    const isAnswered = arrives && this.#draw.chance("answered", 0.85);
    const sent =
      isAnswered && placed
        ? ({ kind: "done", value: { orderId: placed.orderId } } as const)
        : ({ kind: "unknown", message: "no reply" } as const);
    this.#send({ kind: "placed", clientOrderId, sent }, isAnswered ? this.#soon() : 5_000, true);
  }

  #close(side: Side): void {
    if (!this.agent.close(side, this.nowMs)) return;
    this.#report(this.nowMs, `closes ${side}`);
    const positionKey = `EXCHANGE_A_PERP_BTC_USDT|${side}`;
    this.#pass(this.#draw.int("way", 20, 400));
    // In one-way mode a close names the symbol alone, and takes whatever is held.
    const taken = this.#mode === "NET" && this.account.lots(side) === 0 ? otherSide(side) : side;
    const held = this.account.lots(taken);
    if (held === 0)
      return this.#send(
        { kind: "close-sent", positionKey, sent: rejected("401097", "nothing to close") },
        this.#soon(),
        true,
      );
    if (!this.#draw.chance("arrives", 0.93))
      return this.#send(
        { kind: "close-sent", positionKey, sent: { kind: "unknown", message: "no reply" } },
        5_000,
        true,
      );
    const { orderId, pushes } = this.account.reduce(taken, held, this.nowMs);
    this.#push(pushes);
    const isAnswered = this.#draw.chance("answered", 0.8);
    const sent = isAnswered
      ? ({ kind: "done", value: { orderId } } as const)
      : ({ kind: "unknown", message: "no reply" } as const);
    this.#send({ kind: "close-sent", positionKey, sent }, isAnswered ? this.#soon() : 5_000, true);
  }

  #tradeByHand(side: Side): void {
    this.#byOthers = true;
    const held = this.account.lots(side);
    if (held > 0 && this.#draw.chance("reduces", 0.5)) {
      const lots = this.#draw.int("lots", 1, held + 1);
      this.#push(this.account.reduce(side, lots, this.nowMs).pushes);
    } else {
      this.#push(
        this.account.place(`by-hand-${++this.#trades}`, side, this.#draw.int("lots", 1, LOTS_MAX), this.nowMs),
      );
    }
  }

  /** Late pushes may still come after the next process has connected; answers do not. */
  #die(): void {
    this.deaths += 1;
    const awayMs = this.#draw.chance("long away", 0.2) ? 40_000 : this.#draw.int("away", 200, 4_000);
    this.#report(this.nowMs, `dies for ${awayMs} ms`);
    this.nowMs += awayMs;
    const isLate = ({ madeMs, isAnswer }: Message): boolean => !isAnswer && this.nowMs - madeMs < LATE_MS;
    this.#waiting = this.#waiting.filter((each) => isLate(each) && this.#draw.chance("comes late", 0.3));
    this.agent.restart(this.nowMs);
  }

  #list(asOfMs: number): void {
    const { positions, orders: openOrders } = this.account.at(asOfMs);
    const shown = [{ ...reading("1000"), positionMode: this.#mode }];
    const account = { startedAtMs: this.nowMs, account: shown, positions, openOrders, openAlgos: null };
    this.#send({ kind: "account-read", account }, this.#draw.int("read", 100, 1_500), true);
  }
  #executions(asOfMs: number): void {
    const fills = this.account.executionsAt(asOfMs);
    this.#send({ kind: "fills-read", startedAtMs: this.nowMs, fills }, this.#draw.int("read", 100, 1_500), true);
  }
  #lookUp(clientOrderId: string, asOfMs: number): void {
    const order = this.account.orderAt(clientOrderId, asOfMs);
    const found = order ? ({ kind: "done", value: order } as const) : rejected("401018", "no such order");
    this.#send({ kind: "looked-up", clientOrderId, found }, this.#soon(), true);
  }

  #push(pushes: readonly Push[]): void {
    for (const push of pushes) {
      const fate = this.#draw.next("fate");
      if (fate < 0.15) {
        this.#report(this.nowMs, `lost: ${describe(push)}`);
        continue;
      }
      const inMs = fate < 0.3 ? this.#draw.int("late", 400, LATE_MS) : this.#soon();
      this.#send(push, inMs, false);
      if (fate > 0.92) this.#send(push, inMs + this.#draw.int("again", 1, 6_000), false);
    }
  }
  #soon(): number {
    return this.#draw.int("soon", 20, 300);
  }
  #send(event: Untimed, inMs: number, isAnswer: boolean): void {
    this.#waiting.push({ madeMs: this.nowMs, dueMs: this.nowMs + inMs, event, isAnswer });
  }
  #pass(ms: number): void {
    const untilMs = this.nowMs + ms;
    for (;;) {
      let next: Message | undefined;
      for (const message of this.#waiting)
        if (message.dueMs <= untilMs && (!next || message.dueMs < next.dueMs)) next = message;
      if (!next) break;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.nowMs = Math.max(this.nowMs, next.dueMs);
      this.#hear(next.event);
    }
    this.nowMs = untilMs;
  }
  #hear(whole: Untimed): void {
    this.messages += 1;
    const event = this.#nameless > 0 && this.#draw.chance("nameless", this.#nameless) ? withoutName(whole) : whole;
    for (const effect of this.agent.hear(event, this.nowMs)) {
      const orderId = effect.kind === "cancel" ? effect.known.orderId : "";
      if (orderId !== "") this.#push(this.account.cancel({ orderId }, this.nowMs));
    }
    this.#report(this.nowMs, `${describe(event)} -> ${this.agent.describe()}`);
    this.#judgeNow();
  }

  #judgeNow(): void {
    if (!this.#byOthers) for (const what of wrongNow(this.agent, this.account)) this.#note(what);
  }
  #note(what: string): void {
    if (!this.wrong.includes(what)) this.wrong.push(what);
    this.#report(this.nowMs, `WRONG ${what}`);
  }
}

/** Always the same history for the same seed, position mode and share of nameless records. */
export function playEvidence(
  seed: number,
  mode: PositionMode,
  { nameless = 0, report = () => undefined }: Partial<Telling> = {},
): History {
  const playing = new Playing(seededEntropy(`evidence:${seed}`), mode, { nameless, report });
  playing.play();
  const { wrong, messages, deaths } = playing;
  return { wrong, messages, deaths };
}
