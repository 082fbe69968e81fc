/**
 * The venue's own record of events, fact by fact in their order: an independent verifier compares it with the agent's
 * journal (the set V of the invariants). One flat JSON object per fact, decimals as text, times in epoch milliseconds
 * of the service. docs/VERIFY.md lists the facts.
 */
import { BoundedList } from "../../../core/bounded.ts";
import type { LineFile } from "../../wire/line-file.ts";
import { sumDecimals, dec, toWire } from "../../../core/decimal.ts";
import type { VenueResult, Exchange, UserPush, WireRecord } from "../../exchange/contract/api.ts";
import type { PublicEvent } from "../../exchange/contract/market-api.ts";
import type { FaultBoard } from "../../faults/board.ts";
import type { CallKind, Reach } from "../../faults/hooks.ts";
import { TRADING_ENDPOINTS } from "../../../protocol/endpoints.ts";
import type { RequestOutcome } from "../rest/rest-server.ts";

/** `fact` is its kind; the other members are those of docs/VERIFY.md. */
export type VenueFact = Readonly<Record<string, unknown>> & { readonly fact: string; readonly atMs: number };

/** `cap` bounds the entries in memory; a named file gets everything. */
export interface VenueLogOptions {
  readonly exchange: Exchange;
  readonly faults: FaultBoard;
  readonly nowMs: () => number;
  readonly cap: number;
  readonly file: LineFile | null;
}

const FACT_OF: Readonly<Record<string, string>> = { Orders: "order", Trades: "execution", Positions: "position" };

/** Listens from its creation on, so create it before accounts trade. Reads the exchange, never writes. */
export class VenueLog {
  readonly #options: VenueLogOptions;
  readonly #facts: BoundedList<VenueFact>;
  readonly #file: LineFile | null;
  readonly #stops: (() => void)[] = [];
  /** The open positions of each account: symbol by `symbol|side`. */
  readonly #held = new Map<string, Map<string, string>>();
  /** The last text of each fact that is written only on change. */
  readonly #last = new Map<string, string>();

  constructor(options: VenueLogOptions) {
    this.#options = options;
    this.#facts = new BoundedList(options.cap);
    this.#file = options.file;
    const { exchange, faults } = options;
    faults.onChange(() => this.#faults());
    this.#stops.push(
      exchange.onUserPush((push) => this.#push(push)),
      exchange.onPublic((event) => this.#market(event)),
    );
  }

  /** Oldest first. */
  entries(limit: number): readonly VenueFact[] {
    return this.#facts.items().slice(-limit);
  }

  /** `seen`: each account's uptime as seen from outside, as the final facts of the run. */
  stop(seen: readonly Readonly<Record<string, unknown>>[] = []): Promise<void> {
    for (const stop of this.#stops) stop();
    for (const report of seen) this.#write("uptime", report);
    this.#file?.close();
    return Promise.resolve();
  }

  /**
   * A call is recorded when it arrives, because it may never end, and again when it has ended. Only calls that a fault may
   * affect are recorded: all others are served.
   */
  watchCall(kind: CallKind, accountId: string | null): ((end: RequestOutcome) => void) | null {
    const { faults, nowMs } = this.#options;
    if (faults.restReach(kind) === null) return null;
    const sinceMs = nowMs();
    const call = nameOf(kind);
    this.#write("received", { accountId, call });
    return ({ served, retryAfterMs }) =>
      this.#write("call", {
        accountId,
        call,
        sinceMs,
        served,
        ...(served || retryAfterMs === 0 ? {} : { retryAfterMs }),
      });
  }

  #push({ accountId, channel, data }: UserPush): void {
    const kind = FACT_OF[channel];
    if (kind === "order") this.#order(accountId, data);
    else if (kind !== undefined) this.#write(kind, { accountId, ...data });
    else if (channel === "ALGO_ORDER") this.#write("algo", { accountId, ...data });
    else if (channel !== "Assets") this.#write("alarm", { accountId, channel, ...data });
    if (channel === "Positions") this.#hold(accountId, data);
    if (channel !== "Orders") this.#account(accountId);
  }

  /**
   * Includes the data by which limits judge an opening order: the symbol's leverage setting and rules at that moment.
   */
  #order(accountId: string, pushed: WireRecord): void {
    const symbol = String(pushed["sym"]);
    const { exchange } = this.#options;
    const nowMs = this.#options.nowMs();
    const [setting] = valueOf(exchange.leverage(accountId, { sym: symbol }, nowMs)) ?? [];
    if (setting) this.#writeChanged(`leverage ${accountId} ${symbol}`, "leverage", { accountId, ...setting });
    this.#rules(symbol);
    const full = valueOf(exchange.order(accountId, { orderId: String(pushed["orderId"]) }, nowMs));
    this.#write("order", {
      accountId,
      ...pushed,
      reduceOnly: full?.["reduceOnly"] ?? null,
      algoOrderId: full?.["algoOrderId"] ?? null,
    });
    this.#account(accountId);
  }

  #rules(symbol: string): void {
    const spec = this.#options.exchange.symbols.find(({ rules }) => rules.symbol === symbol);
    if (!spec) return;
    const { tickSize, lotSize, minNotional, contractSize } = spec.rules;
    const figures = { tickSize, lotSize, minNotional, contractSize };
    const texts = Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, toWire(figure)]));
    this.#writeChanged(`rules ${symbol}`, "rules", { sym: symbol, ...texts });
  }

  #account(accountId: string): void {
    const rows = valueOf(this.#options.exchange.account(accountId, {}, this.#options.nowMs())) ?? [];
    const sum = (field: string): string => toWire(sumDecimals(rows.map((row) => dec(String(row[field])))));
    const modes = Object.fromEntries(rows.map((row) => [String(row["exchangeType"]), row["positionMode"]]));
    const figures = { equity: sum("equity"), maintainMargin: sum("maintainMargin"), modes };
    this.#writeChanged(`account ${accountId}`, "account", { accountId, ...figures });
  }

  /** In hedge mode a symbol has two positions: when one ends, the other is still reported. */
  #hold(accountId: string, { sym, positionSide, positionQty }: WireRecord): void {
    const held = this.#held.get(accountId) ?? new Map<string, string>();
    this.#held.set(accountId, held);
    const positionKey = `${String(sym)}|${String(positionSide)}`;
    if (dec(String(positionQty)).isZero()) held.delete(positionKey);
    else held.set(positionKey, String(sym));
  }

  #market(event: PublicEvent): void {
    if (event.kind !== "mark" && event.kind !== "funding-settled") return;
    const holders = [...this.#held].filter(([, positions]) => [...positions.values()].includes(event.symbol));
    if (holders.length === 0) return;
    if (event.kind === "mark") this.#write("mark", { sym: event.symbol, mark: toWire(event.mark) });
    for (const [accountId] of holders) {
      if (event.kind === "mark") this.#account(accountId);
      else this.#funding(accountId, event);
    }
  }

  /** The lines of the account's statement about the settlement, one for each position. */
  #funding(accountId: string, { symbol, atMs }: PublicEvent): void {
    const [startTime, endTime] = [String(atMs), String(atMs)];
    const asked = { sym: symbol, statementType: "FUNDING_FEE", startTime, endTime };
    const lines = valueOf(this.#options.exchange.statement(accountId, asked, this.#options.nowMs()))?.list ?? [];
    for (const { deltaAmount } of lines) this.#write("funding", { accountId, sym: symbol, amount: deltaAmount });
  }

  #faults(): void {
    const { faults } = this.#options;
    const on = faults.active().map(({ name }) => name);
    const within = (reach: Reach): readonly string[] =>
      KINDS.filter((kind) => faults.restReach(kind) === reach).map(nameOf);
    this.#writeChanged("faults", "faults", { on, barred: within("every"), touched: within("some") });
  }

  #writeChanged(key: string, fact: string, fields: Readonly<Record<string, unknown>>): void {
    const text = JSON.stringify(fields);
    if (this.#last.get(key) === text) return;
    this.#last.set(key, text);
    this.#write(fact, fields);
  }

  #write(fact: string, fields: Readonly<Record<string, unknown>>): void {
    const entry = { fact, atMs: this.#options.nowMs(), ...fields };
    this.#facts.push(entry);
    this.#file?.write(entry);
  }
}

const nameOf = ({ method, path }: CallKind): string => `${method} ${path}`;
const KINDS: readonly CallKind[] = Object.values(TRADING_ENDPOINTS).map(({ method, path }) => ({ method, path }));

const valueOf = <T>(answer: VenueResult<T>): T | null => (answer.ok ? answer.value : null);
