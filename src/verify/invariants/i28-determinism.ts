import { finding, type Invariant } from "../history.ts";

/** I28: row by row against an equal run; the finding is the first difference. A run in real time has no equal. */
export const i28: Invariant = {
  id: "I28",
  title: "Determinism",
  rule: "The run of the same seed, build and configuration has the same rows: equal number, equal last hash.",
  needs: ["journal of an equal run"],
  more: [],
  unseen: "",
  judge: ({ rows, same }) => {
    const other = same ?? [];
    const at = rows.findIndex((row, index) => row.hash !== other[index]?.hash);
    const differs = at < 0 ? rows.length : at;
    if (rows.length === other.length && at < 0) return [];
    const [mine, theirs] = [rows[differs], other[differs]];
    const rowText = (row: typeof mine): string => (row ? `${row.kind} ${row.bodyText.slice(0, 120)}` : "no row");
    return [finding(mine?.seq ?? null, `the runs part at row ${differs + 1}: ${rowText(mine)} and ${rowText(theirs)}`)];
  },
};
