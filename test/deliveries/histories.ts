/**
 * Histories drawn from a seed: what the strategy wants, what somebody else trades, where the price goes, when requests fail, and
 * which pushes are lost, come twice or come late while all that happens. In the end, when everything arrives again, the agent knows what the venue holds.
 */
import { type Entropy, seededEntropy } from "../../src/core/entropy.ts";
import { dec } from "../../src/core/decimal.ts";
import { type Outcome, playPlot } from "./story.ts";
import { type Delivery, START_PRICE } from "./scene.ts";
import { type Plot, type Step, type Target } from "./plots.ts";

export interface Drawn {
  readonly plot: Plot;
  readonly delivery: Omit<Delivery, "copies" | "report">;
}

const LAGS_MS = [0, 500, 2_000, 8_000, 15_000];
const SIZES = [0.3, 0.5, 0.9];
/**
 * Longer than any read may lag, and than the last late push; then nothing may happen for another while. One history in so
 * many waits all that time, for what would go wrong long after the last event; the others until the agent is right.
 */
const WAITS_IN = 8;
const settleOf = (seed: number): readonly Step[] => [
  { rest: "up", forMs: 4_000 },
  { forMs: 60_000, ...(seed % WAITS_IN === 0 ? {} : { untilRight: true }) },
];
/** A position that no stop covers completely for longer than this counts as unprotected. */
const BARE_MS = 10_000;
/** What somebody else opened may be in no push at all, or in one-way mode in none that names a side: then a list has to come. */
const BARE_BY_HAND_MS = 60_000;
/**
 * A stop of a position that is over goes within the lag of a list after the last late push of that position, and the time in
 * which the venue reports its end.
 */
const LOOSE_MS = 40_000;
/** What a size of 1 comes to under these settings, USDT at the start. */
const WHOLE_USDT = 1_000;
/** Gains make a size worth more, and an order takes a little more than its share. */
const NEAR = 1.1;

function among<T>(draw: Entropy, values: readonly T[]): T {
  const found = values[draw.int("among", 0, values.length)];
  if (found === undefined) throw new RangeError("nothing to choose from");
  return found;
}

function drawTarget(draw: Entropy): Target {
  const side = draw.chance("long", 0.6) ? "LONG" : "SHORT";
  return { leg: side, size: draw.chance("flat", 0.3) ? 0 : among(draw, SIZES), stop: among(draw, [0.03, 0.05]) };
}

const drawByHand = (draw: Entropy): NonNullable<Step["byHand"]> => ({
  leg: draw.chance("long", 0.5) ? "LONG" : "SHORT",
  qty: draw.chance("close", 0.5) ? 0 : among(draw, [0.4, 1]),
});

function drawStep(draw: Entropy): Step {
  const forMs = 1_000 * draw.int("for", 1, 25);
  const kind = draw.next("step");
  if (kind < 0.55) return { want: drawTarget(draw), forMs };
  if (kind < 0.7) return { byHand: drawByHand(draw), forMs };
  if (kind < 0.87) return { move: (draw.next("move") - 0.5) * 0.1, forMs };
  return { rest: among(draw, ["lost", "deaf"] as const), forMs: Math.min(forMs, 12_000) };
}

/** After failed requests the requests work again, with the targets of that time. */
function* stepsOf(draw: Entropy): Generator<Step> {
  const count = draw.int("steps", 2, 6);
  for (let made = 0; made < count; made++) {
    const step = drawStep(draw);
    yield step;
    if (step.rest !== undefined) yield { rest: "up", forMs: 1_000 * draw.int("after", 0, 12) };
  }
}

/** The process is killed once or twice, at any point of the same history. */
function withDeaths(steps: readonly Step[], seed: number): readonly Step[] {
  const draw = seededEntropy(`deaths:${seed}`);
  const lived = [...steps];
  for (let left = draw.int("deaths", 1, 3); left > 0; left--) {
    const at = draw.int("at", 0, lived.length + 1);
    const forMs = 1_000 * draw.int("away", 0, 30);
    const before = lived[at - 1];
    if (before) lived[at - 1] = { ...before, forMs: 200 * draw.int("lived", 0, 1 + before.forMs / 200) };
    lived.splice(at, 0, { dies: true, forMs });
  }
  return lived;
}

export function drawHistory(seed: number, deaths = false): Drawn {
  const draw = seededEntropy(`history:${seed}`);
  const drawn = [...stepsOf(draw)];
  const steps = deaths ? withDeaths(drawn, seed) : drawn;
  const last = drawTarget(draw);
  return {
    plot: {
      before: draw.chance("before", 0.5) ? drawTarget(draw) : null,
      steps: [...steps, { want: last, forMs: 5_000 }, ...settleOf(seed)],
    },
    delivery: {
      mode: draw.chance("mode", 0.7) ? "BOTH" : "NET",
      lagMs: among(draw, LAGS_MS),
      closeTypes: draw.chance("close types", 0.7),
      depth: draw.chance("deep", 0.6) ? "deep" : "thin",
    },
  };
}

function drawCopies(draw: Entropy): readonly number[] {
  const kind = draw.next("fate");
  const lateMs = draw.int("late", 200, 15_000);
  if (kind < 0.7) return [0];
  if (kind < 0.8) return [];
  return kind < 0.9 ? [0, lateMs] : [lateMs];
}

interface Played {
  /** Whether the process is killed and another begins, once or twice. */
  readonly deaths?: boolean;
  readonly report?: Delivery["report"];
}

/** A history with the mishaps of its seed. */
export function playHistory(seed: number, { deaths, report }: Played): Outcome {
  const { plot, delivery } = drawHistory(seed, deaths);
  const draw = seededEntropy(`fates:${seed}`);
  return playPlot(plot, { ...delivery, copies: () => drawCopies(draw), ...(report ? { report } : {}) });
}

/** The most that any step wanted, at the lowest price that it came to, and what others opened. */
function mostWanted({ before, steps }: Plot): number {
  let [size, price, lowest] = [before?.size ?? 0, START_PRICE, START_PRICE];
  let byHand = 0;
  for (const step of steps) {
    byHand += step.byHand?.qty ?? 0;
    size = Math.max(size, step.want?.size ?? 0);
    price *= 1 + (step.move ?? 0);
    lowest = Math.min(lowest, price);
  }
  return (size * WHOLE_USDT) / lowest + byHand;
}

/** Of what somebody else does the agent learns only afterwards. */
const traded = ({ plot }: Drawn): boolean => plot.steps.some(({ byHand }) => byHand !== undefined);

const bareAllowed = ({ plot }: Drawn): number =>
  plot.steps.some(({ byHand }) => byHand !== undefined && byHand.qty > 0) ? BARE_BY_HAND_MS : BARE_MS;

/** What is wrong with a history: in the end, or at any instant of it. */
export function judgeHistory(seed: number, played: Played = {}): Outcome & { readonly wrong: readonly string[] } {
  const outcome = playHistory(seed, played);
  const drawn = drawHistory(seed, played.deaths);
  const most = mostWanted(drawn.plot);
  return {
    ...outcome,
    wrong: [
      ...outcome.problems,
      ...(outcome.mostQty.gt(dec((most * NEAR).toFixed(8)))
        ? [`held ${outcome.mostQty.toFixed()} at once, ${most.toFixed(2)} was wanted at most`]
        : []),
      ...(outcome.uncounted !== null && !traded(drawn) ? [outcome.uncounted] : []),
      ...(outcome.looseMs > LOOSE_MS ? [`a stop without its position for ${outcome.looseMs / 1_000} s`] : []),
      ...(outcome.bareMs > bareAllowed(drawn) ? [`not covered by a stop for ${outcome.bareMs / 1_000} s`] : []),
    ],
  };
}
