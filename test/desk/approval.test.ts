import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { denied, unreviewed, wrongUnits } from "./approval.types.ts";
import { draft, view } from "../risk/support.ts";
import { approvedDraft, bench } from "./support.ts";

test("what the compiler refuses the desk refuses too, should somebody get around the compiler", async () => {
  const { desk, venue } = bench();
  unreviewed(desk, draft());
  denied(desk, draft(), view({ session: null }));
  const forged = { kind: "order.place", draft: draft(), contractSize: dec("1"), marketPrice: null, maxNotional: null };
  expect(await desk.preview(forged as Parameters<typeof desk.preview>[0])).toMatchObject({
    ok: false,
    error: { kind: "not-reviewed" },
  });
  expect(wrongUnits(approvedDraft()).kind).toBe("order.place");
  expect(venue.calls).toEqual([]);
});
