/** Closes that the venue made without a write of ours: a stop or target that fired, or what somebody else did. */
import { fieldsOf, textIn } from "../journal/fields.ts";
import type { JournalRow } from "../journal/rows.ts";

/** A leg closed by its stop, its target or somebody else; `leg` is LONG or SHORT. */
export interface VenueClose {
  /** The `trade` row that says so. */
  readonly row: JournalRow;
  readonly symbol: string;
  readonly leg: string;
  readonly cause: "stop" | "target" | "outside";
  /** What closed the leg, as far as it was seen. */
  readonly fills: readonly JournalRow[];
}

const CAUSES = ["stop", "target", "outside"] as const;

/** Oldest first; `rows` in the order in which they were written. */
export function venueCloses(rows: readonly JournalRow[]): readonly VenueClose[] {
  const closing = new Map<string, JournalRow[]>();
  const closes: VenueClose[] = [];
  for (const row of rows) {
    if (row.kind === "fill" && fieldsOf(row.body)["opening"] === false) {
      const key = textIn(row.body, "leg") ?? "";
      closing.set(key, [...(closing.get(key) ?? []), row]);
    }
    if (row.kind !== "trade" || textIn(row.body, "event") !== "closed") continue;
    const [symbol, leg] = [textIn(row.body, "symbol") ?? "", textIn(row.body, "side") ?? ""];
    const cause = CAUSES.find((each) => each === textIn(row.body, "exit"));
    const fills = closing.get(`${symbol}|${leg}`) ?? [];
    closing.delete(`${symbol}|${leg}`);
    if (cause) closes.push({ row, symbol, leg, cause, fills });
  }
  return closes;
}
