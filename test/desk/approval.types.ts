/**
 * Expressions that must not compile: an order that no review has seen cannot reach the desk. Checked by the compiler;
 * every line marked below would be an error of the type check if it were allowed.
 */
import { dec } from "../../src/core/decimal.ts";
import type { PlaceAction } from "../../src/desk/action.ts";
import type { Desk } from "../../src/desk/desk.ts";
import { type Approved, review } from "../../src/risk/review.ts";
import type { Draft, RiskView } from "../../src/risk/view.ts";
import { allLimits } from "../../src/risk/all-limits.ts";
import { RISK } from "../support/risk.ts";

const rest = { kind: "order.place", contractSize: dec("1"), marketPrice: null, maxNotional: null } as const;

export function unreviewed(desk: Desk, draft: Draft): void {
  // @ts-expect-error A draft is not an approved draft.
  void desk.preview({ ...rest, draft });
  // @ts-expect-error Nor does a submit take one.
  void desk.submit({ previewId: "p", continueConsentId: "t", action: { ...rest, draft } });
  // @ts-expect-error The brand cannot be written by hand.
  const forged: Approved<Draft> = { ...draft, approved: true };
  void forged;
}

export function denied(desk: Desk, draft: Draft, view: RiskView): void {
  const reviewed = review(draft, view, allLimits(RISK));
  // @ts-expect-error A denied review has no draft: the kind must be looked at first.
  void reviewed.draft;
  if (reviewed.kind === "approved") void desk.preview({ ...rest, draft: reviewed.draft });
}

export function wrongUnits(draft: Approved<Draft>): PlaceAction {
  // @ts-expect-error Money is a decimal, never a number.
  return { ...rest, draft, maxNotional: 100 };
}
