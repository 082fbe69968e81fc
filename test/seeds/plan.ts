/** What a seed stands for: everything that will happen in one run, drawn beforehand, so that parts of it can be left out. */
import type { OperatorCommand } from "../../src/agent/contract/events.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import type { CrashToken } from "../../src/harness/crash.ts";
import type { CallbackClass } from "../../src/harness/crashable-process.ts";
import type { Damage } from "./damage.ts";
import { drawEvents } from "./draw-events.ts";
import { type Draw, drawFrom } from "./menu.ts";
import type { DiskTrouble } from "./troubled-disk.ts";

/**
 * `account`: as short as the short ones, with more of the faults after which the agent has misread its account. `apart`: the same
 * where our clock and the venue's differ, and pushes lack fields. `midnight`: the same where a day ends, funding is paid, the
 * account may be near its limits, and the operator and others act by hand. `harsh`: short ones with a slow venue and many more deaths,
 * clock steps, damaged journals and rare faults.
 */
export const KINDS = ["short", "standard", "account", "apart", "midnight", "harsh"] as const;
export type Kind = (typeof KINDS)[number];

export type PlanEvent =
  | {
      readonly what: "fault";
      readonly atMs: number;
      readonly name: string;
      readonly params: Readonly<Record<string, unknown>>;
      readonly forMs: number;
    }
  /** The life that begins at start number `life` dies at a boundary of its journal. */
  | { readonly what: "crash"; readonly life: number; readonly token: CrashToken; readonly downMs: number }
  | { readonly what: "kill"; readonly atMs: number; readonly downMs: number }
  | { readonly what: "restart"; readonly atMs: number; readonly downMs: number }
  /** The process stands still: SIGSTOP, a paused machine, a loop that is held up. Faults P5, P6. */
  | { readonly what: "freeze"; readonly atMs: number; readonly forMs: number }
  /** The clock of the agent's machine is set. Faults C1, C2. */
  | { readonly what: "step"; readonly atMs: number; readonly byMs: number }
  /** The process dies, and its journal's write-ahead log is damaged before it starts again. Faults D3, D4. */
  | { readonly what: "damage"; readonly atMs: number; readonly damage: Damage; readonly downMs: number }
  /** The next callback of a class throws. Fault P7. */
  | { readonly what: "throw"; readonly atMs: number; readonly callback: CallbackClass; readonly downMs: number }
  /** The journal's disk fails or is slow. Faults D1, D2, D8, D9. */
  | { readonly what: "disk"; readonly atMs: number; readonly trouble: DiskTrouble; readonly forMs: number }
  | { readonly what: "operator"; readonly atMs: number; readonly command: OperatorCommand }
  /** Whoever runs the competition closes everything, and gives every account its first capital again. */
  | { readonly what: "reset"; readonly atMs: number };

export interface Plan {
  readonly kind: Kind;
  readonly seed: number;
  readonly phase: 1 | 2;
  readonly mode: "BOTH" | "NET";
  readonly policy: "refuse-always" | "refuse-while-open" | "accept";
  readonly route: "rest" | "user-stream";
  readonly strategy: string;
  readonly bases: readonly string[];
  readonly start: "fresh" | "positions" | "orders" | "crashed";
  /** How openings go to the book. */
  readonly entry: {
    readonly style: "as-wished" | "cross" | "post-only";
    readonly then: "give-up" | "cross";
    readonly chases: number;
    readonly depthShare: number;
  };
  readonly latencyMs: number;
  /** When it begins, epoch ms, by the venue's clock. */
  readonly startMs: number;
  /** What the account has at first. */
  readonly usdt: number;
  /** A day that has lost this share of its first equity opens nothing more. */
  readonly dailyLossStop: number;
  /** Our clock minus the venue's, from the beginning. */
  readonly gapMs: number;
  readonly delays: { readonly placeMs: number; readonly cancelMs: number; readonly amendMs: number };
  /** Faults are on for this long; what follows is calm. */
  readonly unrestMs: number;
  readonly calmMs: number;
  /** Calm lasts all of that time though nothing is left to mend. */
  readonly staysCalm: boolean;
  /** The operator says resume when calm begins. */
  readonly resumes: boolean;
  /** How stops follow the price: two seeds in five have them move. */
  readonly stops: "still" | "break-even" | "trailing";
  readonly events: readonly PlanEvent[];
}

interface Size {
  readonly unrestMs: readonly [min: number, max: number];
  readonly faults: readonly [min: number, max: number];
}
const SIZES: Readonly<Record<Kind, Size>> = {
  short: { unrestMs: [25_000, 45_000], faults: [1, 5] },
  standard: { unrestMs: [150_000, 420_000], faults: [4, 14] },
  account: { unrestMs: [30_000, 60_000], faults: [2, 5] },
  apart: { unrestMs: [30_000, 60_000], faults: [2, 5] },
  midnight: { unrestMs: [30_000, 60_000], faults: [2, 5] },
  harsh: { unrestMs: [25_000, 45_000], faults: [1, 5] },
};
/** In the middle of an hour, so that no day, no funding and no full hour falls into it. */
const MORNING_MS = Date.UTC(2026, 0, 5, 9, 30);
/** A day and eight hours of funding end in its unrest, which begins some seconds later. */
const beforeMidnight = (draw: Draw): number => Date.UTC(2026, 0, 6) - draw.int(4_000, 60_000);
const DAYTIME = { startMs: MORNING_MS, usdt: 1_000, dailyLossStop: 0.5 } as const;
const GAPS_MS = [-8_000, -2_000, -600, -200, -60, 60, 200, 600, 2_000, 8_000] as const;
/** Long enough for a proof of absence (30 s) after the faults are over. */
const CALM_MS = 45_000;
/** Few symbols, and mostly quiet ones: market data is what a run costs. */
const MARKETS = [
  ["BTC", "ADA"],
  ["ADA", "LAB"],
  ["LINK", "QNT", "JST"],
  ["XLM", "SKY"],
] as const;

const STOPS = ["still", "still", "still", "break-even", "trailing"] as const;

export function drawPlan(kind: Kind, seed: number): Plan {
  const entropy = seededEntropy(`plan:${kind}:${seed}`);
  const size = SIZES[kind];
  const plain = drawFrom(entropy, []);
  const bases = plain.one(MARKETS);
  const draw = drawFrom(entropy, bases);
  const unrestMs = draw.int(...size.unrestMs);
  return {
    kind,
    seed,
    phase: draw.often(0.75) ? 1 : 2,
    mode: draw.often(0.75) ? "BOTH" : "NET",
    policy: draw.one(["refuse-always", "refuse-while-open", "accept"]),
    route: draw.one(["rest", "user-stream"]),
    strategy: draw.one([
      "restless",
      "restless",
      "restless",
      "restless",
      "restless",
      "restless",
      "llm-trader",
      "momentum",
    ]),
    bases,
    entry: entryOf(kind, seed),
    start: draw.one(["fresh", "fresh", "positions", "orders", "crashed"]),
    latencyMs: draw.one([5, 20, 150]),
    ...(kind === "midnight" ? nightOf(seed) : DAYTIME),
    gapMs: kind === "apart" ? plain.one(GAPS_MS) : 0,
    delays: draw.often(kind === "harsh" ? 0.75 : 0.4)
      ? {
          placeMs: draw.one(kind === "harsh" ? [300, 2_000, 4_000] : [0, 300, 2_000]),
          cancelMs: draw.one([0, 300, 2_000]),
          amendMs: draw.one([0, 1_000]),
        }
      : { placeMs: 0, cancelMs: 0, amendMs: 0 },
    unrestMs,
    calmMs: CALM_MS,
    staysCalm: seed % 10 === 0,
    resumes: draw.often(0.8),
    // From a source of its own: what was found with earlier plans stays what it was.
    stops: drawFrom(seededEntropy(`stops:${kind}:${seed}`), []).one(STOPS),
    events: drawEvents(draw, { kind, seed, bases, unrestMs, faults: size.faults }),
  };
}

function nightOf(seed: number): Pick<Plan, keyof typeof DAYTIME> {
  const draw = drawFrom(seededEntropy(`night:${seed}`), []);
  return {
    startMs: beforeMidnight(draw),
    usdt: draw.one([1_000, 1_000, 840, 810, 5_000]),
    dailyLossStop: draw.one([0.5, 0.05, 0.002]),
  };
}

/** Drawn apart, so that what else a seed stands for stays as it was. The share is small enough for slices to be cut. */
function entryOf(kind: Kind, seed: number): Plan["entry"] {
  const draw = drawFrom(seededEntropy(`entry:${kind}:${seed}`), []);
  return {
    style: draw.one(["as-wished", "as-wished", "cross", "post-only"]),
    then: draw.one(["give-up", "cross"]),
    chases: draw.one([0, 3, 6]),
    depthShare: draw.one([0, 0.5, 0.002]),
  };
}

/** The plan with only the events of these numbers. */
export const keeping = (plan: Plan, kept: readonly number[]): Plan => ({
  ...plan,
  events: plan.events.filter((_, at) => kept.includes(at)),
});
