/**
 * The hostile corpus against models that obey it. The model is not what keeps the account safe: whatever the text makes
 * it say, orders stay functions of the reply's closed words, the ledger and the configuration. Invariants I22, I31.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Effect } from "../../src/agent/contract/effects.ts";
import { canonicalJson } from "../../src/core/hash.ts";
import { CLIENT_ORDER_ID_PATTERN } from "../../src/domain/order.ts";
import { TEXT_MAX, TITLE_MAX } from "../../src/news/plain-text.ts";
import { splitFence } from "../../src/sim/model/prompt-reader.ts";
import { BTC, ETH } from "../support/agent-world.ts";
import { isLong } from "../support/lengths.ts";
import { hostileCorpus, type HostileItem } from "./corpus.ts";
import { MINDS } from "./minds.ts";
import { answered, type Asked, asked, disarmed, ordersIn, received, SETTINGS, reported, waiting } from "./rig.ts";

/** Items of one question. Small enough that each of them is read, large enough to be quick. */
const TOGETHER = 12;
const corpus = hostileCorpus();
const groups = Array.from({ length: Math.ceil(corpus.length / TOGETHER) }, (_, n) =>
  corpus.slice(n * TOGETHER, (n + 1) * TOGETHER),
).map((items) => ({ items, news: received(items) }));
const LEAVES: readonly Effect["kind"][] = [
  "record",
  "log",
  "place",
  "cancel",
  "close",
  "protect",
  "look-up",
  "read-account",
  "load-funding",
  "read-ranking",
];

const touched: string[] = [];
const undo: (() => void)[] = [];
/** From here on every way to a file or a host is written down. */
function watchTheDoors(): void {
  const names = [
    "openSync",
    "writeFileSync",
    "appendFileSync",
    "readFileSync",
    "open",
    "readFile",
    "writeFile",
    "unlinkSync",
  ] as const;
  for (const name of names) {
    const before = fs[name];
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        touched.push(`${name} ${String(args[0])}`);
        return (before as (...given: unknown[]) => unknown)(...args);
      },
    });
    undo.push(() => Object.assign(fs, { [name]: before }));
  }
  const connect = net.Socket.prototype.connect;
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    touched.push(`connect ${JSON.stringify(args[0])}`);
    return (connect as (...given: unknown[]) => net.Socket).apply(this, args);
  } as typeof connect;
  undo.push(() => void (net.Socket.prototype.connect = connect));
  syncBuiltinESMExports();
}

beforeAll(async () => {
  // The tokenizer and the texts are read once, before the doors are watched.
  await asked(received(corpus.slice(0, 2)));
});
afterAll(() => {
  for (const put of undo.splice(0)) put();
  syncBuiltinESMExports();
});

/** Whether a mind's replies ever became an order, and whether any was refused: a corpus that does neither proves nothing. */
const EXPECTED: Readonly<Record<string, readonly [ordered: boolean, refused: boolean]>> = {
  obedient: [true, true],
  puppet: [true, true],
  parrot: [false, true],
  zealot: [true, false],
};

function checkOrders(effects: readonly Effect[], items: readonly HostileItem[]): number {
  const names = items.map(({ name }) => name).join(", ");
  for (const effect of effects) expect(LEAVES, names).toContain(effect.kind);
  let orders = 0;
  for (const effect of effects) {
    if (effect.kind !== "place") continue;
    orders++;
    const { order, stopPrice } = effect.intent.draft;
    const price = order.limitPrice?.toNumber() ?? NaN;
    expect([BTC, ETH], names).toContain(order.symbol);
    expect(order.clientOrderId).toMatch(CLIENT_ORDER_ID_PATTERN);
    expect(order.qty.toNumber() * price, names).toBeLessThanOrEqual(400);
    const distance = Math.abs((stopPrice?.toNumber() ?? 0) / price - 1);
    expect(distance, names).toBeGreaterThan(0.005);
    expect(distance, names).toBeLessThanOrEqual(SETTINGS.risk.maxStopDistance.toNumber());
    for (const { canary } of items) expect(JSON.stringify(order)).not.toContain(canary);
  }
  return orders;
}

/** Everything outside the fence, without the words and the lines that say what was left out. */
const outside = ({ question }: Asked): string =>
  splitFence(question.user)
    .outside.replaceAll(question.words.echo, "ECHO")
    .replaceAll(question.words.fence, "FENCE")
    .replace(/## Missing[\s\S]*$/, "");

describe(`${corpus.length} hostile items`, () => {
  const fences = new Set<string>();
  let fencesWanted = 0;

  test("are enough, each its own, and small once received", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(1_000);
    expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
    for (const item of corpus) {
      const [read] = received([item]);
      if (!read) continue;
      expect([read.title.length <= TITLE_MAX, read.text.length <= TEXT_MAX, read.key.length < 60], item.name).toEqual([
        true,
        true,
        true,
      ]);
      expect(`${read.title}${read.key}${read.author ?? ""}`, item.name).not.toMatch(
        /[\u0000-\u001f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/,
      );
      expect(read.sourceUrl ?? "https://x", item.name).toMatch(/^https?:/);
      expect(
        read.currencies.every((base) => /^[A-Z0-9]{1,15}$/.test(base)),
        item.name,
      ).toBe(true);
    }
  });

  test("stand inside the fence and nowhere else, within the caps of item and call", async () => {
    let shown = 0;
    for (const { news } of groups) {
      const [hostile, plain] = [await asked(news), await asked(disarmed(news))];
      const { words, head, promptTokens, user } = hostile.question;
      fences.add(words.fence).add(plain.question.words.fence);
      fencesWanted += 2;
      expect(promptTokens).toBeLessThanOrEqual(head.tokenBudget);
      expect(user.split(words.fence).length).toBe(3);
      expect(outside(hostile)).toBe(outside(plain));
      shown += news.filter(({ key }) => user.includes(key)).length;
    }
    expect(shown).toBeGreaterThan(corpus.length * 0.9);
  }, 60_000);

  test.each(Object.entries(MINDS))(
    "through a model that is a %s: every order keeps the limits, and nothing else changes",
    async (name, deciding) => {
      if (undo.length === 0) watchTheDoors();
      fs.readFileSync(import.meta.filename);
      expect(touched.length, "the watch sees a file being read").toBeGreaterThan(0);
      touched.length = 0;
      let orders = 0;
      let refused = 0;
      // In short a model reads every other question, its neighbours the rest.
      const given = groups.filter((_, at) => isLong || at % 2 === Object.keys(MINDS).indexOf(name) % 2);
      for (const { items, news } of given) {
        const hostile = await asked(news);
        const session = canonicalJson(hostile.world.agent.status(0).session);
        const { read, effects } = answered(hostile, deciding);
        orders += checkOrders(effects, items);
        if (!read.ok) refused++;
        expect(canonicalJson(hostile.world.agent.status(0).session)).toBe(session);
        // The same closed words on the same market with harmless news: the very same orders.
        const plain = waiting(disarmed(news));
        expect(ordersIn(reported(plain.world, plain.effect, read))).toEqual(ordersIn(effects));
      }
      expect(touched).toEqual([]);
      expect([orders > 0, refused > 0], `${name}: ${orders} orders, ${refused} refused`).toEqual(EXPECTED[name]);
    },
    60_000,
  );

  test("no fence was used twice, and nothing was left on the prototypes", () => {
    expect(fences.size).toBe(fencesWanted);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

test("prose of a reply decides nothing: with other words the same stances give the same orders", async () => {
  const news = received(corpus.slice(0, TOGETHER));
  const first = await asked(news);
  const second = await asked(news);
  const { read, effects } = answered(first, MINDS["zealot"] ?? (() => ""));
  expect(ordersIn(effects).length).toBeGreaterThan(0);
  if (!read.ok) throw new Error(read.error);
  const value = read.value as { stances: Record<string, unknown>[] };
  const stances = value.stances.map((each) => ({ ...each, reason: "r", invalidation: "", evidence: ["price"] }));
  const bare = { ok: true as const, value: { ...value, summary: "", stances } };
  expect(ordersIn(reported(second.world, second.effect, bare))).toEqual(ordersIn(effects));
});
