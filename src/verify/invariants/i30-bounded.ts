import { figure, isRec, rec } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView } from "../journal-view.ts";
import { growthOf, type Reading } from "../growth.ts";
import type { Row } from "../rows.ts";

/** I30: collections within their caps, heap and open files without growth; needs heartbeats with these figures. */
export const i30: Invariant = {
  id: "I30",
  title: "Bounded",
  rule: "The high-water mark of every registered collection (`gauges` of beats and the last row: name to `high` and `cap`) is within its cap and never falls within a run; over an hour or more of one run neither heap nor open files (`vitals`) grow, by least squares and beyond doubt, at a rate that would reach their limit within 14 days (or 48 times what was seen, if that is less).",
  needs: [],
  more: [],
  unseen: "That no collection is unregistered is for a static check.",
  judge: (history) => {
    const beats = journalView(history)
      .kinds("beat", "stop")
      .filter(({ body }) => rec(body, "gauges") || rec(body, "vitals"));
    if (beats.length === 0) return { notJudged: "needs beat rows with gauges, which this journal does not have" };
    return [...marks(beats), ...growth(history)];
  },
};

function marks(rows: readonly Row[]): readonly Finding[] {
  const known = new Map<string, number>();
  return rows.flatMap(({ seq, runId, body }) =>
    Object.entries(rec(body, "gauges") ?? {}).flatMap(([name, gauge]): readonly Finding[] => {
      const [high, cap] = isRec(gauge) ? [figure(gauge, "high"), figure(gauge, "cap")] : [null, null];
      if (high === null || cap === null) return [finding(seq, `${name} reports no high-water mark or no cap`)];
      const before = known.get(`${runId} ${name}`) ?? 0;
      known.set(`${runId} ${name}`, high);
      if (high > cap) return [finding(seq, `${name} has held ${high}, its cap is ${cap}`)];
      return high < before ? [finding(seq, `the high-water mark of ${name} fell from ${before} to ${high}`)] : [];
    }),
  );
}

/** A common limit of a process's open files; the heap reports its own. */
const FILES_LIMIT = 1_024;

function growth(history: History): readonly Finding[] {
  const view = journalView(history);
  return view.runs.flatMap(({ runId, last }) => {
    const rows = view.kinds("beat").filter((row) => row.runId === runId && rec(row.body, "vitals"));
    const readings = (name: string): readonly Reading[] =>
      rows.flatMap((row) => {
        const value = figure(rec(row.body, "vitals") ?? {}, name);
        return value === null ? [] : [{ atMs: row.monoMs, value }];
      });
    const heapLimit = Math.max(0, ...readings("heapLimit").map(({ value }) => value));
    return [
      ...growthOf("the heap", readings("heapUsed"), heapLimit),
      ...growthOf("the number of open files", readings("files"), FILES_LIMIT),
    ].map((what) => finding(last.seq, what));
  });
}
