/**
 * The same rule on the same bars by `@backtest/framework`, for `npm run bench:backtest`. The library keeps its bars in a database,
 * whose client fetches a program from a server of its own when it is installed. Only its loop is of interest here, so that the
 * bars come from memory, and the library is no dependency: `npm install --no-save @backtest/framework` puts it beside the others.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { MINUTE_MS } from "../../src/core/time.ts";
import type { Recorded } from "../../src/sim/market/recorded.ts";

const LIBRARY = "@backtest/framework";
const NAME = "bench";

/** Long above the mean of thirty closes, out below it, with a stop at 1 %. */
const RULE = `exports.runStrategy = async (bth) => {
  const closes = await bth.getCandles("close", 30, 0);
  const mean = closes.reduce((sum, close) => sum + close, 0) / closes.length;
  const { close } = bth.currentCandle;
  if (!bth.orderBook.bought && close > mean * 1.002) await bth.buy({ stopLoss: close * 0.99 });
  else if (bth.orderBook.bought && close < mean) await bth.sell();
};
`;

interface Library {
  run(params: object): Promise<{ readonly allOrders: readonly unknown[] }>;
}

/** The table of bars that the library asks its database for. */
function tableOf({ candles }: Recorded): object {
  const bars = Array.from({ length: candles.count }, (_, at) => {
    const openTime = candles.openMs[at] ?? 0;
    return {
      ...{ id: at, metaCandleId: 1, openTime, closeTime: openTime + MINUTE_MS - 1, assetVolume: 0, numberOfTrades: 0 },
      ...{ open: candles.open[at], high: candles.high[at], low: candles.low[at], close: candles.close[at] },
      volume: candles.volume[at],
    };
  });
  const meta = { id: 1, name: NAME, symbol: "BTCUSDT", interval: "1m", base: "BTC", quote: "USDT", candles: bars };
  return { findMany: () => Promise.resolve([meta]) };
}

/** Loads the library with that table in place of its database. */
function load(require: NodeJS.Require, recorded: Recorded): Library {
  const client = require.resolve("@prisma/client");
  const stub = new Module(client);
  stub.exports = {
    PrismaClient: function PrismaClient() {
      return { metaCandle: tableOf(recorded) };
    },
  };
  stub.loaded = true;
  require.cache[client] = stub;
  return require(path.join(path.dirname(require.resolve(LIBRARY)), "src/helpers/run-strategy.js")) as Library;
}

/** Plays the rule over the first `bars` of one symbol; null where the library is not installed. Returns the number of its orders. */
export async function backtestFramework(recorded: Recorded, bars: number): Promise<(() => Promise<number>) | null> {
  const require = createRequire(import.meta.url);
  try {
    require.resolve(LIBRARY);
  } catch {
    return null;
  }
  const library = load(require, recorded);
  const [firstMs, lastMs] = [recorded.candles.openMs[29] ?? 0, recorded.candles.openMs[bars - 1] ?? 0];
  return async () => {
    const rootPath = mkdtempSync(path.join(tmpdir(), "ballast-bench-"));
    writeFileSync(path.join(rootPath, `${NAME}.js`), RULE);
    try {
      const { allOrders } = await library.run({
        ...{ strategyName: NAME, historicalData: [NAME], supportHistoricalData: [], rootPath, params: {} },
        ...{
          startingAmount: 1_000,
          startTime: firstMs,
          endTime: lastMs + MINUTE_MS,
          percentFee: 0.05,
          percentSlippage: 0,
        },
      });
      return allOrders.length;
    } finally {
      rmSync(rootPath, { recursive: true, force: true });
    }
  };
}
