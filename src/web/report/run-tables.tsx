/** The tables of one run: its trades, what was refused, and the results grouped. */
import type { SheetGrouping, SheetRefusal, SheetTrade } from "../../lab/sheet/sheet-data.ts";
import { coin, dayTime, percent, price, prose, share, signedUsdt, span, usdt } from "../parts/format.ts";
import { type Column, Table } from "../parts/table.tsx";

const toned = (value: number | null, text: string) => (
  <span class={value === null || value === 0 ? "" : value > 0 ? "gain" : "loss"}>{text}</span>
);

/** Of one closed position. */
export const TRADE_COLUMNS: readonly Column<SheetTrade>[] = [
  { name: "opened", show: ({ openedAtMs }) => dayTime(openedAtMs) },
  { name: "coin", show: ({ symbol }) => coin(symbol) },
  { name: "side", show: ({ side }) => side.toLowerCase() },
  { name: "entry", show: ({ entryPrice }) => price(entryPrice), figure: ({ entryPrice }) => entryPrice },
  { name: "exit", show: ({ exitPrice }) => price(exitPrice), figure: ({ exitPrice }) => exitPrice },
  {
    name: "held",
    show: (trade) => span(trade.closedAtMs - trade.openedAtMs),
    figure: (trade) => trade.closedAtMs - trade.openedAtMs,
  },
  { name: "net", show: ({ netUsdt }) => toned(netUsdt, signedUsdt(netUsdt)), figure: ({ netUsdt }) => netUsdt },
  { name: "fees", show: ({ feesUsdt }) => usdt(feesUsdt), figure: ({ feesUsdt }) => feesUsdt },
  { name: "worst", show: ({ worst }) => percent(worst), figure: ({ worst }) => worst },
  { name: "best", show: ({ best }) => percent(best), figure: ({ best }) => best },
  { name: "market", show: ({ regime }) => regime },
  {
    name: "why out",
    show: ({ exit, exitReason }) => prose(exitReason || exit),
    sortText: ({ exit }) => exit,
    long: true,
  },
  { name: "why in", show: ({ thesis }) => prose(thesis), long: true },
];

/** Of one reason that kept positions from opening. */
export const REFUSAL_COLUMNS: readonly Column<SheetRefusal>[] = [
  { name: "times", show: ({ count }) => String(count), figure: ({ count }) => count },
  { name: "what", show: ({ what }) => prose(what), long: true },
  { name: "one of them", show: ({ example }) => prose(example), long: true },
];

const TITLES: Record<SheetGrouping["by"], string> = {
  symbol: "By symbol",
  hour: "By hour of the opening",
  exit: "By what ended it",
  regime: "By the market at the opening",
};

/** Results by one property of the trades. */
export function Grouping({ grouping: { by, groups } }: { readonly grouping: SheetGrouping }) {
  const columns: readonly Column<SheetGrouping["groups"][number]>[] = [
    { name: by, show: ({ key }) => (by === "symbol" ? coin(key) : key) },
    { name: "trades", show: ({ trades }) => String(trades), figure: ({ trades }) => trades },
    {
      name: "won",
      show: ({ won, trades }) => share(won / trades),
      figure: ({ won, trades }) => won / trades,
    },
    { name: "net", show: ({ netUsdt }) => toned(netUsdt, signedUsdt(netUsdt)), figure: ({ netUsdt }) => netUsdt },
    { name: "fees", show: ({ feesUsdt }) => usdt(feesUsdt), figure: ({ feesUsdt }) => feesUsdt },
  ];
  return (
    <div class="panel">
      <h3>{TITLES[by]}</h3>
      <Table label={TITLES[by]} rows={groups} columns={columns} empty="No trades." />
    </div>
  );
}
