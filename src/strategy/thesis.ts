/**
 * Facts at the front of an opening's thesis, written and read only by code, so that a closed trade can be compared
 * with what was stated at its opening: `[conviction 0.70, agreement 0.67] Because ...`.
 */
export interface ThesisFacts {
  /** Stated by the model, 0 to 1. */
  readonly conviction?: number;
  /** Share of the samples that agreed, 0 to 1. */
  readonly agreement?: number;
  /** Weights of the strategies that agreed, by name. */
  readonly votes?: Readonly<Record<string, number>>;
}

const HEAD = /^\[((?:[a-z0-9-]+ [0-9.]+)(?:, [a-z0-9-]+ [0-9.]+)*)\] /;
/** Prefix of strategy votes, so that no strategy name can collide with a fact. */
const VOTE = "by-";

/** Figures get two decimals. Without facts, only the text. */
export function withFacts(facts: ThesisFacts, text: string): string {
  const entries: (readonly [string, number])[] = [];
  if (facts.conviction !== undefined) entries.push(["conviction", facts.conviction]);
  if (facts.agreement !== undefined) entries.push(["agreement", facts.agreement]);
  for (const [name, weight] of Object.entries(facts.votes ?? {})) entries.push([`${VOTE}${name}`, weight]);
  const head = entries.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(", ");
  return head === "" ? text : `[${head}] ${text}`;
}

/** Reads what `withFacts` wrote; empty for a thesis without facts. */
export function factsOf(thesis: string | null): ThesisFacts {
  const head = HEAD.exec(thesis ?? "")?.[1];
  if (head === undefined) return {};
  const votes: Record<string, number> = {};
  const found: { conviction?: number; agreement?: number } = {};
  for (const entry of head.split(", ")) {
    const [name = "", figure = ""] = entry.split(" ");
    const value = Number(figure);
    if (!(value >= 0 && value <= 1)) continue;
    if (name === "conviction" || name === "agreement") found[name] = value;
    else if (name.startsWith(VOTE)) votes[name.slice(VOTE.length)] = value;
  }
  return Object.keys(votes).length > 0 ? { ...found, votes } : found;
}
