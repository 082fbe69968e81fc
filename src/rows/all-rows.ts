/** All kinds of rows: their forms, for docs/JOURNAL.md and code that handles rows of any kind. */
import type { z } from "zod";
import { BEAT } from "./beat.ts";
import { BOOT } from "./boot.ts";
import { CONFIG } from "./config.ts";
import { COST } from "./cost.ts";
import { DECISION } from "./decision.ts";
import { EQUITY } from "./equity.ts";
import { FILL } from "./fill.ts";
import { FLOOR } from "./floor.ts";
import { INTENT } from "./intent.ts";
import { LESSON } from "./lesson.ts";
import { MARKOUT } from "./markout.ts";
import { MODEL_RESERVE } from "./model-reserve.ts";
import { MODEL_SETTLE } from "./model-settle.ts";
import { NEWS } from "./news.ts";
import { OPERATOR } from "./operator.ts";
import { ORDER } from "./order.ts";
import { POSITION } from "./position.ts";
import { PREVIEW } from "./preview.ts";
import { PROTECTION } from "./protection.ts";
import { QUESTION } from "./question.ts";
import { RECONCILE } from "./reconcile.ts";
import { SESSION } from "./session.ts";
import { SHADOW } from "./shadow.ts";
import { SNAPSHOT } from "./snapshot.ts";
import { STOP } from "./stop.ts";
import { SWITCH } from "./switch.ts";
import { TRADE } from "./trade.ts";
import { VERDICT } from "./verdict.ts";
import { WIRE_IN } from "./wire-in.ts";
import { WIRE_OUT } from "./wire-out.ts";
import type { RowAbout } from "./form.ts";
import type { RowKind, RowValue, WrittenRow } from "./row.ts";

/** A kind as docs/JOURNAL.md and code that handles rows of any kind see it. */
interface Described {
  readonly about: RowAbout;
  readonly body: z.ZodType;
  readonly read: (row: WrittenRow) => unknown;
  readonly write: (value: never) => RowValue;
}

export const ALL_ROWS: Readonly<Record<RowKind, Described>> = {
  boot: BOOT,
  config: CONFIG,
  session: SESSION,
  decision: DECISION,
  question: QUESTION,
  snapshot: SNAPSHOT,
  verdict: VERDICT,
  intent: INTENT,
  preview: PREVIEW,
  "wire-out": WIRE_OUT,
  "wire-in": WIRE_IN,
  order: ORDER,
  fill: FILL,
  protection: PROTECTION,
  position: POSITION,
  trade: TRADE,
  cost: COST,
  markout: MARKOUT,
  equity: EQUITY,
  floor: FLOOR,
  reconcile: RECONCILE,
  "model-reserve": MODEL_RESERVE,
  "model-settle": MODEL_SETTLE,
  news: NEWS,
  beat: BEAT,
  operator: OPERATOR,
  switch: SWITCH,
  shadow: SHADOW,
  lesson: LESSON,
  stop: STOP,
};
