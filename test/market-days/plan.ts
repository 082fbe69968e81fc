/** What one market day holds, drawn from its number: the account, the market, and what goes wrong in it, all in advance. */
import { type Entropy, seededEntropy } from "../../src/core/entropy.ts";
import type { Objective } from "../../src/config/objectives.ts";
import { MINUTE_MS } from "../../src/core/time.ts";

export interface Gap {
  /** How far, as a share of the move that the settings declare for the symbol: 1 is all of it. */
  readonly share: number;
  /** In so many steps, a few seconds apart: together they are the whole move. */
  readonly parts: number;
  /** Which of the symbols it hits. */
  readonly breadth: "held" | "one" | "all";
  /** Against what is held; otherwise for it. */
  readonly against: boolean;
}

/** What the day waits for before it strikes: the worst moment of its kind, or the end of its patience. */
export type Moment =
  | { readonly kind: "any" }
  /** All is held that the limits allow. */
  | { readonly kind: "fullest" }
  /** So long after a fill that has made much of what is held larger: its stop may not stand yet. */
  | { readonly kind: "fresh"; readonly afterMs: number };

export type PlanEvent =
  | { readonly what: "gap"; readonly atMs: number; readonly moment: Moment; readonly gap: Gap }
  | {
      readonly what: "outage";
      readonly atMs: number;
      readonly moment: Moment;
      readonly kind: OutageKind;
      readonly forMs: number;
      /** Strikes somewhere within it. */
      readonly gap: Gap | null;
    }
  | { readonly what: "turn"; readonly atMs: number; readonly leg: "LONG" | "SHORT" }
  | { readonly what: "resume"; readonly atMs: number };

/**
 * silent: nothing comes or goes. unanswered: requests never arrive. deaf: they are carried out, answers are lost. blind: no
 * streams. mute: the user stream is up, and nothing is pushed.
 */
export type OutageKind = (typeof OUTAGES)[number];
const OUTAGES = ["silent", "unanswered", "deaf", "blind", "mute"] as const;

export interface DayPlan {
  readonly number: number;
  readonly beyond: boolean;
  readonly phase: 1 | 2;
  /** Each coin is traded on two exchanges, and wanted long on one of them and short on the other. */
  readonly paired: boolean;
  readonly mode: "BOTH" | "NET";
  readonly startUsdt: string;
  readonly bases: readonly string[];
  readonly depth: "deep" | "thin";
  /**
   * `shipped` as it comes; `wide` with every share of equity as large as can be set; `bold` also insures smaller gaps; or
   * the set of an objective.
   */
  readonly risk: "shipped" | "wide" | "bold" | Objective;
  /** Times the symbols' usual unrest. */
  readonly unrest: number;
  readonly latencyMs: number;
  readonly lossy: number;
  /** Fraction of value that each settlement takes from the side that is held. */
  readonly funding: number;
  readonly events: readonly PlanEvent[];
}

const MARKETS: readonly (readonly string[])[] = [
  ["BTC", "ETH"],
  ["BTC", "ETH", "SOL", "LAB"],
  ["SOL", "DOGE", "LINK", "BEAT"],
  ["BTC", "ZEC", "XRP", "TAO", "WLD"],
  ["LAB", "BEAT"],
];

export function drawDay(number: number, beyond: boolean): DayPlan {
  const entropy = seededEntropy(`market-day:${beyond ? "beyond" : "within"}:${number}`);
  const often = (share: number): boolean => entropy.chance("plan", share);
  const one = <T>(of: readonly T[]): T => of[entropy.int("plan", 0, of.length)] as T;
  const between = (min: number, max: number): number => min + (max - min) * entropy.next("plan");
  return {
    number,
    beyond,
    paired: false,
    phase: often(0.7) ? 1 : 2,
    mode: often(0.7) ? "BOTH" : "NET",
    startUsdt: often(0.6) ? "1000" : between(855, 1_400).toFixed(2),
    bases: one(MARKETS),
    depth: often(0.6) ? "deep" : "thin",
    risk: one(["shipped", "shipped", "wide", "wide", "wide", "bold"]),
    unrest: one([0.5, 1, 1, 2.5]),
    latencyMs: one([20, 20, 150, 900]),
    lossy: often(0.2) ? 0.1 : 0,
    funding: one([0, 0.0001, 0.0005]),
    events: events(entropy, beyond),
  };
}

const PAIRS = ["BTC", "SOL", "ETH", "DOGE"] as const;

/** A day of the second phase with a pair of one coin, as large as the limits allow. */
export function drawPairedDay(number: number): DayPlan {
  const drawn = drawDay(number, false);
  const risk = drawn.risk === "shipped" ? "wide" : drawn.risk;
  return { ...drawn, paired: true, phase: 2, mode: "BOTH", bases: [PAIRS[number % PAIRS.length] ?? "BTC"], risk };
}

const DAY_MIN = 24 * 60;

function events(entropy: Entropy, beyond: boolean): readonly PlanEvent[] {
  const count = entropy.int("plan", 2, 6);
  const found: PlanEvent[] = [];
  for (let each = 0; each < count; each++) {
    const atMs = entropy.int("plan", 5, DAY_MIN - 90) * MINUTE_MS;
    const kind = (["fullest", "fullest", "fresh", "any"] as const)[entropy.int("plan", 0, 4)] ?? "any";
    const moment: Moment = kind === "fresh" ? { kind, afterMs: entropy.int("plan", 0, 15_000) } : { kind };
    if (entropy.chance("plan", 0.35)) found.push(outage(entropy, atMs, moment, beyond));
    else found.push({ what: "gap", atMs, moment, gap: gapOf(entropy, beyond) });
  }
  if (entropy.chance("plan", 0.5))
    found.push({ what: "turn", atMs: entropy.int("plan", 60, DAY_MIN) * MINUTE_MS, leg: "SHORT" });
  if (entropy.chance("plan", 0.2)) found.push({ what: "resume", atMs: entropy.int("plan", 60, DAY_MIN) * MINUTE_MS });
  return found.sort((a, b) => a.atMs - b.atMs);
}

function gapOf(entropy: Entropy, beyond: boolean): Gap {
  const whole = entropy.chance("plan", 0.5);
  const within = whole ? 1 : 0.2 + 0.8 * entropy.next("plan");
  return {
    share: beyond ? 1 + 2 * entropy.next("plan") : within,
    parts: beyond || entropy.chance("plan", 0.6) ? 1 : entropy.int("plan", 2, 9),
    breadth: entropy.chance("plan", 0.6) ? "held" : entropy.chance("plan", 0.5) ? "all" : "one",
    against: entropy.chance("plan", 0.9),
  };
}

function outage(entropy: Entropy, atMs: number, moment: Moment, beyond: boolean): PlanEvent {
  return {
    what: "outage",
    atMs,
    moment,
    kind: OUTAGES[entropy.int("plan", 0, OUTAGES.length)] ?? "silent",
    forMs: entropy.chance("plan", 0.7) ? entropy.int("plan", 5_000, 90_000) : entropy.int("plan", 90_000, 1_200_000),
    gap: entropy.chance("plan", 0.8) ? gapOf(entropy, beyond) : null,
  };
}
