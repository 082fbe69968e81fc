/** `decision` rows: what triggered a decision and what was seen; then what the strategy wants, or that it failed. */
import { z } from "zod";
import { anything, decimal, flag, instant, list, number, positionSide, symbol, text, texts, trail } from "./fields.ts";
import { onWire, rowForm } from "./form.ts";
import type { RowBody, RowValue } from "./row.ts";
import { line, shown } from "./words.ts";
import { lazyMembers } from "../core/lazy.ts";
import { counted } from "../core/words.ts";

const held = z
  .object({
    symbol: symbol(),
    side: positionSide("Side of the position."),
    qty: decimal("Quantity."),
    avgPrice: decimal("Average entry price."),
    stopPrice: decimal("Stop.").nullable(),
  })
  .readonly();

/** Signals to eight digits; candles and books are in the page of the decision. */
const summary = z
  .object({
    atMs: instant("When it was taken."),
    hash: text("Hash of the symbols' figures."),
    symbols: list(anything("Figures of a symbol."), "Figures of each symbol, signals to eight digits."),
    news: list(z.object({ key: text("Key."), title: text("Title.") }).readonly(), "News items that were shown."),
    account: z
      .object({ equityUsdt: decimal("Equity."), positions: list(held, "Open positions.") })
      .readonly()
      .nullable()
      .meta({ description: "The account; null where it was not known." }),
    headroom: z
      .object({
        mayOpen: flag("Whether anything may be opened."),
        reason: text("Why not; empty where it may.").nullable(),
        perOrderUsdt: decimal("Room for one order."),
        totalUsdt: decimal("Room in all."),
        cushionMajorUsdt: decimal("Room under the drawdown buffer.").optional(),
      })
      .readonly()
      .meta({ description: "What may still be opened." }),
    facts: list(
      z
        .object({
          source: text("Name."),
          values: anything("Newest values by name."),
          atMs: instant("The source's own time of them.").nullable(),
          stale: flag("Whether they were too old to use."),
        })
        .readonly(),
      "The newest values of each of the owner's sources; absent if there are none.",
    ).optional(),
    missing: texts("What was not known."),
  })
  .readonly();

const begun = z
  .object({
    trigger: texts("What triggered it."),
    strategy: text("The strategy that is asked."),
    snapshot: summary.meta({ description: "What it sees, in figures; the whole is kept as a page.", is: "object" }),
  })
  .readonly();

const failed = z
  .object({
    failed: text("The strategy that gave no decision; the fallback decides."),
    reason: text("The reason, for people."),
  })
  .readonly();

const target = z
  .object({
    symbol: symbol(),
    leg: positionSide("Side of the position."),
    size: number("0 for flat to 1 for the whole share of equity."),
    stopDistance: number("Distance of the stop, fraction of price."),
    targetDistance: number("Distance of the target, fraction of price.").nullable(),
    trail: trail(),
    urgency: text("`take` or `rest`."),
    reason: text("The reason, for people."),
    evidence: texts("Keys of news items or names of figures."),
  })
  .readonly();

const bought = z
  .object({
    use: text("The use of the spend plan, such as `second-opinion`."),
    changed: flag("Whether its answers changed the targets."),
    without: list(
      z.object({ symbol: symbol(), leg: positionSide("Side of the position."), size: number("0 to 1.") }).readonly(),
      "The targets that the decision would have had without them.",
    ),
  })
  .readonly();

const miscited = z.object({ symbol: symbol(), name: text("What it cited, 80 characters at most.") }).readonly();

const made = z
  .object({
    by: text("The strategy that decided."),
    kind: text("`wishes`: target positions, or `abstain`."),
    note: text("Its note, for people."),
    wishes: z.array(target).readonly().meta({
      description: "Target positions: symbol, side, size, distances, urgency, reason, evidence.",
      is: "list of object",
    }),
    bought: list(
      bought,
      "The effect of each use of the spend plan on the targets; absent if nothing was bought.",
    ).optional(),
    miscited: list(
      miscited,
      "Names that a model cited as evidence although its question did not show them; they were dropped. Absent if there are none.",
    ).optional(),
  })
  .readonly();

export const DECISION = rowForm(
  "decision",
  {
    written: "When a decision begins, when the chosen strategy fails, and with what was decided.",
    readBy: "`ballast explain`, `why`, `why-not`, `budget`, `status`, the run summary and the verifier.",
  },
  z.union([begun, failed, made]),
);

export type DecisionRow = z.output<typeof DECISION.body>;
/** The summary of a snapshot, as the decision's first row holds it. */
export type SnapshotSummary = z.output<typeof summary>;
export const decisionRow = DECISION.write;

const withSnapshot = lazyMembers<() => SnapshotSummary, { snapshot: unknown }>({
  snapshot: (summary) => onWire(summary()),
});

/** The first row of a decision. `summary` is called when somebody reads the row, which a host without a journal never does. */
export const begunRow = (
  { trigger, strategy }: Pick<z.output<typeof begun>, "trigger" | "strategy">,
  summary: () => SnapshotSummary,
): RowValue<"decision"> => ({
  kind: DECISION.kind,
  body: withSnapshot({ trigger, strategy }, summary) as object as RowBody,
});
export const readDecision = DECISION.read;

function seenText({ symbols, news, account, missing }: SnapshotSummary): string {
  const lacks = missing.length > 0 ? `, missing: ${missing.join("; ")}` : "";
  return `saw ${counted(symbols.length, "symbol")}, ${counted(news.length, "news item")}, equity ${account ? shown(account.equityUsdt) : "unknown"}${lacks}`;
}

const percent = (fraction: number): string => `${(fraction * 100).toFixed(2)} %`;

type Target = z.output<typeof target>;

/** "flat X LONG" or "SHORT X at 50%". */
export const targetAim = ({ symbol, leg, size }: Pick<Target, "symbol" | "leg" | "size">): string =>
  size === 0 ? `flat ${symbol} ${leg}` : `${leg} ${symbol} at ${(size * 100).toFixed(0)}%`;

function targetText({ stopDistance, targetDistance, ...more }: Target): string {
  const evidence = more.evidence.length > 0 ? ` Evidence: ${more.evidence.join(", ")}.` : "";
  const why = `${more.reason}${evidence}`;
  if (more.size === 0) return `${targetAim(more)}: ${why}`;
  const aim = targetDistance === null ? "" : `, target ${percent(targetDistance)} away`;
  const distances = `stop ${percent(stopDistance)} away${aim}`;
  return `${targetAim(more)}, ${distances}, ${more.urgency}: ${why}`;
}

function madeText({ by, kind, note, wishes }: z.output<typeof made>): string {
  if (kind === "abstain") return line(`${by} abstained: ${note}`, 700);
  const targets = wishes.map((wish) => `\n      ${line(targetText(wish), 700)}`);
  return `${line(`${by} decided on ${counted(wishes.length, "target")}: ${note}`, 700)}${targets.join("")}`;
}

/** What triggered it and was seen, what was decided, a line for each target, or why nothing was. */
export function decisionText(row: DecisionRow): string {
  if ("trigger" in row)
    return line(`triggered by ${row.trigger.join(", ")}, asked ${row.strategy}; ${seenText(row.snapshot)}`, 1_500);
  return "failed" in row ? line(`${row.failed} gave no decision: ${row.reason}`, 1_500) : madeText(row);
}
