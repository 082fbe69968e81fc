import { beyondBounds, within } from "../bounds.ts";
import { add, gt, max, mul, NIL, type Num, show, sub } from "../decimal.ts";
import { decimal, rec, text } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView, type JournalView, leavesOpening, type Write } from "../journal-view.ts";
import { sessionAt } from "../sessions.ts";
import { ONE } from "../venue-view.ts";

/** I11: the caps of an order and of its session, in USDT; judged from rows alone. */
export const i11: Invariant = {
  id: "I11",
  title: "Notional",
  rule: "Each opening order and each change of one, valued at the worse of its price and the mark with slippage (a limit to buy never fills above itself), is within the cap of its session and of the configuration; what a session has reserved stays within its total, and every opening order is reserved at no less than its value. No configuration gives a share, a slippage or a distance of stops beyond the verifier's own bounds.",
  needs: [],
  more: [],
  unseen: "",
  judge: (history) => {
    const view = journalView(history);
    return [
      ...beyondBounds(history.rows),
      ...view.writes.filter(leavesOpening).flatMap((write) => orderProblems(view, write)),
      ...totals(history),
    ];
  },
};

/** Quantity x price x contract size; null if the row lacks one of them. */
function valueOf(view: JournalView, { order: params, seen, row }: Write): Num | null {
  const qty = decimal(params, "quantity");
  const limit = decimal(params, "price");
  const mark = seen && decimal(seen, "mark");
  const size = (seen && rec(seen, "rules") && decimal(rec(seen, "rules") ?? {}, "contractSize")) ?? ONE;
  const slip = within(view.configAt(row.seq), "execution.slippage");
  const slipped = mark && mul(mark, add(ONE, slip));
  const price =
    limit && text(params, "side") === "BUY" ? limit : limit && slipped ? max(limit, slipped) : (slipped ?? limit);
  return qty && price ? mul(mul(qty, price), size) : null;
}

function orderProblems(view: JournalView, write: Write): readonly Finding[] {
  const { row, order: params, seen } = write;
  const value = valueOf(view, write);
  if (!value) return [finding(row.seq, `${write.clientOrderId ?? "an order"} cannot be valued from its row`)];
  const session = sessionAt(view, text(row.body, "automationSessionId") ?? "", { atMs: row.atMs });
  const share = within(view.configAt(row.seq), "risk.perOrderEquityShare");
  const equity = seen && decimal(seen, "equityUsdt");
  const caps: readonly (readonly [string, Num | null])[] = [
    ["the session's cap per order", session?.perOrder ?? null],
    ["the configured share of equity", equity ? mul(share, equity) : null],
  ];
  const over = caps.flatMap(([name, cap]) =>
    cap && gt(value, cap)
      ? [
          finding(
            row.seq,
            `${write.clientOrderId ?? text(params, "symbol") ?? ""} is worth ${show(value)}, ${name} is ${show(cap)}`,
          ),
        ]
      : [],
  );
  return [...over, ...unreserved(view, write)];
}

/** The session must count an order at its limit price before it is sent. */
function unreserved(view: JournalView, { row, previewId, order: params, seen }: Write): readonly Finding[] {
  if (text(row.body, "automationSessionId") === null) return [];
  const [qty, price] = [decimal(params, "quantity"), decimal(params, "price") ?? (seen && decimal(seen, "mark"))];
  const size = (seen && rec(seen, "rules") && decimal(rec(seen, "rules") ?? {}, "contractSize")) ?? ONE;
  const value = qty && price ? mul(mul(qty, price), size) : NIL;
  const reserved = view
    .having("session", "previewId", previewId)
    .find(({ body, seq }) => body["event"] === "reserved" && seq < row.seq);
  const counted = reserved && decimal(reserved.body, "notional");
  if (counted && !gt(value, counted)) return [];
  return [
    finding(
      row.seq,
      `preview ${previewId} is worth ${show(value)}, its session had reserved ${counted ? show(counted) : "nothing"}`,
    ),
  ];
}

function totals(history: History): readonly Finding[] {
  const view = journalView(history);
  const used = new Map<string, Num>();
  return view.kinds("session").flatMap(({ body, seq, atMs }) => {
    const id = text(body, "automationSessionId");
    const notional = decimal(body, "notional");
    if (id === null || notional === null) return [];
    const before = used.get(id) ?? NIL;
    const after = body["event"] === "reserved" ? add(before, notional) : max(NIL, sub(before, notional));
    used.set(id, after);
    const total = sessionAt(view, id, { atMs })?.total ?? null;
    if (body["event"] !== "reserved" || (total && !gt(after, total))) return [];
    return [finding(seq, `session ${id} has used ${show(after)} of ${total ? show(total) : "nothing known"}`)];
  });
}
