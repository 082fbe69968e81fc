/** `operator` rows: the owner's commands, written when they took effect. */
import { z } from "zod";
import { always, oneOf, text } from "./fields.ts";
import { FLOOR_STATES } from "./floor.ts";
import { rowForm } from "./form.ts";

const rung = z
  .object({
    command: oneOf(["halt", "flatten", "resume"], "The command."),
    from: oneOf(FLOOR_STATES, "The rung before."),
    to: oneOf(FLOOR_STATES, "The rung from here on."),
    withdraws: always("all", "External opening orders were cancelled as well.").optional(),
  })
  .readonly();

const use = z
  .object({
    command: always("use", "Another strategy; older builds wrote it here, newer ones into a `switch` row."),
    use: text("The strategy that is to decide."),
    handover: text("What happens to open positions.").nullish(),
    by: text("Who requested it.").nullish(),
  })
  .readonly();

export const OPERATOR = rowForm(
  "operator",
  {
    written: "When a halt or a flattening takes effect, and when a resume does, after everything has been read again.",
    readBy: "A start (the rung that held) and the verifier.",
  },
  z.union([rung, use]),
);

export type OperatorRow = z.output<typeof OPERATOR.body>;
export const operatorRow = OPERATOR.write;
export const readOperator = OPERATOR.read;

export const operatorText = (row: OperatorRow): string =>
  row.command === "use"
    ? `the operator said use ${row.use}`
    : `the operator said ${row.command}: ${row.from} to ${row.to}`;
