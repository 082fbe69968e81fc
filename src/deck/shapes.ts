/** What the page receives, as JSON. Money is decimal text, instants are epoch ms; any text may come from outside. */
import type { PositionStatus } from "../agent/decide/status.ts";
import type { StatusReport } from "../daemon/status-report.ts";

/** The state of this second. */
export interface DeckNow extends Pick<
  StatusReport,
  | "atMs"
  | "boot"
  | "stage"
  | "observing"
  | "strategy"
  | "fallback"
  | "equityUsdt"
  | "floorUsdt"
  | "floorDistanceUsdt"
  | "floorState"
  | "floorReason"
  | "feesTodayUsdt"
  | "realizedTodayUsdt"
  | "dayStartEquityUsdt"
  | "maxPositions"
  | "orders"
  | "session"
  | "readOnly"
  | "streams"
  | "uptime"
  | "score"
  | "entriesBlocked"
  | "deciding"
  | "benched"
  | "accountAgeMs"
> {
  readonly phase: number;
  /** The score in the sentences of `ballast status`; none while it is not known. */
  readonly scoreLines: readonly (readonly [name: string, text: string])[];
  /** What it consists of, with when each was last heard. */
  readonly parts: readonly DeckPart[];
  /** Every strategy that can be switched to. */
  readonly strategies: readonly string[];
  readonly positions: readonly DeckPosition[];
  readonly health: Pick<StatusReport["health"], "state" | "reason" | "causes">;
  readonly model: DeckModel;
  /** Whether a token is set, without which nothing can be commanded. */
  readonly commands: boolean;
  /** On which venue it trades, for a person. */
  readonly venue: string;
}

export interface DeckPart {
  readonly name: string;
  readonly up: boolean;
  /** Since it was last heard, read or written, ms; null before the first time. */
  readonly ageMs: number | null;
  /** What is wrong; empty where nothing is. */
  readonly note: string;
}

export interface DeckPosition extends PositionStatus {
  /** Null while no mark has come. */
  readonly markPrice: number | null;
  /** Why it was opened, in the strategy's words. */
  readonly thesis: string;
}

/** Spending of the day against both ends of the band: the cap, and what the day should at least use. */
export interface DeckModel {
  readonly spentTodayUsd: string;
  readonly limitUsd: string;
  readonly leastUsd: string | null;
  readonly forecastUsd: string;
  readonly asks: boolean;
}

/** A row of the journal as one line. */
export interface DeckRow {
  readonly seq: number;
  readonly atMs: number;
  readonly kind: string;
  readonly decisionId: string | null;
  readonly text: string;
  /** Of a news item its key, of a decision the keys of the news that it cites. */
  readonly news?: readonly string[];
  /** Of a row that belongs to a decision: its part in it. */
  readonly step?: DeckStep;
}

/** A decision's parts, from which the page draws it as one: trigger, what was wanted, what each limit said, what became of it. */
export type DeckStep =
  | { readonly is: "triggered"; readonly by: readonly string[]; readonly strategy: string }
  | { readonly is: "failed"; readonly reason: string }
  | { readonly is: "decided"; readonly note: string; readonly wanted: readonly DeckTarget[] }
  | { readonly is: "skipped"; readonly symbol: string; readonly reason: string; readonly atTarget: boolean }
  | {
      readonly is: "judged";
      readonly symbol: string;
      readonly side: string;
      readonly approved: boolean;
      /** How many limits were asked. */
      readonly asked: number;
      /** Those that did not simply allow it. */
      readonly against: readonly { readonly limit: string; readonly kind: string; readonly reason: string }[];
    }
  | {
      readonly is: "filled";
      readonly symbol: string;
      readonly side: string;
      readonly qty: string;
      readonly price: string;
    };

/** A size of 0 is flat, of 1 the whole share of equity. */
export interface DeckTarget {
  readonly symbol: string;
  readonly leg: string;
  readonly size: number;
  readonly reason: string;
}

/** Columns over time, oldest first, since the journal began. */
export interface DeckHistory {
  readonly equity: { readonly atMs: readonly number[]; readonly usdt: readonly number[] };
  /** Value of what is held at its entry prices, each side, whenever it changes. */
  readonly exposure: {
    readonly atMs: readonly number[];
    readonly long: readonly number[];
    readonly short: readonly number[];
  };
  /** Model money by UTC day. */
  readonly spend: readonly { readonly day: string; readonly usd: number }[];
  /** False while earlier rows are still being read. */
  readonly whole: boolean;
}

export interface DeckBars {
  readonly symbol: string;
  readonly interval: string;
  readonly openMs: readonly number[];
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
  /** Our own fills among them. */
  readonly fills: readonly {
    readonly atMs: number;
    readonly side: string;
    readonly price: number;
    readonly qty: number;
  }[];
}

/** Decisions of a span that opened nothing, with the same reason. */
export interface DeckWhyNot {
  readonly outcome: string;
  readonly reason: string;
  readonly count: number;
  readonly decisionIds: readonly string[];
}

/** A check of the set-up. */
export interface DeckCheck {
  readonly title: string;
  readonly result: "PASS" | "WARN" | "FAIL" | "SKIP";
  readonly text: string;
  /** What to do; empty where nothing is to be done. */
  readonly next: string;
}

/** A decision from its trigger to its outcome, as `ballast explain` shows it. */
export interface DeckStory {
  readonly decisionId: string;
  readonly text: string;
  /** Every write of the decision, each with what `ballast why` says of it. */
  readonly orders: readonly { readonly name: string; readonly why: string }[];
  readonly asked: readonly { readonly prompt: string; readonly question: string; readonly reply: string }[];
}

export interface DeckLogLine {
  readonly time: string;
  readonly level: string;
  readonly evt: string;
  readonly msg: string;
}

/** Messages of `/deck/events`, by the name of the event. */
export interface DeckEvents {
  readonly now: DeckNow;
  readonly rows: readonly DeckRow[];
  readonly log: readonly DeckLogLine[];
}
