/** `ballast why-not` for a person: one sentence, then the decisions behind it, then the present state. */
import { formatSpan, isoTime } from "../../core/time.ts";
import { oneLine } from "../../core/safe-text.ts";
import { counted } from "../../core/words.ts";

interface Group {
  readonly outcome: string;
  readonly reason: string;
  readonly count: number;
  readonly examples: readonly { readonly decisionId: string; readonly atMs: number }[];
}

export interface WhyNotFacts {
  readonly fromMs: number;
  readonly toMs: number;
  readonly decisions: number;
  /** Decisions that opened something. */
  readonly opened: number;
  readonly groups: readonly Group[];
  /** Why there is no decision at all; null if there are some. */
  readonly none: string | null;
  /** The agent's state at this instant, or that none runs. */
  readonly now: string;
}

const REASON_MAX = 160;

/** Continues the sentence "7 decisions opened nothing: 4 ...". */
const WORDS: Readonly<Record<string, (reason: string) => string>> = {
  placed: (reason) => `placed orders that have not filled${reason === "" ? "" : ` (${reason})`}`,
  failed: (reason) => `because ${reason}`,
  "not-allowed": (reason) => `because nothing may be opened: ${reason}`,
  denied: (reason) => `denied by ${reason}`,
  dropped: (reason) => `dropped (${reason})`,
  closed: () => "only closed what was held",
  reduced: () => "only reduced what is held",
  held: () => "kept what is held",
  "no-stance": (reason) => `asked for nothing${reason === "" ? "" : ` (${reason})`}`,
  undecided: () => "undecided yet",
};

const cut = (text: string): string => {
  const line = oneLine(text).replace(/\.$/, "");
  return line.length <= REASON_MAX ? line : `${line.slice(0, REASON_MAX)}...`;
};

/** One part for each outcome, named by its most frequent reason, most decisions first. */
function parts(groups: readonly Group[]): readonly string[] {
  const byOutcome = new Map<string, Group[]>();
  for (const group of groups) byOutcome.set(group.outcome, [...(byOutcome.get(group.outcome) ?? []), group]);
  return [...byOutcome.values()]
    .map((of) => ({ of, count: of.reduce((sum, group) => sum + group.count, 0) }))
    .toSorted((a, b) => b.count - a.count)
    .map(({ of, count }) => {
      const [first] = of;
      const words = WORDS[first?.outcome ?? ""]?.(cut(first?.reason ?? "")) ?? cut(first?.reason ?? "");
      const others = count - (first?.count ?? 0);
      return `${count} ${words}${others > 0 ? `, ${others} of them for other reasons` : ""}`;
    });
}

/** "In the last 1h 12 decisions opened nothing: 7 because the model answered 404; 5 kept what is held." */
export function whyNotSentence({ fromMs, toMs, decisions, opened, groups, none }: WhyNotFacts): string {
  const span = `In the last ${formatSpan(toMs - fromMs)}`;
  if (none !== null) return `${span} there was no decision: ${oneLine(none)}.`;
  const idle = decisions - opened;
  if (idle === 0)
    return `${span} ${decisions === 1 ? "the one decision" : `all ${decisions} decisions`} opened something.`;
  const before = opened === 0 ? "" : ` ${counted(opened, "decision")} opened something,`;
  const what = parts(groups.filter(({ outcome }) => outcome !== "opened")).join("; ");
  return `${span}${before} ${counted(idle, "decision")} opened nothing: ${what}.`;
}

const clock = (atMs: number): string => `${isoTime(atMs).slice(0, 16)}Z`;

function groupText({ outcome, reason, count, examples }: Group): string {
  const ids = examples.map(({ decisionId, atMs }) => `${decisionId} at ${clock(atMs)}`).join(", ");
  const why = reason === "" ? "" : `  ${oneLine(reason)}`;
  return `  ${outcome.padEnd(12)}${String(count).padStart(5)}${why}\n${" ".repeat(21)}${ids}\n`;
}

export function whyNotText(facts: WhyNotFacts): string {
  const newest = facts.groups.find(({ outcome }) => outcome !== "opened")?.examples[0]?.decisionId;
  const further = newest === undefined ? "" : `Look further: ballast explain ${newest}\n`;
  const groups = facts.groups.length === 0 ? "" : `\n${facts.groups.map(groupText).join("")}`;
  return `${whyNotSentence(facts)}\n${groups}\nNow: ${oneLine(facts.now)}\n${further}`;
}
