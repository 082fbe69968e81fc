/** `switch` rows: the command to change the strategy, and the change once it is made. */
import { z } from "zod";
import { always, anything, flag, instant, oneOf, span, text, texts } from "./fields.ts";
import { rowForm } from "./form.ts";
import { line } from "./words.ts";

const HANDOVERS = ["adopt", "wind-down", "close"] as const;
const SWITCHED_BY = ["file", "operator", "schedule", "phase"] as const;

const word = z
  .object({
    command: always("use", "Another strategy is to decide; a run that starts before the switch is made finishes it."),
    from: text("The strategy that decides now."),
    use: text("The strategy that is to decide."),
    handover: oneOf(HANDOVERS, "What happens to open positions.").nullable(),
    by: oneOf(SWITCHED_BY, "Who requested it."),
    over: text("The strategy that the file named then.").optional(),
    windDownMs: span("How long positions may wind down."),
  })
  .readonly();

const made = z
  .object({
    request: text("The request that waits for an answer.").nullable(),
    atMs: instant("When."),
    untilMs: instant("When a wind-down ends."),
    renamed: flag("False if the same strategy continues with other settings or edited code."),
    from: text("The strategy before."),
    to: text("The strategy from here on."),
    by: oneOf(SWITCHED_BY, "Who requested it."),
    handover: oneOf(HANDOVERS, "What happens to open positions."),
    differences: texts("`setting: before → after`."),
    positions: texts("Positions that were open."),
    withdrawn: texts("Opening orders that were cancelled, by client order id."),
    settings: anything("Settings of the strategy.").optional(),
  })
  .readonly();

export const SWITCH = rowForm(
  "switch",
  {
    written: "When another strategy or other settings of it are commanded, and when the switch is made.",
    readBy: "A start (who decides, what a handover has still to do) and the verifier.",
  },
  z.union([word, made]),
);

/** A switch that was made. */
export type SwitchedRow = z.output<typeof made>;
export type SwitchRow = z.output<typeof SWITCH.body>;
/** The command that names the next strategy. */
export type UseRow = z.output<typeof word>;
export const switchRow = SWITCH.write;
export const readSwitch = SWITCH.read;

export const switchText = (row: SwitchRow): string =>
  "command" in row
    ? `${row.by} says use ${row.use} in place of ${row.from}, positions: ${row.handover ?? "none named"}`
    : line(`${row.from} to ${row.to} by ${row.by}, positions: ${row.handover}; ${row.differences.join(", ")}`, 400);
