/** What the journal of earlier runs gives an agent that starts. */
import type { Phase } from "../../domain/competition.ts";
import type { HourlyEquity } from "../../domain/hourly-equity.ts";
import type { FloorState, RecentOpening } from "../../risk/view.ts";
import type { RestoredCosts } from "../books/cost-book.ts";
import type { DayAnchors } from "../books/equity.ts";
import type { EndedIntent, PastIntent } from "../books/intents.ts";
import type { RestoredFills } from "../books/fill-watch.ts";
import type { PastFact } from "../positions/past-fact.ts";
import type { RestoredDeciding } from "./deciding-state.ts";
import type { LostClose, NamedClose } from "../books/own-closes.ts";
import type { PastSurplus } from "../books/tracked.ts";
import type { RequestedStop } from "./past-stops.ts";
import type { RestoredTrades } from "../positions/trade-book.ts";
import type { UptimeCount } from "../books/uptime.ts";

/** The optional parts are empty where no earlier run reported them. */
export interface Restored {
  /** Intents whose end no row reports. */
  readonly openIntents: readonly PastIntent[];
  /** The newest intents whose end a row reports, oldest first. */
  readonly endedIntents?: readonly EndedIntent[];
  /** Client order ids of intents that provably were never sent. */
  readonly unsentIntents?: readonly string[];
  /** Client ids of every intent of the last days, so that their orders are known as ours. */
  readonly ourClientIds: ReadonlySet<string>;
  /** The orders that carried out the last closes. */
  readonly namedCloses?: readonly NamedClose[];
  /** Orders of others that were seen so lately that a list of orders may not show them yet. */
  readonly externalOrders?: readonly { readonly symbol: string; readonly seenMs: number }[];
  /** Closes of the last minutes whose reply is unknown. */
  readonly lostCloses?: readonly LostClose[];
  /** What the rows say of positions and their stops, oldest first. */
  readonly positionFacts?: readonly PastFact[];
  /** By exchange: whether the last order there was written for hedge mode. */
  readonly hedgeModes?: ReadonlyMap<string, boolean>;
  readonly floor: FloorState;
  /** Why it is not NORMAL. */
  readonly floorReason?: string;
  /** The phase that held at the end, and since when; null where no earlier run saw it begin. */
  readonly phase?: { readonly phase: Phase; readonly sinceMs: number | null };
  readonly anchors: DayAnchors | null;
  readonly uptime: UptimeCount;
  /** The equity at full hours so far; taken over and added to. */
  readonly hourly?: HourlyEquity;
  /** Own closed trades, and the fills and funding of positions that were open. */
  readonly trades?: RestoredTrades;
  readonly deciding?: RestoredDeciding;
  readonly fills?: RestoredFills;
  /** When stops were asked for inside the venue's window. */
  readonly protectAskedMs?: readonly number[];
  /** When changes of stops were asked for inside it. */
  readonly amendAskedMs?: readonly number[];
  /** Those asked for just before the end: the journal may not report their outcome. */
  readonly requestedStops?: readonly RequestedStop[];
  /** Those that stood when their position was reported as flat, a moment ago. */
  readonly stopsLeft?: readonly string[];
  /** The openings that were promised in the last day, oldest first; none when left out. */
  readonly recentOpenings?: readonly RecentOpening[];
  /** What orders that the venue took twice have opened in positions that are held. */
  readonly surplus?: readonly PastSurplus[];
  /** When decisions began a new position in the last hour; none when left out. */
  readonly entriesMs?: readonly number[];
  /** What earlier runs measured, and what their last promises predicted. */
  readonly costs?: RestoredCosts;
  /** Periods in which positions stood without a stop, oldest first. */
  readonly unprotectedMs?: readonly number[];
}
