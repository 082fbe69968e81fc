/** What happens in each history, and the fates that its pushes may have. */

export const FATES = ["now", "lost", "twice", "delayed"] as const;
export type Fate = (typeof FATES)[number];

/** How late each copy comes, ms. A second copy and a delayed one come after lists of the same have been read. */
export const COPIES: Readonly<Record<Fate, readonly number[]>> = {
  now: [0],
  lost: [],
  twice: [0, 6_000],
  delayed: [6_000],
};

export type Target = { readonly leg: "LONG" | "SHORT"; readonly size: number; readonly stop: number } | null;

/** What the strategy wants from then on, or what happens to the price or to requests, and how long until the next step. */
export interface Step {
  readonly want?: Target;
  /** The price moves by this share. */
  readonly move?: number;
  readonly rest?: "up" | "lost" | "deaf";
  /** Somebody else trades on the account: closes what is held on that side, or opens so much of it. */
  readonly byHand?: { readonly leg: "LONG" | "SHORT"; readonly qty: number };
  /** The process is killed; another one begins after this step. */
  readonly dies?: true;
  /** It is over as soon as the agent knows what the venue holds. */
  readonly untilRight?: true;
  readonly forMs: number;
}

/** What stands before the pushes have fates, and what happens then. */
export interface Plot {
  readonly before: Target;
  readonly steps: readonly Step[];
}

const long = (size: number, stop = 0.05): Target => ({ leg: "LONG", size, stop });
/** The same is wanted again after each of these, and only once may it be given; by the end every list has come round. */
const WANTED_FOR_MS = [3_000, 4_000, 8_000, 15_000, 30_000] as const;
const thenWants = (want: Target, move?: number): readonly Step[] =>
  WANTED_FOR_MS.map((forMs, at) => ({ want, forMs, ...(at === 0 && move !== undefined ? { move } : {}) }));

export const STORIES = {
  open: { before: null, steps: thenWants(long(0.5)) },
  close: { before: long(0.5), steps: thenWants(long(0)) },
  grow: { before: long(0.3), steps: thenWants(long(0.9)) },
  shrink: { before: long(0.9), steps: thenWants(long(0.3)) },
  reverse: { before: long(0.5), steps: thenWants({ leg: "SHORT", size: 0.5, stop: 0.05 }) },
  stop: { before: long(0.5, 0.03), steps: thenWants(null, -0.04) },
} as const satisfies Record<string, Plot>;
export type StoryName = keyof typeof STORIES;
