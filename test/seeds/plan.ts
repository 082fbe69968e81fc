/** What a seed stands for: everything that will happen in one run, drawn beforehand, so that parts of it can be left out. */
import { seededEntropy } from "../../src/core/entropy.ts";
import type { CrashToken } from "../../src/harness/crash.ts";
import { CALLBACK_CLASSES, type CallbackClass } from "../../src/harness/crashable-process.ts";
import type { Damage } from "./damage.ts";
import { ACCOUNT, APART, type Dish, type Draw, drawFault, drawFrom, LATEST, MORE } from "./menu.ts";
import type { DiskTrouble } from "./troubled-disk.ts";

/**
 * `account`: as short as the short ones, with more of the faults after which the agent has misread its account. `apart`: the same
 * where our clock and the venue's differ, and pushes lack fields.
 */
export type Kind = "short" | "standard" | "account" | "apart";

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
  | { readonly what: "operator"; readonly atMs: number; readonly command: "halt" | "resume" };

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
};
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
    gapMs: kind === "apart" ? plain.one(GAPS_MS) : 0,
    delays: draw.often(0.4)
      ? { placeMs: draw.one([0, 300, 2_000]), cancelMs: draw.one([0, 300, 2_000]), amendMs: draw.one([0, 1_000]) }
      : { placeMs: 0, cancelMs: 0, amendMs: 0 },
    unrestMs,
    calmMs: CALM_MS,
    staysCalm: seed % 10 === 0,
    resumes: draw.often(0.8),
    // From a source of its own: what was found with earlier plans stays what it was.
    stops: drawFrom(seededEntropy(`stops:${kind}:${seed}`), []).one(STOPS),
    events:
      kind === "short" || kind === "standard"
        ? events(draw, kind, bases, seed, unrestMs)
        : accountEvents(draw, kind, unrestMs),
  };
}

function events(
  draw: Draw,
  kind: Kind,
  bases: readonly string[],
  seed: number,
  unrestMs: number,
): readonly PlanEvent[] {
  const apart = (name: string): Draw => drawFrom(seededEntropy(`${name}:${kind}:${seed}`), bases);
  return [
    ...Array.from({ length: draw.int(...SIZES[kind].faults) }, () => faultOf(draw, kind, unrestMs)),
    ...crashes(draw, kind),
    ...others(draw, unrestMs),
    ...machine(apart("machine"), unrestMs),
    // Last, so that the numbers of those before stay what they were.
    ...more(apart("more"), kind, unrestMs),
    ...latest(apart("latest"), kind, unrestMs),
  ];
}

/** Many deaths, and mostly faults that delay, lose or contradict what the agent hears of its account. */
function accountEvents(draw: Draw, kind: "account" | "apart", unrestMs: number): readonly PlanEvent[] {
  const atMs = (): number => draw.int(2_000, unrestMs - 1_000);
  const downMs = (): number => draw.one([500, 2_000, 8_000]);
  const found = Array.from({ length: draw.int(...SIZES[kind].faults) }, () =>
    faultOf(draw, kind, unrestMs, kind === "apart" ? APART : ACCOUNT),
  );
  for (let life = 0; draw.often(0.5); life++) found.push(crash(draw, life, draw.int(3, 90)));
  if (draw.often(0.25)) found.push({ what: "kill", atMs: atMs(), downMs: downMs() });
  if (draw.often(0.2)) found.push({ what: "restart", atMs: atMs(), downMs: downMs() });
  if (draw.often(0.15)) found.push({ what: "freeze", atMs: atMs(), forMs: draw.one([2_000, 6_000, 15_000]) });
  if (draw.often(0.1)) found.push({ what: "step", atMs: atMs(), byMs: draw.one([-60_000, -4_000, 4_000, 90_000]) });
  if (draw.often(0.25))
    found.push({
      what: "damage",
      atMs: atMs(),
      damage: { how: draw.one(["cut", "flip"]), at: draw.float(0, 1) },
      downMs: downMs(),
    });
  return found;
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

function faultOf(draw: Draw, kind: Kind, unrestMs: number, menu?: readonly Dish[]): PlanEvent {
  const forMs = kind !== "standard" ? draw.int(500, 25_000) : draw.int(1_000, 120_000);
  return { what: "fault", atMs: draw.int(0, Math.floor(unrestMs * 0.9)), ...drawFault(draw, menu), forMs };
}

/** One life in three dies at a row; every second of those dies again while it recovers. */
function crashes(draw: Draw, kind: Kind): readonly PlanEvent[] {
  const found: PlanEvent[] = [];
  const lives = kind === "short" ? 1 : 4;
  let life = 0;
  for (let round = 0; round < lives; round++) {
    if (!draw.often(0.4)) continue;
    found.push(crash(draw, life++, draw.int(3, kind === "short" ? 90 : 400)));
    while (draw.often(0.4)) found.push(crash(draw, life++, draw.int(1, 25)));
  }
  return found;
}

const crash = (draw: Draw, life: number, append: number): PlanEvent => ({
  what: "crash",
  life,
  token: { append, when: draw.one(["before", "after"]) },
  downMs: draw.one([500, 2_000, 8_000]),
});

function others(draw: Draw, unrestMs: number): readonly PlanEvent[] {
  const atMs = (): number => draw.int(2_000, unrestMs);
  const found: PlanEvent[] = [];
  if (draw.often(0.15)) found.push({ what: "kill", atMs: atMs(), downMs: draw.one([500, 5_000]) });
  if (draw.often(0.1)) found.push({ what: "restart", atMs: atMs(), downMs: draw.one([500, 3_000]) });
  if (draw.often(0.1)) found.push({ what: "operator", atMs: atMs(), command: "halt" });
  if (draw.often(0.05)) found.push({ what: "operator", atMs: atMs(), command: "resume" });
  return found;
}

/** What becomes of the machine that the agent runs on. */
function machine(draw: Draw, unrestMs: number): readonly PlanEvent[] {
  const atMs = (): number => draw.int(2_000, unrestMs - 1_000);
  const found: PlanEvent[] = [];
  if (draw.often(0.15))
    found.push({ what: "freeze", atMs: atMs(), forMs: draw.one([300, 2_000, 6_000, 15_000, 40_000]) });
  if (draw.often(0.08))
    found.push({ what: "step", atMs: atMs(), byMs: draw.one([-3_600_000, -60_000, -4_000, 4_000, 90_000, 3_600_000]) });
  if (draw.often(0.08))
    found.push({
      what: "disk",
      atMs: atMs(),
      trouble: draw.one(["full", "busy", "broken"]),
      forMs: draw.one([100, 2_000, 10_000]),
    });
  return found;
}

/** Faults of the second menu, exceptions, slow and damaged journals. */
function more(draw: Draw, kind: Kind, unrestMs: number): readonly PlanEvent[] {
  const atMs = (): number => draw.int(2_000, unrestMs - 1_000);
  const downMs = (): number => draw.one([500, 2_000, 8_000]);
  const found: PlanEvent[] = [];
  for (let left = kind === "short" ? 1 : 4; left > 0; left--)
    if (draw.often(0.35)) found.push(faultOf(draw, kind, unrestMs, MORE));
  if (draw.often(0.08))
    found.push({ what: "throw", atMs: atMs(), callback: draw.one(CALLBACK_CLASSES), downMs: downMs() });
  if (draw.often(0.06))
    found.push({ what: "disk", atMs: atMs(), trouble: "slow", forMs: draw.one([100, 2_000, 10_000]) });
  if (draw.often(0.06)) {
    const damage: Damage = { how: draw.one(["cut", "flip"]), at: draw.float(0, 1) };
    found.push({ what: "damage", atMs: atMs(), damage, downMs: downMs() });
  }
  return found;
}

/** Of every fourth seed: faults of the third menu. */
const latest = (draw: Draw, kind: Kind, unrestMs: number): readonly PlanEvent[] =>
  draw.often(0.25) ? [faultOf(draw, kind, unrestMs, LATEST)] : [];

/** The plan with only the events of these numbers. */
export const keeping = (plan: Plan, kept: readonly number[]): Plan => ({
  ...plan,
  events: plan.events.filter((_, at) => kept.includes(at)),
});
