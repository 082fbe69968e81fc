/**
 * Reports the life of orders in lines, one event a line with what must be seen after `->`.
 *
 *   rest   NAME SIDE QTY @ PRICE [WORDS]   a LIMIT order        -> state, executed
 *   take   NAME SIDE QTY [WORDS]           a MARKET order       -> state, executed at average
 *   amend  NAME [QTY x] [@ PRICE]          cancel NAME          -> reply code or state
 *   print  SIDE QTY @ PRICE                a public trade       book -> best bid and ask
 *
 * NAME begins with the participant: A, B or C. WORDS are LONG, SHORT, IOC, FOK, GTX, reduce.
 */
import { expect } from "vitest";
import { code, field, good, ALICE, BOB, CAROL, SOL, T0, venue, type Venue } from "./venue.ts";

const WHO: Readonly<Record<string, string>> = { A: ALICE, B: BOB, C: CAROL };

interface Line {
  readonly verb: string;
  readonly name: string;
  readonly words: readonly string[];
  readonly qty: string | undefined;
  readonly price: string | undefined;
}

function readLine(text: string): Line {
  const words = text.split(/\s+/);
  const at = words.indexOf("@");
  const price = at < 0 ? undefined : words[at + 1];
  const verb = words[0] ?? "";
  const rest = words.slice(1).filter((_word, i) => i + 1 !== at && i + 1 !== at + 1);
  const named = verb === "print" || verb === "book" ? rest : rest.slice(1);
  return {
    verb,
    name: verb === "print" ? "" : (rest[0] ?? ""),
    words: named,
    qty: named.find((w) => /^[\d.]+$/.test(w)),
    price,
  };
}

function orderState({ exchange }: Venue, name: string): string {
  const order = good(exchange.order(WHO[name.charAt(0)] ?? "", { clientOrderId: name }, T0));
  const executed = field(order, "executedQty");
  const average = executed === "0" ? "" : ` at ${field(order, "executedAvgPrice")}`;
  return `${field(order, "orderState")} ${executed} of ${field(order, "orderQty")}${average}`;
}

function place(reported: Venue, line: Line): string {
  const side = line.words.find((word) => word === "BUY" || word === "SELL") ?? "BUY";
  const positionSide = line.words.find((word) => word === "LONG" || word === "SHORT");
  const timeInForce = (["GTC", "IOC", "FOK", "GTX"] as const).find((word) => line.words.includes(word));
  const answer = reported.exchange.place(
    WHO[line.name.charAt(0)] ?? "",
    {
      sym: SOL,
      side,
      positionSide,
      orderType: line.verb === "take" ? "MARKET" : "LIMIT",
      orderQty: line.qty,
      limitPrice: line.price,
      timeInForce,
      reduceOnly: line.words.includes("reduce") ? "TRUE" : undefined,
      clientOrderId: line.name,
    },
    T0,
  );
  return answer.ok ? orderState(reported, line.name) : `refused ${code(answer)}`;
}

function act(reported: Venue, line: Line): string {
  const { exchange } = reported;
  const accountId = WHO[line.name.charAt(0)] ?? "";
  switch (line.verb) {
    case "rest":
    case "take":
      return place(reported, line);
    case "cancel": {
      const answer = exchange.cancel(accountId, { clientOrderId: line.name }, T0);
      return answer.ok ? orderState(reported, line.name) : `refused ${code(answer)}`;
    }
    case "amend": {
      const request = { clientOrderId: line.name, replaceQty: line.qty, replacePrice: line.price };
      const answer = exchange.amend(accountId, request, T0);
      return answer.ok ? orderState(reported, line.name) : `refused ${code(answer)}`;
    }
    case "print": {
      const lots = Math.round(Number(line.qty) * 100);
      exchange.market.print(SOL, line.words.includes("BUY"), Math.round(Number(line.price) * 10), lots, T0);
      return "ok";
    }
    case "show":
      return orderState(reported, line.name);
    case "position": {
      const rows = good(exchange.positions(accountId, { sym: SOL }, T0));
      return (
        rows
          .map((row) => `${field(row, "positionSide")} ${field(row, "positionQty")} at ${field(row, "avgPrice")}`)
          .join(", ") || "flat"
      );
    }
    case "book": {
      const [bid, ask] = [exchange.book(SOL).bids[0], exchange.book(SOL).asks[0]];
      return `${(bid?.[1] ?? 0) / 100} @ ${(bid?.[0] ?? 0) / 10} | ${(ask?.[1] ?? 0) / 100} @ ${(ask?.[0] ?? 0) / 10}`;
    }
    default:
      throw new Error(`no such verb: ${line.verb}`);
  }
}

/** Runs a story and compares every line that says what must be seen. */
export function story(text: string, reported: Venue = venue()): void {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => line.trim());
  const seen = lines.map((line) => {
    const [doing = "", wanted] = line.split("->").map((part) => part.trim());
    const found = act(reported, readLine(doing));
    return wanted === undefined ? line : `${doing} -> ${found}`;
  });
  expect(seen).toEqual(lines.map((line) => line.replace(/\s*->\s*/, " -> ")));
}
