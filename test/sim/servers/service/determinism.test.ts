/**
 * The whole service on a virtual clock, driven for a while over real sockets by a script of orders: the same seed
 * and script give the same bytes in ledger, snapshot and every push; another seed does not.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { seededEntropy } from "../../../../src/core/entropy.ts";
import { MINUTE_MS } from "../../../../src/core/time.ts";
import { timedIds } from "../../../../src/core/ids.ts";
import { silentLog } from "../../../../src/core/log.ts";
import { type VirtualClock, virtualClock } from "../../../../src/core/virtual-clock.ts";
import { signSocketLogin } from "../../../../src/net/sign.ts";
import { accountOfSeed } from "../../../../src/sim/servers/service/accounts.ts";
import { type SimService, startSimService } from "../../../../src/sim/service.ts";
import { lengthOf } from "../../../support/lengths.ts";
import { BTC } from "../fake-exchange.ts";
import type { Message } from "../rig.ts";

/** A stretch with a funding at its half; of `npm run long` an hour. */
const SPAN_MS = lengthOf(20, 60) * MINUTE_MS;
const START_MS = Date.UTC(2026, 0, 5, 8) - SPAN_MS / 2;
const STEP_MS = 5_000;

const ACCOUNT = accountOfSeed("determinism");
const KEY = ACCOUNT.keys[0] ?? { accessKey: "", secretKey: "" };

/** Without a seed of its own: a fall and its rebound, frames and pushes that come twice or in the wrong order. */
const SCENARIO = `
name: determinism
description: faults that draw chances, and a price that jumps
faults:
  - { at: 5m, fault: price-gap, params: { symbol: BTC, move: -0.1, overMs: 4000, reboundAfterMs: 20000, reboundOverMs: 90000 } }
  - { at: 8m, fault: push-duplicate, for: 5m }
  - { at: 15m, fault: market-reorder, for: 2m }
  - { at: 18m, fault: news-flood, for: 1m }
`;

function scenarioFile(): string {
  const path = join(mkdtempSync(join(tmpdir(), "determinism-")), "scenario.yaml");
  writeFileSync(path, SCENARIO);
  return path;
}

/** Frames of one socket: their number, their running hash, and who waits for the next. */
class Tap {
  readonly ws: WebSocket;
  readonly #hash = createHash("sha256");
  frames = 0;
  #wanted: { fits: (message: Message) => boolean; done: () => void } | null = null;

  constructor(url: string) {
    this.ws = new WebSocket(url, { perMessageDeflate: false });
    this.ws.on("message", (data: Buffer) => {
      const text = data.toString("utf8");
      this.#hash.update(text).update("\n");
      this.frames++;
      const message = text === "pong" ? { pong: 0 } : (JSON.parse(text) as Message);
      if (!this.#wanted?.fits(message)) return;
      const { done } = this.#wanted;
      this.#wanted = null;
      done();
    });
  }
  opened(): Promise<void> {
    return new Promise((resolve) => this.ws.once("open", () => resolve()));
  }
  /** Sends, and waits for the frame that answers it. */
  ask(message: unknown, fits: (message: Message) => boolean): Promise<void> {
    return new Promise((done) => {
      this.#wanted = { fits, done };
      this.ws.send(typeof message === "string" ? message : JSON.stringify(message));
    });
  }
  digest(): string {
    return this.#hash.digest("hex");
  }
}

const isPong = ({ pong }: Message): boolean => pong !== undefined;

interface Stage {
  readonly service: SimService;
  readonly clock: VirtualClock;
  readonly market: Tap;
  readonly user: Tap;
  readonly feed: Tap;
}

async function opened(seed: number): Promise<Stage> {
  const clock = virtualClock(START_MS);
  const entropy = seededEntropy("not the service's own");
  const service = await startSimService({
    env: { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy) },
    log: silentLog,
    host: "127.0.0.1",
    port: 0,
    controlPort: 0,
    exchanges: ["EXCHANGE_A"],
    phase: 2,
    seed,
    accounts: [ACCOUNT],
    symbols: [BTC],
    scenario: scenarioFile(),
    settings: { placeDelayMs: 30, cancelDelayMs: 50 },
  });
  const { marketWsUrl, userWsUrl, feedsWsUrl } = service.ready;
  const taps = { market: new Tap(`${marketWsUrl}?binary=false`), user: new Tap(userWsUrl), feed: new Tap(feedsWsUrl) };
  await Promise.all(Object.values(taps).map((tap) => tap.opened()));
  const timestamp = String(Math.floor(clock.nowMs() / 1_000));
  const args = { apiKey: KEY.accessKey, timestamp, sign: signSocketLogin(KEY.secretKey, timestamp) };
  await taps.user.ask({ action: "login", args }, ({ event }) => event === "login");
  const arg = ["ORDER_BOOK", "TRADE", "TICKER", "MARK_PRICE"].map((channel) => ({ channel, sym: BTC }));
  await taps.market.ask({ event: "subscribe", arg }, ({ event }) => event === "subscribe");
  const news = ["news.category.all", "news.hot.all"].map((channel) => ({ channel }));
  await taps.feed.ask({ event: "subscribe", arg: news }, ({ event }) => event === "subscribe");
  return { service, clock, ...taps };
}

/** What the script does in one minute: opening, resting near the touch, closing, cancelling. */
function orderOf(service: SimService, minute: number): { action: string; args: Record<string, string> } {
  const bid = service.exchange.book(BTC).bids[2]?.[0] ?? 0;
  const base = { sym: BTC, positionSide: "LONG", orderQty: "0.002", clientOrderId: `minute-${minute}` };
  if (minute % 4 === 0) return { action: "place_order", args: { ...base, side: "BUY", orderType: "MARKET" } };
  if (minute % 4 === 1) {
    const limitPrice = (bid / 10).toFixed(1);
    return { action: "place_order", args: { ...base, side: "BUY", orderType: "LIMIT", limitPrice } };
  }
  if (minute % 4 === 2) return { action: "cancel_orders", args: { exchangeType: "EXCHANGE_A" } };
  return { action: "place_order", args: { ...base, side: "SELL", orderType: "MARKET", reduceOnly: "true" } };
}

interface Outcome {
  readonly ledger: string;
  readonly snapshot: string;
  readonly pushes: Readonly<Record<string, string>>;
  readonly frames: Readonly<Record<string, number>>;
}

async function lived(seed: number, spanMs: number): Promise<Outcome> {
  const stage = await opened(seed);
  const { service, clock, market, user, feed } = stage;
  for (let passedMs = 0; passedMs < spanMs; passedMs += STEP_MS) {
    if (passedMs % 60_000 === 0) {
      const id = `minute ${passedMs / 60_000}`;
      await user.ask({ id, ...orderOf(service, passedMs / 60_000) }, (message) => message.id === id);
    }
    clock.advanceSync(STEP_MS);
    // The answers come after all that was pushed before: nothing is on its way when time goes on.
    await Promise.all([user.ask("ping", isPong), market.ask({ ping: 1 }, isPong), feed.ask({ ping: 1 }, isPong)]);
  }
  const outcome = {
    ledger: JSON.stringify(service.exchange.ledger()),
    snapshot: service.exchange.snapshot(),
    pushes: { market: market.digest(), user: user.digest(), feed: feed.digest() },
    frames: { market: market.frames, user: user.frames, feed: feed.frames },
  };
  for (const tap of [market, user, feed]) tap.ws.terminate();
  await service.stop();
  return outcome;
}

test("a stretch twice with one seed is the same, byte for byte; another seed's is not", async () => {
  const [first, second] = [await lived(5, SPAN_MS), await lived(5, SPAN_MS)];
  console.log("frames in it", first.frames, "snapshot", first.snapshot.length, "ledger", first.ledger.length);
  expect(first.frames.user).toBeGreaterThan((3 * SPAN_MS) / MINUTE_MS);
  expect(first.ledger).toContain("funding");
  expect(second.ledger === first.ledger).toBe(true);
  expect(second.snapshot === first.snapshot).toBe(true);
  expect(second.pushes).toEqual(first.pushes);
  const other = await lived(6, 120_000);
  const same = await lived(5, 120_000);
  expect(other.snapshot === same.snapshot).toBe(false);
  for (const stream of ["market", "user", "feed"]) expect(other.pushes[stream]).not.toBe(same.pushes[stream]);
}, 120_000);
