/** How limits that shrink a draft settle on one size. */
import { describe, expect, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import { allLimits } from "../../src/risk/all-limits.ts";
import { isApproved, review } from "../../src/risk/review.ts";
import { allow, deny, judged, type Rule, reducing } from "../../src/risk/verdict.ts";
import { draft, view, settings, text } from "./support.ts";

describe("review", () => {
  const shrinking = (name: string, to: string): Rule => ({
    name,
    judge: ({ order }) => {
      const words = { limit: name, found: order.qty, allowed: to, reason: "R." };
      return order.qty.gt(to) ? { ...allow(words), kind: "shrink", qty: to } : allow(words);
    },
  });

  test("the smallest of several sizes counts, whichever limit names it first", () => {
    for (const sizes of [
      ["0.003", "0.002", "0.004"],
      ["0.002", "0.004"],
      ["0.004", "0.002"],
    ]) {
      const reviewed = review(
        draft(),
        view(),
        sizes.map((size) => shrinking(size, size)),
      );
      expect(reviewed.kind === "approved" && reviewed.draft.order.qty.toFixed()).toBe("0.002");
      expect(reviewed.verdicts.map(({ kind }) => kind)).toEqual(sizes.map(() => "shrink"));
    }
  });

  test("a limit that shrinks in one round and denies in the next is reported as denying", () => {
    const strict: Rule = {
      name: "strict",
      judge: ({ order }) => {
        const words = { limit: "strict", found: order.qty, allowed: "0.002", reason: "R." };
        return order.qty.gt("0.002") ? { ...allow(words), kind: "shrink", qty: "0.002" } : deny(words);
      },
    };
    const reviewed = review(draft(), view(), [strict]);
    expect([reviewed.kind, reviewed.verdicts.map(({ kind }) => kind)]).toEqual(["denied", ["deny"]]);
  });

  test("a verdict that agreed is of the last round, one that shrank of the round in which it did", () => {
    const counting: Rule = {
      name: "c",
      judge: ({ order }) => allow({ limit: "c", found: order.qty, allowed: "", reason: "R." }),
    };
    const reviewed = review(draft(), view(), [counting, shrinking("s", "0.002")]);
    expect(reviewed.verdicts.map(({ found }) => found)).toEqual(["0.002", "0.005"]);
  });

  test("a denial in a later round denies, and says so", () => {
    const picky: Rule = {
      name: "p",
      judge: ({ order }) => judged(order.qty.gt("0.004"), { limit: "p", found: order.qty, allowed: "", reason: "R." }),
    };
    const reviewed = review(draft(), view(), [picky, shrinking("s", "0.002")]);
    expect(reviewed.verdicts.map(({ limit, kind }) => [limit, kind])).toEqual([
      ["p", "deny"],
      ["s", "shrink"],
    ]);
    expect(reviewed.kind).toBe("denied");
  });

  test.each(["0", "-1", "0.005", "0.006"])("a limit that shrinks 0.005 to %s is at odds with itself", (qty) => {
    const odd: Rule = { name: "o", judge: () => ({ ...reducing("o"), kind: "shrink", qty }) };
    const reviewed = review(draft(), view(), [odd]);
    expect(reviewed.verdicts.at(-1)).toEqual({
      kind: "deny",
      limit: "review",
      found: "0.005",
      allowed: "a size all agree on",
      reason: "The limits did not settle on a size.",
    });
    expect([reviewed.kind, reviewed.verdicts.length]).toEqual(["denied", 2]);
  });

  test("eight rounds are enough to settle, a ninth is not made", () => {
    const down = (rounds: number): Rule => ({
      name: "d",
      judge: ({ order }) => {
        const words = { limit: "d", found: "", allowed: "", reason: "" };
        const done = order.qty.lte(dec(20 - rounds));
        return done ? allow(words) : { ...allow(words), kind: "shrink", qty: order.qty.sub(1).toFixed() };
      },
    });
    expect(review(draft({ qty: "20" }), view(), [down(7)]).kind).toBe("approved");
    expect(review(draft({ qty: "20" }), view(), [down(8)]).kind).toBe("denied");
  });

  test("only the very object that was approved counts as approved", () => {
    const reviewed = review(draft(), view(), allLimits(settings));
    if (reviewed.kind !== "approved") throw new Error("denied");
    expect(isApproved(reviewed.draft)).toBe(true);
    expect(isApproved({ ...reviewed.draft })).toBe(false);
    expect(isApproved(draft())).toBe(false);
    expect([Object.isFrozen(reviewed.draft), Object.isFrozen(reviewed.draft.order)]).toEqual([true, true]);
  });

  test("a draft is completed by each limit in turn", () => {
    const adding = (stop: string): Rule => ({
      name: stop,
      judge: () => reducing(stop),
      complete: (given) => ({ ...given, stopPrice: (given.stopPrice ?? ZERO).add(stop) }),
    });
    const reviewed = review(draft({}, { stop: null }), view(), [adding("1"), shrinking("s", "9"), adding("20")]);
    expect(reviewed.kind === "approved" && text(reviewed.draft.stopPrice)).toBe("21");
  });
});
