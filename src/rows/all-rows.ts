/** All kinds of rows: their forms for docs/JOURNAL.md, and one sentence for any row. */
import type { z } from "zod";
import { BEAT, beatText, readBeat } from "./beat.ts";
import { BOOT, bootText, readBoot } from "./boot.ts";
import { CONFIG, configText, readConfig } from "./config.ts";
import { COST, costText, readCost } from "./cost.ts";
import { DECISION, decisionText, readDecision } from "./decision.ts";
import { EQUITY, equityText, readEquity } from "./equity.ts";
import { FILL, fillText, readFill } from "./fill.ts";
import { FLOOR, floorText, readFloor } from "./floor.ts";
import type { RowAbout } from "./form.ts";
import { INTENT, intentText, readIntent } from "./intent.ts";
import { LESSON, lessonRowText, readLesson } from "./lesson.ts";
import { MARKOUT, markoutText, readMarkout } from "./markout.ts";
import { MODEL_RESERVE, modelReserveText, readModelReserve } from "./model-reserve.ts";
import { MODEL_SETTLE, modelSettleText, readModelSettle } from "./model-settle.ts";
import { NEWS, newsText, readNews } from "./news.ts";
import { OPERATOR, operatorText, readOperator } from "./operator.ts";
import { ORDER, orderText, readOrder } from "./order.ts";
import { POSITION, positionText, readPosition } from "./position.ts";
import { PREVIEW, previewText, readPreview } from "./preview.ts";
import { PROTECTION, protectionText, readProtection } from "./protection.ts";
import { QUESTION, questionText, readQuestion } from "./question.ts";
import { readReconcile, RECONCILE, reconcileText } from "./reconcile.ts";
import type { RowKind, RowValue, WrittenRow } from "./row.ts";
import { readSession, SESSION, sessionText } from "./session.ts";
import { readShadow, SHADOW, shadowText } from "./shadow.ts";
import { readSnapshot, SNAPSHOT, snapshotText } from "./snapshot.ts";
import { readStop, STOP, stopText } from "./stop.ts";
import { readSwitch, SWITCH, switchText } from "./switch.ts";
import { readTrade, TRADE, tradeText } from "./trade.ts";
import { readVerdict, VERDICT, verdictRowText } from "./verdict.ts";
import { readWireIn, WIRE_IN, wireInText } from "./wire-in.ts";
import { readWireOut, WIRE_OUT, wireOutText } from "./wire-out.ts";

/** A kind as docs/JOURNAL.md and code that handles rows of any kind see it. */
interface Described {
  readonly about: RowAbout;
  readonly body: z.ZodType;
  readonly read: (row: WrittenRow) => unknown;
  readonly write: (value: never) => RowValue;
  /** The row in one sentence. Throws RowError where it does not fit. */
  readonly text: (row: WrittenRow) => string;
}

export const ALL_ROWS: Readonly<Record<RowKind, Described>> = {
  boot: { ...BOOT, text: (row) => bootText(readBoot(row)) },
  config: { ...CONFIG, text: (row) => configText(readConfig(row)) },
  session: { ...SESSION, text: (row) => sessionText(readSession(row)) },
  decision: { ...DECISION, text: (row) => decisionText(readDecision(row)) },
  question: { ...QUESTION, text: (row) => questionText(readQuestion(row)) },
  snapshot: { ...SNAPSHOT, text: (row) => snapshotText(readSnapshot(row)) },
  verdict: { ...VERDICT, text: (row) => verdictRowText(readVerdict(row)) },
  intent: { ...INTENT, text: (row) => intentText(readIntent(row)) },
  preview: { ...PREVIEW, text: (row) => previewText(readPreview(row)) },
  "wire-out": { ...WIRE_OUT, text: (row) => wireOutText(readWireOut(row)) },
  "wire-in": { ...WIRE_IN, text: (row) => wireInText(readWireIn(row)) },
  order: { ...ORDER, text: (row) => orderText(readOrder(row)) },
  fill: { ...FILL, text: (row) => fillText(readFill(row)) },
  protection: { ...PROTECTION, text: (row) => protectionText(readProtection(row)) },
  position: { ...POSITION, text: (row) => positionText(readPosition(row)) },
  trade: { ...TRADE, text: (row) => tradeText(readTrade(row)) },
  cost: { ...COST, text: (row) => costText(readCost(row)) },
  markout: { ...MARKOUT, text: (row) => markoutText(readMarkout(row)) },
  equity: { ...EQUITY, text: (row) => equityText(readEquity(row)) },
  floor: { ...FLOOR, text: (row) => floorText(readFloor(row)) },
  reconcile: { ...RECONCILE, text: (row) => reconcileText(readReconcile(row)) },
  "model-reserve": { ...MODEL_RESERVE, text: (row) => modelReserveText(readModelReserve(row)) },
  "model-settle": { ...MODEL_SETTLE, text: (row) => modelSettleText(readModelSettle(row)) },
  news: { ...NEWS, text: (row) => newsText(readNews(row)) },
  beat: { ...BEAT, text: (row) => beatText(readBeat(row)) },
  operator: { ...OPERATOR, text: (row) => operatorText(readOperator(row)) },
  switch: { ...SWITCH, text: (row) => switchText(readSwitch(row)) },
  shadow: { ...SHADOW, text: (row) => shadowText(readShadow(row)) },
  lesson: { ...LESSON, text: (row) => lessonRowText(readLesson(row)) },
  stop: { ...STOP, text: (row) => stopText(readStop(row)) },
};

const isKnown = (kind: string): kind is RowKind => kind in ALL_ROWS;

/** One sentence about any row. Throws RowError if it does not fit its kind. */
export const rowText = (row: WrittenRow): string =>
  isKnown(row.kind) ? ALL_ROWS[row.kind].text(row) : JSON.stringify(row.body);
