/** Mistakes against the invariants of position mode and symbol law, I17 and I18. */
import { describe } from "vitest";
import * as move from "./moves.ts";
import { drop, facts, factsOfOrder, plants, reseen, reword, the } from "./plant.ts";
import { sol } from "./legal-histories.ts";
import { BTC, CONFIG, pass, row } from "./story.ts";

describe("I17", () =>
  plants("I17", [
    ["a position in one-way mode", ({ btc }) => reseen(btc, { hedgeMode: false })],
    ["no position in hedge mode", ({ btc }, story) => reword(story, btc, { positionSide: undefined })],
    ["NONE in hedge mode", ({ btc }, story) => reword(story, btc, { positionSide: "NONE" })],
    ["a mode that was never read", ({ btc }) => reseen(btc, { hedgeMode: null })],
    [
      "an order before the run had read anything",
      ({ btc }, story) => {
        drop(story, the(story, "reconcile"));
        reseen(btc, { accountAgeMs: null });
      },
    ],
    [
      "an account that was read before the run began",
      ({ btc }, story) => {
        drop(story, the(story, "reconcile"));
        reseen(btc, { accountAgeMs: 3_600_000 });
      },
    ],
    [
      "a mode read in the run before",
      (_run, story) => {
        pass(story, 1_000);
        story.runId = "b2";
        row(story, "boot", { boot: "b2" });
        row(story, "boot", { boot: "b2", ready: true });
        move.place(story, sol);
      },
    ],
    [
      "a mode that the venue does not have",
      (_run, story) => {
        for (const account of facts(story, "account")) account["modes"] = { EXCHANGE_A: "NET" };
      },
    ],
    [
      "a mode that the venue has on the other exchange alone",
      (_run, story) => {
        for (const account of facts(story, "account")) account["modes"] = { EXCHANGE_A: "NET", EXCHANGE_B: "BOTH" };
      },
    ],
  ]));

describe("I18", () =>
  plants("I18", [
    ["a price between two ticks", ({ btc }, story) => reword(story, btc, { price: "60100.05" })],
    ["a quantity between two lots", ({ btc }, story) => reword(story, btc, { quantity: "0.0051" })],
    ["a value below the minimum", ({ eth }, story) => reword(story, eth, { quantity: "0" })],
    ["a crumb", ({ btc }) => reseen(btc, { rules: { ...move.RULES[BTC], minNotional: "301" } })],
    ["a symbol in lower case", ({ btc }, story) => reword(story, btc, { symbol: BTC.toLowerCase() })],
    [
      "a symbol outside the universe",
      (_run, story) => {
        const entry = the(story, "config");
        entry.body = { ...entry.body, config: { ...CONFIG, universe: ["ETH", "SOL"] } };
      },
    ],
    [
      "a symbol that the phase does not have",
      ({ btc }, story) => {
        const entry = the(story, "config");
        entry.body = { ...entry.body, config: { ...CONFIG, universe: "phase" } };
        reword(story, btc, { symbol: "EXCHANGE_A_PERP_NONESUCH_USDT" });
      },
    ],
    [
      "a symbol that the file names and the phase does not have",
      ({ btc }, story) => {
        const entry = the(story, "config");
        entry.body = { ...entry.body, config: { ...CONFIG, universe: ["ETH", "SOL", "NONESUCH"] } };
        reword(story, btc, { symbol: "EXCHANGE_A_PERP_NONESUCH_USDT" });
      },
    ],
    [
      "the spot market of a base in the universe",
      ({ btc }, story) => reword(story, btc, { symbol: "EXCHANGE_A_SPOT_BTC_USDT" }),
    ],
    [
      "rules that changed before it arrived",
      ({ btc }, story) => {
        const at = story.venue.indexOf(factsOfOrder(story, btc)[0] ?? {});
        const known = facts(story, "rules", (found) => found["sym"] === BTC)[0];
        story.venue.splice(at, 0, { ...known, atMs: btc.out.atMs, lotSize: "0.01" });
      },
    ],
    [
      "an opening whose rules nobody reported",
      ({ btc }, story) => {
        reseen(btc, { rules: null });
        for (const known of facts(story, "rules", (found) => found["sym"] === BTC))
          story.venue.splice(story.venue.indexOf(known), 1);
      },
    ],
    ["a price of zero", ({ btc }, story) => reword(story, btc, { price: "0" })],
  ]));
