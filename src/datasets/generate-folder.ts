/** `ballast data make`: writes a synthetic market as a data folder that playback takes like a recorded one. */
import path from "node:path";
import { gzipSync } from "node:zlib";
import { ok, type Result } from "../core/result.ts";
import { MINUTE_MS } from "../core/time.ts";
import { CANDLE_HEADER } from "./candle-rows.ts";
import { monthsOf } from "./folder.ts";
import { keepParts, type DataPart } from "./keep-parts.ts";
import { type GeneratedBar, type GenerationRequest, generateMarket } from "./generated-market.ts";

export interface GeneratedFolder {
  /** As `--window` takes it. */
  readonly window: string;
  readonly candles: number;
  readonly planted: readonly string[];
}

/** Five digits that count, two decimals of volume: as an exchange would quote it. */
const decimalsOf = (price: number): number => Math.max(1, 4 - Math.floor(Math.log10(price)));

/** All or nothing; the error says what to do. */
export function generateFolder(dir: string, request: GenerationRequest): Result<GeneratedFolder, string> {
  const { bars, funding, headlines, planted } = generateMarket(request);
  const { kind, fromMs, forMs, seed } = request;
  const name = `perp-${kind}-${seed}-${monthsOf(fromMs, fromMs + forMs - MINUTE_MS)}`;
  const window = path.join("klines-1m", name);
  const rates = [...funding].flatMap(([symbol, rows]) =>
    rows.map(({ atMs, rate }) => `${symbol},${atMs},${rate.toFixed(6)}`),
  );
  const stories = headlines.map(({ atMs, symbol, title }) =>
    JSON.stringify({ ts_ms: atMs, source: "made", subject: symbol.replace(/USDT$/, ""), title, url: null }),
  );
  const news: readonly DataPart[] =
    stories.length === 0 ? [] : [{ target: path.join("news", `${name}.jsonl.gz`), content: () => packed(stories) }];
  const candles = [...bars].map(([symbol, rows]) => [`${symbol}.csv.gz`, () => packed(linesOf(rows, fromMs))] as const);
  const kept = keepParts(dir, [
    ...news,
    {
      target: path.join("funding", `${name}.csv.gz`),
      content: () => packed(["symbol,funding_time_ms,funding_rate", ...rates]),
    },
    { target: window, content: new Map(candles) },
  ]);
  if (!kept.ok) return kept;
  return ok({ window, candles: [...bars.values()].reduce((sum, rows) => sum + rows.length, 0), planted });
}

const packed = (lines: readonly string[]): Buffer => gzipSync(`${lines.join("\n")}\n`);

function linesOf(bars: readonly GeneratedBar[], fromMs: number): readonly string[] {
  const decimals = decimalsOf(bars[0]?.open ?? 1);
  const price = (value: number): string => value.toFixed(decimals);
  return [
    CANDLE_HEADER,
    ...bars.map(
      ({ open, high, low, close, volume }, at) =>
        `${fromMs + at * MINUTE_MS},${price(open)},${price(high)},${price(low)},${price(close)},${volume.toFixed(2)}`,
    ),
  ];
}
