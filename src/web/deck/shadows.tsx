/** Shadow strategies, which decide on paper beside the one that trades. */
import type { DeckNow } from "../../deck/shapes.ts";
import { percent, plain, share, usdt } from "../parts/format.ts";
import { type Column, Table } from "../parts/table.tsx";

type Shadow = DeckNow["deciding"]["shadows"][number];

const COLUMNS: readonly Column<Shadow>[] = [
  { name: "strategy", show: ({ name }) => name },
  {
    name: "return",
    show: ({ returnAfterCosts }) => percent(returnAfterCosts),
    figure: ({ returnAfterCosts }) => returnAfterCosts,
  },
  { name: "largest fall", show: ({ maxDrawdown }) => share(maxDrawdown, 2), figure: ({ maxDrawdown }) => maxDrawdown },
  { name: "Sharpe", show: ({ sharpe }) => plain(sharpe), figure: ({ sharpe }) => sharpe },
  { name: "trades", show: ({ trades }) => String(trades), figure: ({ trades }) => trades },
  {
    name: "won",
    show: ({ wins, trades }) => (trades > 0 ? share(wins / trades) : "-"),
    figure: ({ wins, trades }) => (trades > 0 ? wins / trades : null),
  },
  { name: "open", show: ({ open }) => String(open), figure: ({ open }) => open },
  { name: "cost bp", show: ({ costBps }) => plain(costBps), figure: ({ costBps }) => costBps },
  { name: "model", show: ({ model }) => model ?? "-" },
  { name: "model USD", show: ({ modelCostUsd }) => usdt(modelCostUsd, 4), figure: ({ modelCostUsd }) => modelCostUsd },
];

export function Shadows({ now }: { readonly now: DeckNow }) {
  if (now.deciding.shadows.length === 0) return null;
  return (
    <section aria-labelledby="shadows">
      <h2 id="shadows">Shadow strategies</h2>
      <div class="panel">
        <Table label="Shadow strategies" rows={now.deciding.shadows} columns={COLUMNS} />
      </div>
    </section>
  );
}
