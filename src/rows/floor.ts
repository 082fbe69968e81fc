/** `floor` rows: the ladder of the equity floor moved to another rung. */
import { z } from "zod";
import { decimal, oneOf, text } from "./fields.ts";
import { rowForm } from "./form.ts";
import { line } from "./words.ts";

/** The rungs, from everything allowed to nothing allowed. */
export const FLOOR_STATES = ["NORMAL", "WARN", "HOLD", "FLATTEN", "HALT"] as const;

export const FLOOR = rowForm(
  "floor",
  {
    written: "When the equity floor's ladder changes its rung, and when the agent halts itself.",
    readBy: "A start (the rung that held), `ballast status` without an agent and the verifier.",
  },
  z
    .object({
      from: oneOf(FLOOR_STATES, "The rung before."),
      to: oneOf(FLOOR_STATES, "The rung from here on."),
      equityUsdt: decimal("The equity that moved it; absent if something else did.").nullable().optional(),
      reason: text("The reason, for people."),
    })
    .readonly(),
);

export type FloorRow = z.output<typeof FLOOR.body>;
export const floorRow = FLOOR.write;
export const readFloor = FLOOR.read;

export const floorText = ({ from, to, reason }: FloorRow): string => line(`${from} to ${to}: ${reason}`, 400);
