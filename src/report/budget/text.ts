/** A budget day as a page of text. Knows only the shape of the facts; money comes as decimal text. */
import Table from "cli-table3";
import { DAY_MS, formatSpan } from "../../core/time.ts";
import { counted } from "../../core/words.ts";

/** USD as decimal text; tokens are those of paid calls. */
export interface TallyFacts {
  readonly name: string;
  readonly decisions: number;
  readonly calls: number;
  readonly cached: number;
  readonly failed: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly costUsd: string;
  readonly savedUsd: string;
}

/** What `--format json` prints: instants ISO 8601, USD as decimal text, shares 0 to 1. */
export interface BudgetFacts {
  readonly from: string;
  readonly to: string;
  readonly limitUsd: string;
  readonly spentUsd: string;
  readonly reservedUsd: string;
  readonly leftUsd: string;
  readonly last24hUsd: string;
  readonly adoptedUsd: string;
  /** Calls of unknown outcome, booked at their bounds. */
  readonly unknown: PartFacts;
  /** Calls whose usage was not reported, counted by our tokenizer. */
  readonly estimated: PartFacts;
  /** Given back because the gateway's counter proved less. */
  readonly correctedUsd: string;
  readonly forecastUsd: string | null;
  readonly floorUsd: string | null;
  readonly outcomes: { readonly decided: number; readonly held: number; readonly failed: number };
  /** What each use bought; `worthPercent` in percent of a largest position, over the `judged` changes. */
  readonly byUse: readonly {
    readonly name: string;
    readonly calls: number;
    readonly costUsd: string;
    readonly share: number;
    readonly decisions: number | null;
    readonly changed: number | null;
    readonly judged: number;
    readonly worthPercent: number | null;
  }[];
  readonly perDecision: {
    readonly decisions: number;
    readonly promptTokens: number;
    readonly completionTokens: number;
    readonly usd: string;
    /** How many such decisions the day's limit pays for; null if none cost anything. */
    readonly perDay: number | null;
  };
  readonly cache: {
    readonly hits: number;
    readonly share: number;
    readonly savedUsd: string;
    readonly prefixTokens: number;
    readonly prefixShare: number;
    readonly prefixSavedUsd: string;
  };
  readonly total: TallyFacts;
  readonly byStrategy: readonly TallyFacts[];
  readonly byModel: readonly TallyFacts[];
  readonly byDecision: readonly TallyFacts[];
  readonly buys: readonly {
    readonly model: string;
    readonly prices: readonly string[];
    readonly promptTokens: number;
    readonly cachedTokens: number;
    readonly completionTokens: number;
    readonly usdPerCall: string;
    readonly usdPerCallUncached: string;
    readonly callsPerDay: number;
    readonly everyMs: number;
  }[];
}

/** Some of the day's calls, and USD booked for them. */
export interface PartFacts {
  readonly calls: number;
  readonly usd: string;
}

const DECISIONS_SHOWN = 12;

const money = (text: string): string => Number(text).toFixed(Number(text) !== 0 && Number(text) < 0.01 ? 6 : 4);
const share = (value: number): string => `${(value * 100).toFixed(1)} %`;
const row = (name: string, text: string): string => `  ${name.padEnd(14)} ${text}\n`;

/** Lists only the dozen most expensive decisions; JSON has all. */
export function budgetText(facts: BudgetFacts): string {
  const { outcomes, cache, perDecision } = facts;
  const page = [
    `Model money of the budget day ${facts.from} to ${facts.to}, USD\n`,
    row("spent", `${money(facts.spentUsd)} of ${money(facts.limitUsd)}${adopted(facts)}`),
    uncertainText(facts),
    row("reserved", money(facts.reservedUsd)),
    row("left", `${money(facts.leftUsd)} (in the last 24 hours ${money(facts.last24hUsd)} were used)`),
    facts.forecastUsd === null ? "" : row("forecast", `${money(facts.forecastUsd)} at this pace${floorWords(facts)}`),
    row(
      "decisions",
      `${outcomes.decided} decided, ${outcomes.held} held, ${outcomes.failed} failed (the fallback decided)`,
    ),
    row(
      "a decision",
      `${perDecision.promptTokens} tokens read, ${perDecision.completionTokens} written, ${money(perDecision.usd)} USD on average${perDayWords(facts)}`,
    ),
    row(
      "answer cache",
      `${counted(cache.hits, "hit")} (${share(cache.share)} of answers), ${money(cache.savedUsd)} saved`,
    ),
    row(
      "prefix cache",
      `${cache.prefixTokens} tokens (${share(cache.prefixShare)} of what was read), ${money(cache.prefixSavedUsd)} saved`,
    ),
  ];
  return `${page.join("")}${tables(facts)}${buysText(facts)}`;
}

const calls = (count: number): string => counted(count, "call");

/** The uncertain part of the spending: bounds of calls with an unknown outcome, and usage that we counted ourselves. */
function uncertainText({ unknown, estimated, correctedUsd }: BudgetFacts): string {
  const back = Number(correctedUsd) > 0 ? `; ${money(correctedUsd)} were given back, as it did` : "";
  const bound = `${money(unknown.usd)} of it for ${calls(unknown.calls)} of unknown outcome, until the gateway's counter proves less${back}`;
  const counted = `${money(estimated.usd)} of it for ${calls(estimated.calls)} without a stated usage, counted by our tokenizer`;
  return `${unknown.calls === 0 ? "" : row("as bound", bound)}${estimated.calls === 0 ? "" : row("estimated", counted)}`;
}

const perDayWords = ({ limitUsd, perDecision: { perDay } }: BudgetFacts): string =>
  perDay ? `; ${money(limitUsd)} USD buy ${perDay} of them a day, one every ${formatSpan(DAY_MS / perDay)}` : "";

const adopted = ({ adoptedUsd }: BudgetFacts): string =>
  Number(adoptedUsd) > 0 ? `, of it ${money(adoptedUsd)} that only the gateway knew of` : "";

const floorWords = ({ floorUsd, forecastUsd }: BudgetFacts): string => {
  if (floorUsd === null) return "";
  const under = Number(forecastUsd) < Number(floorUsd);
  return under ? `, BELOW the lower band of ${money(floorUsd)}` : `, above the lower band of ${money(floorUsd)}`;
};

function tables(facts: BudgetFacts): string {
  if (facts.byDecision.length === 0) return "  No model was asked on this day.\n";
  const dearest = [...facts.byDecision].slice(0, DECISIONS_SHOWN);
  const more = facts.byDecision.length - dearest.length;
  const tail = more > 0 ? `  and ${more} more; --format json lists all\n` : "";
  return `${useTable(facts)}${tallyTable("strategy", facts.byStrategy)}${tallyTable("model", facts.byModel)}${tallyTable("decision", dearest)}${tail}`;
}

/** What the changes of a use were worth on paper, four hours later and before costs. */
function useTable({ byUse }: BudgetFacts): string {
  const table = new Table({
    head: ["use", "calls", "USD", "share", "decisions", "changed", "worth after 4h"],
    style: { head: [], border: [], compact: true },
  });
  for (const { name, calls: asked, costUsd, share: part, decisions, changed, judged, worthPercent } of byUse) {
    const worth = worthPercent === null ? "-" : `${worthPercent.toFixed(2)} % of a position (${judged})`;
    table.push([name, asked, money(costUsd), share(part), decisions ?? "-", changed ?? "-", worth]);
  }
  return `${table.toString()}\n`;
}

function tallyTable(what: string, tallies: readonly TallyFacts[]): string {
  const table = new Table({
    head: [what, "decisions", "calls", "cached", "failed", "read", "of it cached", "written", "USD", "saved"],
    style: { head: [], border: [], compact: true },
  });
  for (const tally of tallies) {
    table.push([
      tally.name,
      tally.decisions,
      tally.calls,
      tally.cached,
      tally.failed,
      tally.promptTokens,
      tally.cachedTokens,
      tally.completionTokens,
      money(tally.costUsd),
      money(tally.savedUsd),
    ]);
  }
  return `${table.toString()}\n`;
}

function buysText({ buys, limitUsd }: BudgetFacts): string {
  return buys
    .map(({ model, prices, usdPerCall, usdPerCallUncached, callsPerDay, everyMs, ...tokens }) => {
      const [input, output, cached] = prices;
      const read = `${tokens.promptTokens} read (${tokens.cachedTokens} from the prefix cache), ${tokens.completionTokens} written`;
      const stated = `${model} at ${input ?? "?"} in, ${output ?? "?"} out, ${cached ?? "?"} cached a million`;
      const spread = everyMs > 0 ? `, one every ${formatSpan(everyMs)}` : "";
      return `  ${stated}: a question like today's mean (${read}) costs ${money(usdPerCall)}, ${money(usdPerCallUncached)} without a prefix cache; ${money(limitUsd)} USD buy ${callsPerDay} a day${spread}\n`;
    })
    .join("");
}
