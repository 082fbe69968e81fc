/** The harness of the real kill sweep sees what it is there to see: planted mistakes, and deaths where they were asked for. */
import { describe, expect, test } from "vitest";
import { type JournalBooks, unrest, type VenueBooks } from "../../scripts/kill/books.ts";
import { type DeathToken, dyingDisk, readToken, tokenText } from "../../scripts/kill/dying-disk.ts";
import { type Seen, surplus } from "../../scripts/kill/judge.ts";
import type { JournalDisk } from "../../src/journal/committer.ts";

const SYMBOL = "EXCHANGE_A_PERP_ADA_USDT";
const frame = { call: "POST /api/v1/trading/order", params: { clientOrderId: "i-1", orderQty: "100", sym: SYMBOL } };
const order = { fact: "order", clientOrderId: "i-1", orderId: "1", sym: SYMBOL, reduceOnly: false, algoOrderId: null };
const fill = { fact: "execution", sym: SYMBOL, price: "1" };
const held = (qty: string) => ({ fact: "position", sym: SYMBOL, positionQty: qty });
const sound: Seen = {
  frames: [frame],
  facts: [order, fill, held("200")],
  story: { steps: [[{ symbol: SYMBOL, leg: "LONG", size: 0.5 }]] },
  known: new Set(["i-1"]),
};

describe("what is at the venue and should not be", () => {
  test("one order that was promised, of the targeted size, is sound", () => {
    expect(surplus(sound)).toEqual([]);
  });
  test("an opening order that was sent twice", () => {
    expect(surplus({ ...sound, frames: [frame, frame] })).toEqual(["duplicate: i-1 was sent 2 times"]);
  });
  test("two orders of one id", () => {
    const facts = [...sound.facts, { ...order, orderId: "2" }];
    expect(surplus({ ...sound, facts })).toEqual(["duplicate: the venue has 2 orders of i-1"]);
  });
  test("an order that nothing promised", () => {
    expect(surplus({ ...sound, known: new Set() })).toEqual(["orphan: no intent for order i-1"]);
  });
  test("twice the targeted position, whatever the ids say", () => {
    const found = surplus({ ...sound, facts: [order, fill, held("400")] });
    expect(found).toEqual([`duplicate: 400.00 USDT of ${SYMBOL} were held, 200 targeted`]);
  });
});

describe("the end of a run", () => {
  const leg = `${SYMBOL}|LONG`;
  const theirs: VenueBooks = { positions: new Map([[leg, "200"]]), orders: [], guarded: new Set([leg]) };
  const ours: JournalBooks = {
    runId: "b",
    positions: new Map([[leg, "200"]]),
    open: [],
    known: new Set(["i-1"]),
    steps: 1,
    ready: true,
  };
  test("equal books and a stop on every position are calm", () => {
    expect(unrest(theirs, ours)).toEqual([]);
  });
  test.each<[string, Partial<VenueBooks>, Partial<JournalBooks>]>([
    ["is 100 in the journal and 200 at the venue", {}, { positions: new Map([[leg, "100"]]) }],
    ["has no stop", { guarded: new Set() }, {}],
    ["orphan: an algo order on flat", { positions: new Map() }, { positions: new Map() }],
    ["orphan: order i-9 rests", { orders: ["i-9"] }, {}],
    ["promise i-1 has no end", {}, { open: ["i-1"] }],
  ])("%s", (what, venue, journal) => {
    const found = unrest({ ...theirs, ...venue }, { ...ours, ...journal });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(what);
  });
});

describe("a disk that kills", () => {
  class Dead extends Error {}
  /** What a life does with three commits, and what reached the disk when it died. */
  function lived(token: DeathToken | null): { readonly kept: readonly number[]; readonly commits: number } {
    const kept: number[] = [];
    const plain = {
      transaction: <T>(work: () => T): T => {
        const done = work();
        kept.push(kept.length + 1);
        return done;
      },
    };
    const under = { open: () => plain, mark: () => undefined } as unknown as JournalDisk;
    const dying = dyingDisk(under, token, () => {
      throw new Dead();
    });
    const db = dying.disk.open("journal.db");
    try {
      for (let row = 1; row <= 3; row++) db.transaction(() => row);
    } catch (cause) {
      if (!(cause instanceof Dead)) throw cause;
    }
    return { kept, commits: dying.commits() };
  }
  test("without a token it lives, and counts", () => {
    expect(lived(null)).toEqual({ kept: [1, 2, 3], commits: 3 });
  });
  test("before a commit the rows are lost, after it they are kept, and nothing follows either", () => {
    expect(lived({ commit: 2, when: "before" })).toEqual({ kept: [1], commits: 2 });
    expect(lived({ commit: 2, when: "after" })).toEqual({ kept: [1, 2], commits: 2 });
  });
  test("a token reads as it was written; anything else is none", () => {
    const token: DeathToken = { commit: 17, when: "soon" };
    expect(readToken(tokenText(token))).toEqual(token);
    expect(["", "17", "0:before", "x:after", "3:never"].map(readToken)).toEqual([null, null, null, null, null]);
  });
});
