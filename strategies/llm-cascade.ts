/**
 * A cheap model looks at what changed; the strong one is asked only if it matters. The triage can only save or cause
 * a call: its words never become a target, and a held symbol in a violent move skips it.
 */
import { z } from "zod";
import type { Row } from "../src/context/prompt-cells.ts";
import { type Snapshot, symbolView, type SymbolView } from "../src/context/snapshot.ts";
import { hashOf } from "../src/core/hash.ts";
import { decided, nothingToAsk } from "../src/strategy/deciding.ts";
import { defineStrategy, type ModelQuestion, type StrategyAnswer } from "../src/strategy/strategy.ts";
import { deciding, shownSymbol, tablesOf } from "../src/strategy/trader-question.ts";
import { fingerprintOf } from "../src/strategy/trader-fingerprint.ts";
import { commonVariables } from "../src/strategy/trader-facts.ts";
import { Settings } from "./settings/llm-cascade.ts";

const NAME = "llm-cascade";
const FIVE_MINUTES_OF_HOUR = Math.sqrt(1 / 12);
const NAMED_MAX = 8;

const triageOf = (symbol: z.ZodType<string>) =>
  z.strictObject({
    echo: z.string().max(100),
    matters: z.boolean(),
    symbols: z.array(symbol).max(NAMED_MAX),
    why: z.string().max(2_000),
  });
const AnyTriage = triageOf(z.string().max(120));

/** The strategy's state after its first round. */
type Stage = "triage" | "deciding";

export default defineStrategy<Settings>({
  name: NAME,
  description: "A cheap model judges whether anything changed that matters; only then the strong one is asked.",
  settings: Settings,
  needsModel: true,
  decide: (snapshot, settings): StrategyAnswer => {
    const settled = nothingToAsk(snapshot);
    if (settled) return settled;
    if (alarmed(snapshot, settings).length > 0) return askStrong(snapshot, settings, undefined);
    const question = triage(snapshot, settings);
    return question
      ? { kind: "ask", questions: [question], carry: "triage" satisfies Stage }
      : { kind: "abstain", note: "no symbol has a fresh quote and mark" };
  },
  interpret: ({ replies, carry }, snapshot, settings): StrategyAnswer => {
    if (carry === "deciding") return decided(replies, { strategy: NAME, snapshot, settings });
    const [reply] = replies;
    const read = AnyTriage.parse(reply?.kind === "answered" ? reply.value : null);
    const why = read.why.slice(0, 300);
    if (!read.matters) return { kind: "targets", targets: [], note: `triage: nothing matters. ${why}` };
    const named = new Set(read.symbols.filter((symbol) => symbolView(snapshot, symbol) !== undefined));
    return askStrong(snapshot, settings, settings.focus && named.size > 0 ? named : undefined);
  },
});

function askStrong(snapshot: Snapshot, settings: Settings, only: ReadonlySet<string> | undefined): StrategyAnswer {
  const questions = deciding(snapshot, settings, only === undefined ? {} : { only });
  return questions
    ? { kind: "ask", questions, carry: "deciding" satisfies Stage }
    : { kind: "abstain", note: "no symbol that matters has a fresh quote and mark" };
}

/** The largest known move in units of the symbol's own volatility. */
function moveOf({ volatilityHour: volatility, returns }: SymbolView): number {
  if (volatility === null || !(volatility > 0)) return 0;
  const hour = Math.abs(returns["1h"] ?? 0) / volatility;
  return Math.max(hour, Math.abs(returns["5m"] ?? 0) / (volatility * FIVE_MINUTES_OF_HOUR));
}

const alarmed = (snapshot: Snapshot, settings: Settings): readonly string[] =>
  (snapshot.account?.positions ?? [])
    .map(({ position }) => position.symbol)
    .filter((symbol) => {
      const view = symbolView(snapshot, symbol);
      return view !== undefined && moveOf(view) >= settings.alarmVolatilities;
    });

function triage(snapshot: Snapshot, settings: Settings): ModelQuestion | null {
  const tables = tablesOf(snapshot, settings);
  const market = tables.market
    .filter((row, index) => index < settings.triageSymbols || row["held"] !== null)
    .map((row): Row => {
      const view = symbolView(snapshot, String(row["symbol"]));
      return { ...row, move: view ? moveOf(view).toFixed(1) : null };
    });
  const symbol = shownSymbol(snapshot, market);
  if (!symbol) return null;
  const { positions, missing } = tables;
  const news = tables.news.slice(0, settings.triageNews);
  return {
    prompt: "llm-triage",
    variables: { ...commonVariables(snapshot, settings), positions, market, news, missing, namedMax: NAMED_MAX },
    replySchema: triageOf(symbol),
    replySchemaName: "triage",
    maxOutputTokens: settings.triageOutputTokens,
    fingerprint: hashOf(["triage", fingerprintOf(snapshot, settings), market.map((row) => row["symbol"]).sort()]),
    tier: "cheap",
  };
}
