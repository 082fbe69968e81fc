/**
 * What is kept between decisions beside the strategies: a switch that waits for its safe point, the rest of a handover,
 * paper accounts of the shadows, lessons. Small and bounded.
 */
import type { Lesson } from "../../context/memory.ts";
import type { Strategies } from "../contract/events.ts";
import { type Handover, type HandoverState, noHandover, type SwitchedBy } from "../contract/handover.ts";
import { EXTRA_USES } from "../../strategy/strategy.ts";
import type { PaperBook } from "../paper/paper-book.ts";
import type { ShadowRow } from "../../rows/shadow.ts";

/** A switch that was asked for. `request` names the command that waits for its answer. */
export interface PendingSwitch {
  readonly strategies: Strategies;
  readonly handover: Handover;
  readonly by: SwitchedBy;
  readonly request: string | null;
  readonly askedMs: number;
}

/** What a switch did, for the status, the log and the command that asked. */
export interface SwitchNotice {
  readonly request: string | null;
  readonly atMs: number;
  readonly from: string;
  readonly to: string;
  readonly by: SwitchedBy;
  readonly handover: Handover;
  /** `setting: before → after`, the effective values with defaults filled in. */
  readonly differences: readonly string[];
  readonly positions: readonly string[];
  /** Opening orders that were withdrawn. */
  readonly withdrawn: readonly string[];
}

/** Part of the agent's state. `books` are by shadow name; `lessons` may hold expired ones, oldest first. */
export interface DecidingState {
  nextSwitch: PendingSwitch | null;
  lastSwitch: SwitchNotice | null;
  handover: HandoverState;
  readonly books: Map<string, PaperBook>;
  /** Last rows of shadows that were dropped in this run: one that runs again continues from there. */
  readonly leftBooks: Map<string, ShadowRow>;
  watchedMs: number;
  /** The next settlement of symbols held on paper, with the rate last reported for it. */
  readonly paperFunding: Map<string, { readonly atMs: number; readonly rate: number }>;
  /** Funding times that a decision was already asked for, by position. */
  readonly fundingReported: Map<string, number>;
  lessons: readonly Lesson[];
  /** When each use of the spend plan last had an answer, epoch ms. */
  readonly bought: Map<string, number>;
}

/** What earlier runs left. Books are the bodies of their last rows, by name. */
export interface RestoredDeciding {
  readonly handover: HandoverState;
  readonly lastSwitch: SwitchNotice | null;
  readonly books: ReadonlyMap<string, ShadowRow>;
  readonly lessons: readonly Lesson[];
  /** When a question for each purpose was last answered, epoch ms. */
  readonly bought: ReadonlyMap<string, number>;
}

/** Where the journal reports no switch, paper book or lesson. */
export const nothingDeciding: RestoredDeciding = {
  handover: noHandover,
  lastSwitch: null,
  books: new Map(),
  lessons: [],
  bought: new Map(),
};

/** Books of earlier runs are not opened here: `bookFor` does that when a shadow starts. */
export function createDecidingState({ handover, lastSwitch, lessons, bought }: RestoredDeciding): DecidingState {
  return {
    nextSwitch: null,
    lastSwitch,
    handover,
    books: new Map(),
    leftBooks: new Map(),
    watchedMs: -Infinity,
    paperFunding: new Map(),
    fundingReported: new Map(),
    lessons,
    bought: new Map([...bought].filter(([use]) => EXTRA_USES.some((known) => known === use))),
  };
}
