/** Closed trades as a table of at most 80 columns or as CSV. Knows only the shape of the facts. */
import { stringify } from "csv-stringify/sync";
import { formatSpan } from "../../core/time.ts";
import { inertCell } from "../../core/safe-text.ts";
import type { TradeFacts, TradesTotal } from "./trades.ts";

const WIDTHS = [12, 6, 6, 9, 9, 9, 8, 9, 12];
const HEADS = ["closed UTC", "coin", "side", "qty", "entry", "exit", "held", "net", "strategy"];

/** The columns of the CSV, one for each field of a trade. */
const COLUMNS: readonly (keyof TradeFacts)[] = [
  "closedAt",
  "symbol",
  "side",
  "qty",
  "entryPrice",
  "exitPrice",
  "heldMs",
  "netUsdt",
  "feesUsdt",
  "fundingUsdt",
  "exit",
  "exitReason",
  "strategy",
  "model",
];

/** Fixed widths without borders need no library, which takes longer to draw a dozen trades than to read them. */
const line = (cells: readonly string[]): string =>
  cells
    .map((text, at) => {
      const width = WIDTHS[at] ?? 0;
      return (text.length < width ? text : `${text.slice(0, width - 2)}…`).padEnd(width);
    })
    .join("")
    .trimEnd();

const money = (text: string | null): string => (text === null ? "?" : Number(text).toFixed(2));
/** EXCHANGE_A_PERP_BTC_USDT is the coin BTC. */
const coin = (symbol: string): string => /_PERP_(.+)_[A-Z]+$/.exec(symbol)?.[1] ?? symbol;

const COLUMNS_MAX = 79;
const cut = (text: string): string => (text.length <= COLUMNS_MAX ? text : `${text.slice(0, COLUMNS_MAX - 1)}…`);

/** Each trade has a second line with fees, funding, the model that answered and the reason of its exit. */
export function tradesText(trades: readonly TradeFacts[], total: TradesTotal): string {
  const lines = trades.flatMap((trade) => {
    const first = line([
      `${trade.closedAt.slice(5, 10)} ${trade.closedAt.slice(11, 16)}`,
      coin(trade.symbol),
      trade.side,
      trade.qty,
      trade.entryPrice,
      trade.exitPrice ?? "?",
      formatSpan(trade.heldMs),
      money(trade.netUsdt),
      trade.strategy ?? "?",
    ]);
    const model = trade.model === null ? "" : `, ${trade.model}`;
    const costs = `  fees ${money(trade.feesUsdt)}, funding ${money(trade.fundingUsdt)}${model}`;
    return [first, cut(`${costs}; ${trade.exitReason || trade.exit}`).trimEnd()];
  });
  const unknown = total.unknown > 0 ? `; result of ${total.unknown} not known` : "";
  const sum = `total of ${total.trades}: net ${money(total.netUsdt)} USDT, fees ${money(total.feesUsdt)}, funding ${money(total.fundingUsdt)}${unknown}`;
  return [line(HEADS), ...lines, sum].join("\n");
}

/** One record for each trade, with a header. */
export const tradesCsv = (trades: readonly TradeFacts[]): string =>
  stringify(
    trades.map((trade) => ({
      ...trade,
      exitReason: inertCell(trade.exitReason),
      strategy: inertCell(trade.strategy ?? ""),
      model: inertCell(trade.model ?? ""),
    })),
    { header: true, columns: [...COLUMNS] },
  );
