import { isWholeIn, lt, mul, type Num, show, sign } from "../decimal.ts";
import { decimal, flag, rec, type Rec, text } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView, outcomeOf, type Write } from "../journal-view.ts";
import { arrivalOf, isPhaseTwo, PHASE_ONE } from "../phase.ts";
import { type Rules, rulesIn } from "../venue-facts.ts";
import { rulesAt } from "../venue-view.ts";

const CANONICAL = /^[A-Z0-9]+(?:_[A-Z0-9]+)*_(PERP|SPOT)_([A-Z0-9]+)_[A-Z0-9]+$/;

/** I18: name, universe, steps and minimum value, by the rules in the row and, if given, by the venue's. */
export const i18: Invariant = {
  id: "I18",
  title: "Symbol law",
  rule: "The symbol is canonical and, for openings, in the configured universe; price is whole ticks, quantity whole lots, and an opening's value at least the minimum, under the rules valid at arrival.",
  needs: [],
  more: ["venue ledger"],
  unseen: "",
  judge: (history) =>
    journalView(history)
      .writes.filter(
        (write) => (write.action === "order.place" || write.amend !== null) && outcomeOf(write) !== "not-sent",
      )
      .flatMap((write) => problems(history, write)),
};

function problems(history: History, write: Write): readonly Finding[] {
  const { row, order: params, seen } = write;
  const symbol = text(params, "symbol") ?? "";
  const config = journalView(history).configAt(row.seq);
  const phaseTwo = isPhaseTwo(history, config, row.atMs);
  const written = seen && rec(seen, "rules");
  const venue = rulesAt(history, symbol, arrivalOf(history, write));
  const rules = [written ? rulesIn(written, ["tick", "lot"]) : null, venue].filter((known) => known !== null);
  const ofRules = rules.flatMap((known) => shapeProblems(write, known));
  const unknown = write.opening && rules.length === 0 ? ["the rules of its symbol are not reported"] : [];
  return [
    ...new Set([...symbolProblems(symbol, { config, opening: write.opening, phaseTwo }), ...unknown, ...ofRules]),
  ].map((what) => finding(row.seq, `${write.clientOrderId ?? "an order"} in ${symbol}: ${what}`));
}

interface Place {
  readonly config: Rec;
  readonly opening: boolean;
  readonly phaseTwo: boolean;
}

function symbolProblems(symbol: string, { config, opening, phaseTwo }: Place): readonly string[] {
  const [, type, base] = CANONICAL.exec(symbol) ?? [];
  if (base === undefined) return ["the symbol is not canonical"];
  const universe = config["universe"];
  const ofPhase = phaseTwo || PHASE_ONE.has(base);
  const listed = ofPhase && (!Array.isArray(universe) || universe.includes(base) || universe.includes(symbol));
  // A base in the universe means its perpetual: nothing opens on spot.
  return opening && (!listed || type !== "PERP") ? ["the symbol is not in the universe"] : [];
}

function shapeProblems({ order: params, opening }: Write, rules: Rules): readonly string[] {
  const [price, qty] = [decimal(params, "price"), decimal(params, "quantity")];
  const found: string[] = [];
  if (!qty || sign(qty) <= 0 || !isWholeIn(qty, rules.lot))
    found.push(`quantity ${shown(qty)} is not whole lots of ${show(rules.lot)}`);
  const market = text(params, "orderType") === "MARKET";
  if (!market && (!price || sign(price) <= 0 || !isWholeIn(price, rules.tick)))
    found.push(`price ${shown(price)} is not whole ticks of ${show(rules.tick)}`);
  if (!opening || flag(params, "reduceOnly") || !price || !qty) return found;
  const value = mul(mul(price, qty), rules.contractSize);
  return lt(value, rules.minNotional)
    ? [...found, `its value ${show(value)} is under ${show(rules.minNotional)}`]
    : found;
}

const shown = (figure: Num | null): string => (figure ? show(figure) : "none");
