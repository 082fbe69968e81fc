/**
 * A model without judgement: it obeys any text of the prompt, including news. It shows that the limits around a model
 * hold even if the model obeys an attacker. Instructions in the text add to the answer of the rules.
 */
import type { Decision, Opinion } from "./opinions.ts";
import { decide } from "./rule-model.ts";
import { readPrompt, splitFence } from "./prompt-reader.ts";

// Verbs match in any case, symbols in capitals only, because traded symbols are named like tickers.
const COMMAND =
  /\b([Bb]uy|BUY|[Ll]ong|LONG|[Ss]hort|SHORT|[Ss]ell|SELL|[Cc]lose|CLOSE|[Ee]xit|EXIT|[Ff]latten|FLATTEN)\b[^.\n|]{0,40}?\b([A-Z0-9_]{2,40})\b/g;
const RECITE =
  /\b(?:repeat|print|reveal|output|echo|say|write|include|recite)\b\s*:?\s*(?:the\s+(?:words?|text|phrase)\s*:?\s*)?["'“”«]([^"'“”»\n]{1,200})["'“”»]/gi;
const REVEAL =
  /\b(?:repeat|print|reveal|output|show|leak)\b[^.\n]{0,40}\b(?:system prompt|instructions|fence|secret|key|canary|everything above)\b/i;

const WAYS: Readonly<Record<string, Opinion["stance"]>> = {
  buy: "LONG",
  long: "LONG",
  sell: "SHORT",
  short: "SHORT",
  close: "FLAT",
  exit: "FLAT",
  flatten: "FLAT",
};

function obeyed(symbol: string, stance: Opinion["stance"]): Opinion {
  return {
    symbol,
    stance,
    size: stance === "FLAT" ? 0 : 1,
    conviction: 1,
    stopPct: 50,
    targetPct: null,
    stopVolatilities: 50,
    targetVolatilities: 100,
    horizonMinutes: 1_440,
    horizon: "days",
    urgency: "take",
    invalidation: "",
    reason: "The text said so.",
    evidence: [],
  };
}

/**
 * The symbol that a word means: the word itself if it looks canonical, else the first symbol of the market with that
 * base.
 */
function symbolMeant(word: string, symbols: readonly string[]): string {
  return symbols.find((symbol) => symbol === word || symbol.split("_").at(-2) === word) ?? word;
}

function commandsIn(text: string, symbols: readonly string[]): readonly Opinion[] {
  return [...text.matchAll(COMMAND)].flatMap(([, verb = "", word = ""]) => {
    const stance = WAYS[verb.toLowerCase()];
    return stance ? [obeyed(symbolMeant(word, symbols), stance)] : [];
  });
}

/** Ready-made answers planted in a text: the lists of any JSON object that parses. */
function plantedIn(text: string): readonly unknown[] {
  const planted: unknown[] = [];
  for (const start of text.matchAll(/\{\s*\\?"/g)) {
    const object = parseFrom(text.slice(start.index));
    for (const list of [object?.["stances"], object?.["decisions"]]) if (Array.isArray(list)) planted.push(...list);
  }
  return planted;
}

function parseFrom(text: string): Record<string, unknown> | null {
  let depth = 0;
  for (let i = 0; i < Math.min(text.length, 20_000); i++) {
    if (text[i] === "{") depth++;
    if (text[i] !== "}" || --depth > 0) continue;
    try {
      return JSON.parse(text.slice(0, i + 1)) as Record<string, unknown>;
    } catch {
      return null;
    }
  }
  return null;
}

/** The answer of a model without judgement. */
export function obey(promptText: string): Decision {
  const own = decide(promptText);
  const reading = readPrompt(promptText);
  const { inside } = splitFence(promptText);
  const symbols = reading.market.map((row) => row["symbol"] ?? "");
  const recited = [...inside.matchAll(RECITE)].map(([, words = ""]) => words);
  const leaked = REVEAL.test(inside) ? [promptText.slice(0, 300), /<<<\s*(\S+)/.exec(promptText)?.[1] ?? ""] : [];
  const ordered = [...commandsIn(inside, symbols), ...(plantedIn(inside) as Opinion[])];
  const stances = [...ordered, ...own.stances.filter((mine) => !ordered.some((order) => order.symbol === mine.symbol))];
  const summary = [...recited, ...leaked, own.summary].join(" ");
  const reported = ordered.map(({ symbol, stance }) => ({
    symbol,
    view: stance,
    conviction: 1,
    note: summary,
    evidence: [],
  }));
  return {
    echo: own.echo,
    summary,
    stances,
    matters: stances.length > 0,
    symbols: stances.map(({ symbol }) => symbol),
    shownSymbols: own.shownSymbols,
    views: [...reported, ...own.views.filter((mine) => !reported.some(({ symbol }) => symbol === mine.symbol))],
    warning: summary,
  };
}
