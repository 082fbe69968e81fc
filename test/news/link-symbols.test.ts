import { describe, expect, test } from "vitest";
import { PHASE_ONE_BASES } from "../../src/domain/competition.ts";
import { createLinker, reportOnly } from "../../src/news/link-symbols.ts";

const link = createLinker(PHASE_ONE_BASES);
const about = (title: string, text = "", reported: readonly string[] = []) => link({ title, text, reported });

describe("names and tickers", () => {
  test.each([
    ["Bitcoin and Ethereum slip", ["BTC", "ETH"]],
    ["Bitcoin Cash forks again", ["BCH"]],
    ["Ethereum Classic miners leave", ["ETC"]],
    ["XRP and DOGE lead", ["XRP", "DOGE"]],
    ["$NEAR breaks out", ["NEAR"]],
    ["Near Protocol ships an upgrade", ["NEAR"]],
    ["Chainlink (LINK) adds feeds", ["LINK"]],
    ["LINK price climbs", ["LINK"]],
    ["Venue lists CC/USDT and SUIUSDT", ["CC", "SUI"]],
    ["$pepe and Shiba Inu rally", ["1000SHIB", "1000PEPE"]],
    ["XBT options expire", ["BTC"]],
  ])("%s", (title, bases) => {
    expect([...about(title)].sort()).toEqual([...bases].sort());
  });

  test.each([
    "A deal is near, sources say",
    "Read the LINK below for the AI LAB report",
    "Sky is the limit, just beat the dot plot",
    "Profit of $5 M beats a STABLE outlook",
    "CC: all editors",
    "RATES ARE NEAR A TURN AND XRP IS A WORD HERE",
    "Something else altogether",
  ])("%s: names none", (title) => {
    expect(about(title)).toEqual([]);
  });

  test("the source's own links count, in the venue's spelling, listed ones first", () => {
    expect(about("A headline", "", ["ABC", "PEPE", "BTC"])).toEqual(["1000PEPE", "BTC", "ABC"]);
  });

  test("only the beginning of a body is looked at, and links are capped", () => {
    expect(about("A headline", `Solana said so. ${"x ".repeat(600)} Monero too.`)).toEqual(["SOL"]);
    expect(about(PHASE_ONE_BASES.map((base) => `$${base}`).join(" ")).length).toBe(20);
  });

  test("what is not listed is not linked by words; without a list nothing is", () => {
    expect(createLinker(["ETH"])({ title: "Bitcoin and Ether", text: "", reported: [] })).toEqual(["ETH"]);
    expect(reportOnly({ title: "Bitcoin", text: "", reported: ["X"] })).toEqual(["X"]);
  });

  test("hostile text costs time by its length, not by its square", () => {
    const started = performance.now();
    for (let n = 0; n < 200; n++) about("$".repeat(300), "A".repeat(4_000));
    for (let n = 0; n < 200; n++) about("(A".repeat(150), "A1/".repeat(1_300));
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
