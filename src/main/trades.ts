/** `ballast trades`: the closed trades, from the journal beside a running agent or after it has stopped. */
import type { TradesOptions } from "../faces/cli/explain-commands.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { closedTrades, tradeFacts, tradesTotal } from "../report/trades.ts";
import { tradesCsv, tradesText } from "../report/trades-text.ts";
import { complain, print, withJournal } from "./open-journal.ts";

/** The total covers every trade that meets the conditions; `limit` shows only the newest of them. */
export function tradesProgram(options: TradesOptions): Promise<number> {
  const { from: fromMs, to: toMs, symbol, strategy, limit } = options;
  if (options.json && options.csv) return Promise.resolve(complain("give --json or --csv, not both", EXIT.usage));
  if ((fromMs ?? 0) >= (toMs ?? Infinity)) return Promise.resolve(complain("--from must lie before --to", EXIT.usage));
  return withJournal(options, ({ reader, file }) => {
    const filter = {
      ...(fromMs === undefined ? {} : { fromMs }),
      ...(toMs === undefined ? {} : { toMs }),
      ...(symbol === undefined ? {} : { symbol }),
      ...(strategy === undefined ? {} : { strategy }),
    };
    const found = closedTrades(reader, filter);
    const trades = (limit === undefined ? found : found.slice(-limit)).map(tradeFacts);
    const total = tradesTotal(found);
    if (options.json) print(JSON.stringify({ trades, total }));
    else if (options.csv) print(tradesCsv(trades));
    else if (found.length > 0) print(tradesText(trades, total));
    if (found.length === 0) {
      const any = Object.keys(filter).length > 0 && closedTrades(reader, {}).length > 0;
      const next = any
        ? "Leave out a condition: ballast trades"
        : "See what is open with: ballast status; why nothing was opened: ballast why-not";
      process.stderr.write(`ballast: ${file} holds no closed trade${any ? " like that" : " yet"}. ${next}\n`);
    }
    return EXIT.ok;
  });
}
