/**
 * Asks analysts of the market, the news and the risk side by side, then makes one decision with their views. An
 * analyst has no vote: a view is a table row, fenced like the news, and a missing view is reported as missing.
 */
import { z } from "zod";
import type { Row } from "../src/context/prompt-cells.ts";
import { MARKET_COLUMNS } from "../src/context/prompt-tables.ts";
import type { Snapshot } from "../src/context/snapshot.ts";
import { hashOf } from "../src/core/hash.ts";
import { citableIn, citedNames, miscitedIn, reportMiscited, uncited, withShown } from "../src/strategy/citations.ts";
import { decided, nothingToAsk } from "../src/strategy/deciding.ts";
import { STANCES_MAX } from "../src/strategy/stances.ts";
import {
  defineStrategy,
  type Miscited,
  type ModelQuestion,
  type Reply,
  type StrategyAnswer,
} from "../src/strategy/strategy.ts";
import { deciding, shownSymbol, tablesOf } from "../src/strategy/trader-question.ts";
import { fingerprintOf } from "../src/strategy/trader-fingerprint.ts";
import { commonVariables, tradeRows } from "../src/strategy/trader-facts.ts";
import { type ANALYSTS, Settings } from "./settings/llm-panel.ts";

const NAME = "llm-panel";
const NOTE_CHARS_MAX = 200;

type Analyst = (typeof ANALYSTS)[number];

const viewOf = (symbol: z.ZodType<string>) =>
  z.strictObject({
    symbol,
    view: z.enum(["LONG", "SHORT", "FLAT", "NONE"]),
    conviction: z.number().min(0).max(1),
    note: z.string().max(1_000),
    evidence: citedNames,
  });
const viewsOf = <Named extends z.ZodType>(view: Named) =>
  z.strictObject({
    echo: z.string().max(100),
    views: z.array(view).max(STANCES_MAX),
    warning: z.string().max(1_000),
  });
const AnyViews = viewsOf(viewOf(z.string().max(120)).extend(uncited));

/** The analysts asked, in the order of the questions; once the decision is asked for, what they cited without having seen it. */
type Carry = { readonly asked: readonly Analyst[] } | { readonly miscited: readonly Miscited[] };

export default defineStrategy<Settings>({
  name: NAME,
  description: "Analysts of market, news and risk give their views side by side, then one decision weighs them.",
  settings: Settings,
  needsModel: true,
  decide: (snapshot, settings): StrategyAnswer => {
    const settled = nothingToAsk(snapshot);
    if (settled) return settled;
    const questions = settings.analysts.flatMap((analyst) => analystQuestion(analyst, snapshot, settings) ?? []);
    return questions.length === settings.analysts.length
      ? { kind: "ask", questions, carry: { asked: settings.analysts } satisfies Carry }
      : { kind: "abstain", note: "no symbol has a fresh quote and mark" };
  },
  interpret: ({ replies, carry }, snapshot, settings): StrategyAnswer => {
    const before = carry as Carry;
    if ("miscited" in before) {
      const answer = decided(replies, { strategy: NAME, snapshot, settings });
      if (answer.kind !== "targets") return answer;
      return { ...answer, ...reportMiscited([...before.miscited, ...(answer.miscited ?? [])]) };
    }
    const heard = before.asked.map((analyst, index) => viewRows(analyst, replies[index]));
    const views = heard.flatMap(({ rows }) => rows);
    const miscited = heard.flatMap((each) => each.miscited);
    const questions = deciding(snapshot, settings, { views, mark: views });
    return questions
      ? { kind: "ask", questions, carry: { miscited } satisfies Carry }
      : { kind: "abstain", note: "no symbol has a fresh quote and mark" };
  },
});

function analystQuestion(analyst: Analyst, snapshot: Snapshot, settings: Settings): ModelQuestion | null {
  const tables = tablesOf(snapshot, settings);
  const symbol = shownSymbol(snapshot, tables.market);
  if (!symbol) return null;
  // The texts of the other analysts leave the news out.
  const citable = citableIn(MARKET_COLUMNS, analyst === "news" ? { news: tables.news } : {});
  return {
    prompt: `llm-panel-${analyst}`,
    variables: {
      ...commonVariables(snapshot, settings),
      ...tables,
      trades: tradeRows(snapshot),
      viewsMax: STANCES_MAX,
      noteMaxChars: NOTE_CHARS_MAX,
    },
    replySchema: viewsOf(viewOf(symbol).transform(withShown(citable))),
    replySchemaName: "views",
    maxOutputTokens: settings.analystOutputTokens,
    fingerprint: hashOf([analyst, fingerprintOf(snapshot, settings), tables.market.map((row) => row["symbol"]).sort()]),
    tier: settings.analystModel,
  };
}

interface Heard {
  readonly rows: readonly Row[];
  readonly miscited: readonly Miscited[];
}

/** An analyst's views as rows for the decision, with the evidence that it was shown. */
function viewRows(analyst: Analyst, reply: Reply | undefined): Heard {
  const blank = { analyst, symbol: null, view: null, conviction: null, evidence: null };
  if (reply?.kind !== "answered") return { rows: [{ ...blank, note: "this analyst did not answer" }], miscited: [] };
  const { views, warning } = AnyViews.parse(reply.value);
  const rows = views.map((view): Row => ({
    analyst,
    symbol: view.symbol,
    view: view.view,
    conviction: view.conviction.toFixed(2),
    evidence: view.evidence.slice(0, 6).join(","),
    note: view.note.slice(0, NOTE_CHARS_MAX),
  }));
  const warned = { ...blank, note: `warning: ${warning.slice(0, NOTE_CHARS_MAX)}` };
  return { rows: warning.trim() === "" ? rows : [...rows, warned], miscited: miscitedIn(views) };
}
