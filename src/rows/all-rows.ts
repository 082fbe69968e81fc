/** Every kind of row with its form and its sentence, for code that handles rows of any kind. */
import type { z } from "zod";
import { BEAT, beatText } from "./beat.ts";
import { BOOT, bootText } from "./boot.ts";
import { CONFIG, configText } from "./config.ts";
import { COST, costText } from "./cost.ts";
import { DECISION, decisionText } from "./decision.ts";
import { EQUITY, equityText } from "./equity.ts";
import { FILL, fillText } from "./fill.ts";
import { FLOOR, floorText } from "./floor.ts";
import { INTENT, intentText } from "./intent.ts";
import { LESSON, lessonRowText } from "./lesson.ts";
import { MARKOUT, markoutText } from "./markout.ts";
import { MODEL_RESERVE, modelReserveText } from "./model-reserve.ts";
import { MODEL_SETTLE, modelSettleText } from "./model-settle.ts";
import { NEWS, newsText } from "./news.ts";
import { OPERATOR, operatorText } from "./operator.ts";
import { ORDER, orderText } from "./order.ts";
import { POSITION, positionText } from "./position.ts";
import { PREVIEW, previewText } from "./preview.ts";
import { PROTECTION, protectionText } from "./protection.ts";
import { QUESTION, questionText } from "./question.ts";
import { RECONCILE, reconcileText } from "./reconcile.ts";
import { SESSION, sessionText } from "./session.ts";
import { SHADOW, shadowText } from "./shadow.ts";
import { SNAPSHOT, snapshotText } from "./snapshot.ts";
import { STOP, stopText } from "./stop.ts";
import { SWITCH, switchText } from "./switch.ts";
import { TRADE, tradeText } from "./trade.ts";
import { VERDICT, verdictRowText } from "./verdict.ts";
import { WIRE_IN, wireInText } from "./wire-in.ts";
import { WIRE_OUT, wireOutText } from "./wire-out.ts";
import type { RowAbout, RowForm } from "./form.ts";
import type { RowKind, RowValue, WrittenRow } from "./row.ts";

/** A kind as code that handles rows of any kind sees it; `text` words a row for a person. */
interface AnyForm<K extends RowKind> {
  readonly about: RowAbout;
  readonly body: z.ZodType;
  readonly read: (row: WrittenRow) => unknown;
  readonly write: (value: never) => RowValue<K>;
  readonly text: (row: WrittenRow) => string;
}

const worded = <K extends RowKind, S extends z.ZodType>(
  form: RowForm<K, S>,
  text: (body: z.output<S>) => string,
): AnyForm<K> => ({ ...form, text: (row) => text(form.read(row)) });

/** Functions, so that a form is loaded only when a row needs it: most journals have rows of a few kinds. */
export const ALL_ROWS: { readonly [K in RowKind]: () => AnyForm<K> } = {
  boot: () => worded(BOOT, bootText),
  config: () => worded(CONFIG, configText),
  session: () => worded(SESSION, sessionText),
  decision: () => worded(DECISION, decisionText),
  question: () => worded(QUESTION, questionText),
  snapshot: () => worded(SNAPSHOT, snapshotText),
  verdict: () => worded(VERDICT, verdictRowText),
  intent: () => worded(INTENT, intentText),
  preview: () => worded(PREVIEW, previewText),
  "wire-out": () => worded(WIRE_OUT, wireOutText),
  "wire-in": () => worded(WIRE_IN, wireInText),
  order: () => worded(ORDER, orderText),
  fill: () => worded(FILL, fillText),
  protection: () => worded(PROTECTION, protectionText),
  position: () => worded(POSITION, positionText),
  trade: () => worded(TRADE, tradeText),
  cost: () => worded(COST, costText),
  markout: () => worded(MARKOUT, markoutText),
  equity: () => worded(EQUITY, equityText),
  floor: () => worded(FLOOR, floorText),
  reconcile: () => worded(RECONCILE, reconcileText),
  "model-reserve": () => worded(MODEL_RESERVE, modelReserveText),
  "model-settle": () => worded(MODEL_SETTLE, modelSettleText),
  news: () => worded(NEWS, newsText),
  beat: () => worded(BEAT, beatText),
  operator: () => worded(OPERATOR, operatorText),
  switch: () => worded(SWITCH, switchText),
  shadow: () => worded(SHADOW, shadowText),
  lesson: () => worded(LESSON, lessonRowText),
  stop: () => worded(STOP, stopText),
};

/** One sentence for any row. Throws RowError if the row does not fit its kind; a row of an unknown kind is its JSON. */
export const rowText = (row: WrittenRow): string =>
  isKnown(row.kind) ? ALL_ROWS[row.kind]().text(row) : JSON.stringify(row.body);

const isKnown = (kind: string): kind is RowKind => Object.hasOwn(ALL_ROWS, kind);
