import { figure, isRec, rec } from "../fields.ts";
import { finding, type Invariant } from "../history.ts";
import { journalView } from "../journal-view.ts";

export const i30: Invariant = {
  id: "I30",
  title: "Bounded",
  rule: "The high-water mark of every registered collection (`gauges` of the beats: name to `high` and `cap`) is within its cap, and the heap and open handles they tell stay within theirs.",
  needs: [],
  more: [],
  unseen: "That no collection is unregistered is for a static check; slopes are for a soak.",
  judge: (history) => {
    const beats = journalView(history)
      .kinds("beat")
      .flatMap((row) => {
        const gauges = rec(row.body, "gauges");
        return gauges ? [{ row, gauges }] : [];
      });
    if (beats.length === 0) return { notJudged: "needs beat rows with gauges" };
    return beats.flatMap(({ row, gauges }) =>
      Object.entries(gauges).flatMap(([name, gauge]) => {
        const [high, cap] = isRec(gauge) ? [figure(gauge, "high"), figure(gauge, "cap")] : [null, null];
        if (high === null || cap === null) return [finding(row.seq, `${name} tells no high-water mark or no cap`)];
        return high > cap ? [finding(row.seq, `${name} has held ${high}, its cap is ${cap}`)] : [];
      }),
    );
  },
};
