import { expect, test } from "vitest";
import type { JournalReader } from "../../src/journal/reader.ts";
import { floorOf } from "../../src/restore/restore-figures.ts";
import { wholeRows } from "../support/rows.ts";

const floorAfter = (given: readonly { readonly kind: string; readonly body: object }[]) =>
  floorOf({ rows: () => wholeRows(given) } as unknown as JournalReader);
const fell = { kind: "floor", body: { from: "NORMAL", to: "HALT", reason: "the disk is full" } };

test("a halt outlives a restart with its reason, until the operator resumes", () => {
  expect(floorAfter([])).toEqual({ floor: "NORMAL", floorReason: "" });
  expect(floorAfter([fell])).toEqual({ floor: "HALT", floorReason: "the disk is full" });
  const resumed = { kind: "operator", body: { command: "resume", from: "HALT", to: "NORMAL" } };
  expect(floorAfter([fell, resumed])).toEqual({ floor: "NORMAL", floorReason: "" });
  const flattens = { kind: "operator", body: { command: "flatten", from: "NORMAL", to: "FLATTEN" } };
  expect(floorAfter([fell, resumed, flattens])).toEqual({
    floor: "FLATTEN",
    floorReason: "the operator said flatten",
  });
});
