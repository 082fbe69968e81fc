/** Every capability in one story, reported through whichever face: what it is called with, and what must come of it. */
import type { Envelope } from "../../src/faces/contract/envelope.ts";
import { bestPrices, BTC, dataAt, type Drive, type Input, previewOf, tokenOf } from "./svc-rig.ts";

export interface Reported {
  readonly label: string;
  readonly envelope: Envelope;
}

/** Reads: input, and one that is wrong. */
const READS: readonly (readonly [string, Input, Input])[] = [
  ["market.ticker", { symbol: "btcusdt" }, { symbol: "no such thing" }],
  ["market.orderbook", { symbol: BTC, level: 3 }, { symbol: BTC, level: 0 }],
  ["market.klines", { symbol: BTC, interval: "1m", limit: 5 }, { symbol: BTC, interval: "7m" }],
  ["market.funding-rate", { symbol: BTC }, {}],
  ["market.mark-price", { symbol: BTC }, { symbol: BTC, sybmol: BTC }],
  ["market.symbol-info", { symbol: BTC }, { symbol: 7 }],
  ["market.open-interest", { symbol: BTC }, { symbol: "EXCHANGE_A_SPOT_BTC_USDT" }],
  ["portfolio.overview", {}, { exchange: "EXCHANGE_A" }],
  ["portfolio.assets", { page: 1 }, { page: 0 }],
  ["portfolio.statement", {}, { startTime: "yesterday" }],
  ["portfolio.user-fee-rate", {}, { x: 1 }],
  ["portfolio.position-bracket", { symbol: BTC }, {}],
  ["order.open-orders", {}, { page: "first" }],
  ["order.history", { symbol: BTC }, { filterExecuted: "perhaps" }],
  ["transaction.executions", { symbol: BTC }, { limit: 5_000 }],
  ["algo.open-orders", {}, { pageSize: 0 }],
  ["algo.history", {}, { begin: "0" }],
  ["position.query", { symbol: BTC }, { symbol: "?" }],
  ["position.history", {}, { pageSize: 99_999 }],
  ["position.get-leverage", { symbol: BTC }, {}],
];

/** Names that lead to nothing, and what is said of them. */
const NOTHING: readonly (readonly [string, Input])[] = [
  ["order.query", { orderId: "1111111111111111" }],
  ["order.query", { orderId: "123" }],
  ["order.query", {}],
  ["algo.query", { algoOrderId: "1111111111111111" }],
  ["market.symbol-info", { symbol: "EXCHANGE_A_PERP_NOSUCH_USDT" }],
  ["automation.status", { automationSessionId: "ras_none" }],
];

const CONSENT = { explicitUserConsent: true, acceptedRiskText: "I allow automated orders." };

export class Story {
  readonly reported: Reported[] = [];
  readonly #drive: Drive;
  readonly #name: string;
  constructor(drive: Drive, name: string) {
    this.#drive = drive;
    this.#name = name;
  }

  async call(label: string, id: string, input: Input = {}): Promise<Envelope> {
    const envelope = await this.#drive(id, input);
    this.reported.push({ label, envelope });
    return envelope;
  }

  /** Preview and submit, both reported. */
  async write(id: string, business: Input, extra: Input = {}): Promise<Envelope> {
    const preview = await previewOf(this.#drive, id, { ...business, ...extra });
    this.reported.push({ label: `preview ${id}`, envelope: preview });
    if (!preview.ok) return preview;
    return this.call(id, id, { ...business, ...tokenOf(preview) });
  }

  async reads(): Promise<void> {
    for (const [id, good, bad] of READS) {
      await this.call(id, id, good);
      await this.call(`${id} bad`, id, bad);
    }
    for (const [id, input] of NOTHING) await this.call(`${id} ${JSON.stringify(input)}`, id, input);
    await this.call("schema", "schema.discover");
    await this.call("self-check", "self-check.run", { readOnly: true });
    await this.call("update", "update.check");
  }

  async orders(): Promise<void> {
    const { bid } = await bestPrices(this.#drive);
    const price = String(Math.floor(bid * 0.98));
    const order = {
      symbol: BTC,
      side: "BUY",
      positionSide: "LONG",
      orderType: "LIMIT",
      price,
      quantity: "0.002",
      maxNotional: "200",
      clientOrderId: `${this.#name}-1`,
    };
    await this.call("bare place", "order.place", order);
    await this.write("position.set-leverage", { symbol: BTC, leverage: 2 });
    const placed = await this.write("order.place", order);
    const orderId = String(dataAt(placed, "data.orderId"));
    await this.call("order found", "order.query", { orderId });
    await this.call("duplicate id", "order.place-preview", order);
    await this.write("order.replace", { orderId, price: String(Number(price) - 10) });
    await this.write("portfolio.set-position-mode", { exchange: "EXCHANGE_A", mode: "NET" });
    await this.write("order.cancel", { orderId });
    await this.call("cancel again", "order.cancel-preview", { orderId });
    await this.write("order.cancel-all", { symbol: BTC });
  }

  async positions(): Promise<void> {
    const { bid } = await bestPrices(this.#drive);
    const close = { symbol: BTC, positionSide: "LONG", reduceOnly: true, maxNotional: "500" };
    await this.call("nothing to close", "trade.preview", { targetCapabilityId: "position.close", ...close });
    const market = { symbol: BTC, side: "BUY", positionSide: "LONG", orderType: "MARKET", quantity: "0.002" };
    await this.call("market too large", "order.place-preview", {
      ...market,
      maxNotional: "60",
      clientOrderId: `${this.#name}-2`,
    });
    await this.write("order.place", { ...market, maxNotional: "200", clientOrderId: `${this.#name}-2` });
    const algo = await this.write("algo.place", {
      symbol: BTC,
      side: "SELL",
      positionSide: "LONG",
      quantity: "0.002",
      conditionType: "CONDITIONAL",
      triggerPrice: String(Math.floor(bid * 0.95)),
      maxNotional: "300",
      clientOrderId: `${this.#name}-3`,
      algoType: "TPSL",
    });
    const algoOrderId = String(dataAt(algo, "data.algoOrderId"));
    await this.write("algo.replace", { algoOrderId, triggerPrice: String(Math.floor(bid * 0.94)) });
    await this.write("algo.cancel", { algoOrderId });
    await this.write("position.close", close);
    await this.write("position.close-all", { exchange: "EXCHANGE_A" });
  }

  async automation(): Promise<void> {
    const terms = { symbols: [BTC], maxNotionalPerOrder: "200", maxTotalNotional: "300", expiresInSeconds: 3_600 };
    await this.call("no consent", "automation.start", { ...terms, ...CONSENT, explicitUserConsent: false });
    await this.call("bad cap", "automation.start", { ...terms, ...CONSENT, maxTotalNotional: "much" });
    const started = await this.call("start", "automation.start", { ...terms, ...CONSENT });
    const automationSessionId = String(dataAt(started, "automationSessionId"));
    const { bid } = await bestPrices(this.#drive);
    const order = {
      symbol: BTC,
      side: "BUY",
      positionSide: "LONG",
      orderType: "LIMIT",
      price: String(Math.floor(bid * 0.97)),
      quantity: "0.002",
      maxNotional: "200",
      clientOrderId: `${this.#name}-4`,
    };
    await this.write("order.place", order, { automationSessionId });
    await this.call("status", "automation.status", { automationSessionId });
    const next = { ...order, clientOrderId: `${this.#name}-5`, automationSessionId };
    await this.call("over the total", "order.place-preview", next);
    await this.call("outside the symbols", "order.place-preview", {
      ...next,
      symbol: "ETHUSDT",
      price: "1000",
      quantity: "0.1",
    });
    await this.call("extend", "automation.extend", { automationSessionId, expiresInSeconds: 60, ...CONSENT });
    await this.call("stop", "automation.stop", { automationSessionId });
    await this.call("stopped", "order.place-preview", next);
    await this.call("list", "automation.list");
    await this.write("order.cancel", { clientOrderId: `${this.#name}-4` });
  }

  async verifyLive(): Promise<void> {
    const shared = { symbol: BTC, side: "BUY", positionSide: "LONG", maxNotional: "120", explicitUserConsent: true };
    await this.call("verify without words", "trading.verify-live", {
      ...shared,
      clientOrderId: `${this.#name}-6`,
      acceptedRiskText: "Yes, please do go ahead with it.",
    });
    await this.call("verify", "trading.verify-live", {
      ...shared,
      clientOrderId: `${this.#name}-7`,
      acceptedRiskText: `Place a real BUY LONG order in ${BTC} up to 120 and cancel it.`,
    });
  }
}
