/** What the journal of earlier runs says of positions, as facts. `recall.ts` applies them by the rules of a running agent. */
import type { Decimal } from "../../core/decimal.ts";
import type { AskedStop } from "./known-stops.ts";
import type { PositionMeta } from "./held-position.ts";

/** A row that reports a position. The venue's times are null where unknown. */
export interface ReportedPosition {
  readonly kind: "reported";
  readonly key: string;
  readonly qty: Decimal;
  readonly avgPrice: Decimal;
  readonly meta: PositionMeta;
  /** The venue's time of the last record that showed it. */
  readonly provenMs: number | null;
  /** When it began, by the venue's time. */
  readonly begunMs: number | null;
  /** The venue's time of its newest known fill. */
  readonly filledMs: number | null;
  /** A push that may have been late reported it: the next list decides. */
  readonly doubted: boolean;
}

/** A row that reports the end of a position. */
export interface EndedPosition {
  readonly kind: "over";
  readonly key: string;
  readonly meta: PositionMeta;
  /** The only evidence is a list without it. */
  readonly missed: boolean;
  /** Only a doubted push had reported it: what was known before that counts. */
  readonly doubted: boolean;
  /** The venue's time of the fill that closed the last of it; null where none is known. */
  readonly filledMs: number | null;
  /** The stop that was active then, by the venue's id. */
  readonly stop: string | null;
}

/** An execution in it, at the venue's time. */
export interface PastExecution {
  readonly kind: "fill";
  readonly key: string;
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly opening: boolean;
  /** In one-way mode it first closed what was held on the other side. */
  readonly reverses: boolean;
  readonly qty: Decimal;
  readonly atMs: number;
}

/** An opening order has ended that had filled more than any row about its position shows: at least that is held. */
export interface FilledOrder {
  readonly kind: "filled";
  readonly key: string;
  /** The position that it alone would have begun. */
  readonly meta: PositionMeta;
  readonly avgPrice: Decimal;
  readonly qty: Decimal;
  /** The venue's time of its newest fill; null where none is known. */
  readonly filledMs: number | null;
}

/** What became of the stop of a position. */
export type PastStop =
  | { readonly kind: "stop-requested"; readonly key: string; readonly clientOrderId: string; readonly stop: AskedStop }
  | {
      readonly kind: "stop-stands";
      readonly key: string;
      readonly algoOrderId: string | null;
      readonly stopPrice: Decimal | null;
      /** Somebody else placed it. */
      readonly external: boolean;
    }
  /** The wanted price moved towards safety; the order at the venue may not have followed yet. */
  | { readonly kind: "stop-moved"; readonly key: string; readonly stopPrice: Decimal }
  | { readonly kind: "stop-over"; readonly key: string; readonly algoOrderId: string }
  | { readonly kind: "stop-cancelled"; readonly algoOrderId: string }
  /** The quantity that it is to cover was changed by a request. */
  | { readonly kind: "stop-resized"; readonly algoOrderId: string; readonly qty: Decimal };

/**
 * One fact of the journal, in the sequence of its rows. `heardMs` is when the row was written, our time, never later than the
 * start that reads it.
 */
export type PastFact = { readonly heardMs: number } & (
  | ReportedPosition
  | EndedPosition
  | PastExecution
  | FilledOrder
  | PastStop
  | { readonly kind: "close-requested"; readonly key: string }
  /** The end of the journal is damaged. What it held is unknown, so the first list decides what is held. */
  | { readonly kind: "tail-lost" }
);
