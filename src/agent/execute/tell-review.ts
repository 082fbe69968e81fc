/** What the limits said of a draft, journalled with every figure and reported in one line. */
import type { Review } from "../../risk/review.ts";
import { verdictText } from "../../risk/verdict.ts";
import type { Draft } from "../../risk/view.ts";
import type { Outbox } from "../contract/effects.ts";
import { verdictRow } from "../../rows/verdict.ts";

/** The `verdict` row holds every verdict, the log line names only those that did not allow. */
export function reportReview(decisionId: string, draft: Draft, reviewed: Review, out: Outbox): void {
  const { order } = draft;
  const notable = reviewed.verdicts.filter((verdict) => verdict.kind !== "allow");
  const words = notable.map(verdictText).join("; ");
  out.record(
    verdictRow({
      clientOrderId: order.clientOrderId,
      symbol: order.symbol,
      side: order.side,
      kind: reviewed.kind,
      verdicts: reviewed.verdicts,
    }),
    decisionId,
  );
  out.log(
    "info",
    "review.verdict",
    `${order.side} ${order.symbol} ${reviewed.kind}${words ? ` (${words})` : `, ${reviewed.verdicts.length} limits agree`}`,
    { decision: decisionId, verdict: reviewed.kind },
  );
}
