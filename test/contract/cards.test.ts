/** The deck itself: numbered without duplicates, each with a section and a sentence, no documented code left out. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FEED_CODES, MARKET_WS_CODES, REST_CODES, USER_WS_CODES } from "../../src/protocol/codes.ts";
import { TRADING_ENDPOINTS } from "../../src/protocol/endpoints.ts";
import { ALL_SURFACES } from "./all-cards.ts";

const cards = ALL_SURFACES.flatMap((surface) => surface.cards);

/** Codes that no client can bring about by what it sends; each with the reason. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  "400000": "made by a client's own library, never sent",
  "1100004": "the figures here are of the present, so every participant has some",
  "60009": "older form of 601009",
};

describe("the deck of cards", () => {
  test("ids are unique", () => {
    const seen = new Map<string, string>();
    const twice = cards.filter(({ id, sentence }) => {
      const known = seen.has(id);
      seen.set(id, sentence);
      return known;
    });
    expect(twice.map(({ id }) => id)).toEqual([]);
  });

  test("each card has an id, a section and a sentence", () => {
    for (const { id, section, sentence } of cards) {
      expect(id).toMatch(/^[TFRAC]-[\d.]+(-[\w]+)?$/);
      expect(section).toMatch(/§/);
      expect(sentence.length).toBeGreaterThan(10);
    }
  });

  test("there are at least 200 cards, counted by surface", () => {
    const rows = ALL_SURFACES.map(({ name, cards: own }) => `${name.padEnd(16)} ${own.length}`);
    console.log([...rows, `${"all".padEnd(16)} ${cards.length}`].join("\n"));
    expect(cards.length).toBeGreaterThanOrEqual(200);
  });

  test("docs/CONFORMANCE.md states these counts", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/CONFORMANCE.md"), "utf8");
    const stated = [...page.matchAll(/^\| ([a-z-]+) +\| (\d+) +\|$/gm)].map(([, name, count]) => `${name} ${count}`);
    const counted = ALL_SURFACES.map(({ name, cards: own }) => `${name} ${own.length}`);
    expect(stated.toSorted()).toEqual([...counted, `all ${cards.length}`].toSorted());
  });

  test("every documented code has a card, or a reason why none can show it", () => {
    const reported = cards.map(({ id, sentence }) => `${id} ${sentence}`).join("\n");
    const codes = [REST_CODES, FEED_CODES, MARKET_WS_CODES, USER_WS_CODES].flatMap((table) => Object.keys(table));
    const missing = codes.filter((code) => !new RegExp(`\\b${code}\\b`).test(reported) && !(code in NOT_SHOWN));
    expect(missing).toEqual([]);
  });

  test("every trading endpoint has a rate card", () => {
    const reported = cards.map(({ sentence }) => sentence);
    const missing = Object.values(TRADING_ENDPOINTS)
      .map(({ method, path }) => `${method} ${path}:`)
      .filter((line) => !reported.some((sentence) => sentence.startsWith(line)));
    expect(missing).toEqual([]);
  });
});
