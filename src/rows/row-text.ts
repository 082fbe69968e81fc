/** One sentence for any row. Apart from the forms of all kinds, because most journals have rows of a few. */
import { beatText, readBeat } from "./beat.ts";
import { bootText, readBoot } from "./boot.ts";
import { configText, readConfig } from "./config.ts";
import { costText, readCost } from "./cost.ts";
import { decisionText, readDecision } from "./decision.ts";
import { equityText, readEquity } from "./equity.ts";
import { fillText, readFill } from "./fill.ts";
import { floorText, readFloor } from "./floor.ts";
import { intentText, readIntent } from "./intent.ts";
import { lessonRowText, readLesson } from "./lesson.ts";
import { markoutText, readMarkout } from "./markout.ts";
import { modelReserveText, readModelReserve } from "./model-reserve.ts";
import { modelSettleText, readModelSettle } from "./model-settle.ts";
import { newsText, readNews } from "./news.ts";
import { operatorText, readOperator } from "./operator.ts";
import { orderText, readOrder } from "./order.ts";
import { positionText, readPosition } from "./position.ts";
import { previewText, readPreview } from "./preview.ts";
import { protectionText, readProtection } from "./protection.ts";
import { questionText, readQuestion } from "./question.ts";
import { readReconcile, reconcileText } from "./reconcile.ts";
import { readSession, sessionText } from "./session.ts";
import { readShadow, shadowText } from "./shadow.ts";
import { readSnapshot, snapshotText } from "./snapshot.ts";
import { readStop, stopText } from "./stop.ts";
import { readSwitch, switchText } from "./switch.ts";
import { readTrade, tradeText } from "./trade.ts";
import { readVerdict, verdictRowText } from "./verdict.ts";
import { readWireIn, wireInText } from "./wire-in.ts";
import { readWireOut, wireOutText } from "./wire-out.ts";
import type { RowKind, WrittenRow } from "./row.ts";

const TEXTS: Readonly<Record<RowKind, (row: WrittenRow) => string>> = {
  boot: (row) => bootText(readBoot(row)),
  config: (row) => configText(readConfig(row)),
  session: (row) => sessionText(readSession(row)),
  decision: (row) => decisionText(readDecision(row)),
  question: (row) => questionText(readQuestion(row)),
  snapshot: (row) => snapshotText(readSnapshot(row)),
  verdict: (row) => verdictRowText(readVerdict(row)),
  intent: (row) => intentText(readIntent(row)),
  preview: (row) => previewText(readPreview(row)),
  "wire-out": (row) => wireOutText(readWireOut(row)),
  "wire-in": (row) => wireInText(readWireIn(row)),
  order: (row) => orderText(readOrder(row)),
  fill: (row) => fillText(readFill(row)),
  protection: (row) => protectionText(readProtection(row)),
  position: (row) => positionText(readPosition(row)),
  trade: (row) => tradeText(readTrade(row)),
  cost: (row) => costText(readCost(row)),
  markout: (row) => markoutText(readMarkout(row)),
  equity: (row) => equityText(readEquity(row)),
  floor: (row) => floorText(readFloor(row)),
  reconcile: (row) => reconcileText(readReconcile(row)),
  "model-reserve": (row) => modelReserveText(readModelReserve(row)),
  "model-settle": (row) => modelSettleText(readModelSettle(row)),
  news: (row) => newsText(readNews(row)),
  beat: (row) => beatText(readBeat(row)),
  operator: (row) => operatorText(readOperator(row)),
  switch: (row) => switchText(readSwitch(row)),
  shadow: (row) => shadowText(readShadow(row)),
  lesson: (row) => lessonRowText(readLesson(row)),
  stop: (row) => stopText(readStop(row)),
};

/** Throws RowError if the row does not fit its kind; a row of an unknown kind is its JSON. */
export const rowText = (row: WrittenRow): string =>
  isKnown(row.kind) ? TEXTS[row.kind](row) : JSON.stringify(row.body);

const isKnown = (kind: string): kind is RowKind => Object.hasOwn(TEXTS, kind);
