import { gt, mul, NIL, show } from "../decimal.ts";
import { rec } from "../fields.ts";
import { exposureText } from "../exposure.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView } from "../journal-view.ts";
import { LEVERAGE_SHARE, phaseCap } from "../phase.ts";
import { stakes } from "../stakes.ts";

/** I13: gross exposure after every fact; a span above the cap is one finding. Needs the venue ledger. */
export const i13: Invariant = {
  id: "I13",
  title: "Gross leverage",
  rule: "After every fact of the venue: positions at mark, live openings and frames under way, each at its worse price, are at most 0.95 of the phase's leverage times equity.",
  needs: ["venue ledger"],
  more: ["wire log"],
  unseen: "",
  judge,
};

function judge(history: History): readonly Finding[] {
  const configs = journalView(history)
    .kinds("config")
    .flatMap(({ atMs, body }) => {
      const config = rec(body, "config");
      return config ? [{ atMs, config }] : [];
    });
  const found: Finding[] = [];
  let wrong = false;
  for (const { standing, exposure } of stakes(history)) {
    const { equity, fact } = standing;
    const config = configs.findLast(({ atMs }) => atMs <= fact.atMs)?.config ?? {};
    const cap = phaseCap(history, config, fact.atMs);
    const allowed = mul(mul(equity ?? NIL, cap), LEVERAGE_SHARE);
    const over = gt(exposure.gross, allowed);
    // One finding per span, not one per mark.
    if (over && !wrong)
      found.push(finding(null, `at ${fact.atMs} exposure is ${exposureText(exposure)}, allowed ${show(allowed)}`));
    wrong = over;
  }
  return found;
}
