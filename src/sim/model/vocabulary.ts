/**
 * The meaning of another author's reply schema for the practice model: a list of objects with a symbol takes stances,
 * under any name; `side: "buy"` is a LONG; a stop may be in percent or a fraction. So an unknown strategy gets an
 * answer in its own terms. The opinions come from rule-model.ts.
 */
import { isRecord } from "../../core/record.ts";
import { type Decision, idle, type Opinion } from "./opinions.ts";
import type { Guide, JsonSchema } from "./schema-leaves.ts";
import type { Vocabulary } from "./schema-choice.ts";

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");

const SYMBOL = /^(?:symbol|sym|ticker|instrument|market|pair|coin|asset|contract)(?:name|id)?s?$/;
const DIRECTION =
  /^(?:stance|side|direction|action|position|signal|leg|bias|view|decision|trend|call|move|trade|recommendation|verdict)s?$/;

/** Further names of an opinion's members, by meaning. The first match counts. */
const SAYINGS: readonly (readonly [RegExp, (said: Opinion, part: JsonSchema) => unknown])[] = [
  [SYMBOL, (said) => said.symbol],
  [DIRECTION, (said) => said.stance],
  [/^(?:size|weight|allocation|share|fraction|amount|exposure|position_?size)/, (said) => said.size],
  [
    /^(?:conviction|confidence|probability|certainty|strength|score|odds)/,
    (said, part) => scaled(said.conviction, part),
  ],
  [/^(?:target|takeprofit|tp|profit)/, (said, part) => distance(said.targetPct, said.targetVolatilities, part)],
  [/stop|^sl/, (said, part) => distance(said.stopPct, said.stopVolatilities, part)],
  [/minutes|mins/, (said) => said.horizonMinutes],
  [/hours/, (said) => said.horizonMinutes / 60],
  [/horizon|timeframe|duration/, (said) => said.horizon],
  [/^(?:urgency|ordertype|execution|how)/, (said) => said.urgency],
  [/^(?:against|counter|opposite|risk)/, (said) => said.invalidation],
  [/invalid|wrong/, (said) => said.invalidation],
  [/^(?:evidence|sources?|basis|figures|refs|references|because)/, (said) => said.evidence],
  [
    /^(?:reason|why|rational|note|comment|explanation|thesis|thinking|text|justification|summary)/,
    (said) => said.reason,
  ],
];

/** The schema's own name and bounds, where a figure may be in several units. */
interface Named extends JsonSchema {
  readonly nameGiven?: string;
}

const mostOf = (part: JsonSchema): number => Number(part["maximum"] ?? part["exclusiveMaximum"] ?? Infinity);

/** From one to a hundred if the bound says so. */
const scaled = (share: number, part: JsonSchema): number => {
  const most = mostOf(part);
  return most > 1 && Number.isFinite(most) ? Math.round(share * most) : share;
};

/** In volatilities or percent if the name says so; else a fraction of price, unless the bounds allow percent. */
function distance(pct: number | null, volatilities: number | null, part: Named): number | null {
  const name = part.nameGiven ?? "";
  if (/vol|atr|sigma|multiple|deviation/.test(name)) return volatilities;
  if (pct === null) return null;
  if (/pct|percent/.test(name)) return pct;
  if (/bps|basis/.test(name)) return pct * 100;
  const isPercent = mostOf(part) > 1 && Number.isFinite(mostOf(part));
  return isPercent ? pct : Number((pct / 100).toFixed(5));
}

const isDecision = (guide: Guide): guide is Decision => isRecord(guide) && Array.isArray(guide["shownSymbols"]);
const isOpinion = (guide: Guide): guide is Opinion =>
  isRecord(guide) && typeof guide["symbol"] === "string" && typeof guide["stance"] === "string";

const membersOf = (part: unknown): readonly string[] =>
  isRecord(part) && isRecord(part["properties"]) ? Object.keys(part["properties"]).map(plain) : [];

/** An object about one symbol. */
const isAboutOne = (part: unknown): boolean =>
  membersOf(part).some((name) => SYMBOL.test(name) || DIRECTION.test(name));

/** Null and a list may be nested; the inner schema is the relevant one. */
function kindsIn(part: JsonSchema): readonly JsonSchema[] {
  const branches = part["anyOf"] ?? part["oneOf"];
  return Array.isArray(branches) ? branches.filter(isRecord).flatMap(kindsIn) : [part];
}

function sayOfOne(said: Opinion, name: string, part: JsonSchema): unknown {
  const found = SAYINGS.find(([names]) => names.test(name));
  return found?.[1](said, { ...part, nameGiven: name } as Named);
}

/** Opinions for a list, with idle ones if it must be longer. */
function opinionsFor({ stances, shownSymbols }: Decision, list: JsonSchema): readonly Opinion[] {
  const least = typeof list["minItems"] === "number" ? list["minItems"] : 0;
  const unsaid = shownSymbols.filter((symbol) => stances.every((each) => each.symbol !== symbol));
  return [...stances, ...unsaid.slice(0, Math.max(0, least - stances.length)).map(idle)];
}

const baseOf = (symbol: string): string => plain(symbol.split("_").at(-2) ?? symbol);

function sayOfAll(said: Decision, name: string, part: JsonSchema): unknown {
  const symbol = said.shownSymbols.find((each) => plain(each) === name || baseOf(each) === name);
  const first = said.stances[0] ?? idle(said.shownSymbols[0] ?? "");
  const named = symbol === undefined ? first : (said.stances.find((each) => each.symbol === symbol) ?? idle(symbol));
  for (const kind of kindsIn(part)) {
    const items = kind["items"];
    if (isAboutOne(items)) return opinionsFor(said, kind);
    if (isRecord(items))
      return SYMBOL.test(name) ? said.symbols : /^(?:evidence|sources?)/.test(name) ? named.evidence : undefined;
    if (isAboutOne(kind))
      return kindsIn(part).length > 1 && symbol === undefined && said.stances.length === 0 ? null : named;
    if (membersOf(kind).length > 0) return said;
  }
  if (symbol !== undefined) return named.stance;
  const worded =
    /^(?:reason|why|rational|note|comment|explanation|thesis|thinking|text|justification|analysis|answer)/.test(name);
  return worded ? said.summary : sayOfOne(first, name, part);
}

/** Words for each meaning, by their beginning; an idle answer changes nothing. */
const WORDS: Readonly<Record<string, RegExp>> = {
  LONG: /^(?:open|enter|go)?(?:strong)?(?:long|buy|bull|up|positive|rise)/,
  SHORT: /^(?:open|enter|go)?(?:strong)?(?:short|sell|bear|down|negative|fall)/,
  FLAT: /^(?:flat|close|exit|out|neutral|none|reduce)/,
  NONE: /^(?:none|hold|wait|keep|stay|pass|skip|nothing|neutral|noop|noaction|flat|unclear)/,
  take: /^(?:take|market|now|aggressive|immediate|high|urgent)/,
  rest: /^(?:rest|limit|passive|patient|post|low)/,
  minutes: /^(?:minute|short|scalp|intraday)/,
  hours: /^(?:hour|medium|intraday|day)/,
  days: /^(?:day|long|swing)/,
};

/** Words for a share of the whole. */
const stepFor = (share: number): RegExp =>
  share > 0.7
    ? /^(?:large|big|full|high)/
    : share > 0.4
      ? /^(?:medium|half|normal|mid)/
      : /^(?:small|light|low|little)/;

/** The words of trading that schemas use, for a guide that is a `Decision` or an `Opinion` of it. */
export const TRADING_VOCABULARY: Vocabulary = {
  member: (guide, name, part) => {
    if (isDecision(guide)) return sayOfAll(guide, plain(name), part);
    return isOpinion(guide) ? sayOfOne(guide, plain(name), part) : undefined;
  },
  word: (words, said) => {
    const meant = typeof said === "number" ? stepFor(said) : WORDS[said];
    return words.find((word) => typeof word === "string" && (meant?.test(plain(word)) ?? false));
  },
};
