/** Draws what happens in a seed: faults, deaths, and what becomes of the machine, its disk and its owner. */
import { seededEntropy } from "../../src/core/entropy.ts";
import { CALLBACK_CLASSES } from "../../src/harness/crashable-process.ts";
import type { Damage } from "./damage.ts";
import { ACCOUNT, APART, type Dish, type Draw, drawFault, drawFrom, LATEST, MIDNIGHT, MORE } from "./menu.ts";
import type { Kind, PlanEvent } from "./plan.ts";

/** `faults`: the fewest and the most of the first menu. */
export interface Drawn<K extends Kind = Kind> {
  readonly kind: K;
  readonly seed: number;
  readonly bases: readonly string[];
  readonly unrestMs: number;
  readonly faults: readonly [min: number, max: number];
}

/** Chances of what happens in a seed, and how many lives may die in it. */
interface Odds {
  readonly lives: number;
  /** A life dies at a row, and the one after it while it recovers. */
  readonly dies: number;
  readonly diesAgain: number;
  readonly kill: number;
  readonly step: number;
  readonly damage: number;
  /** A fault of the second menu, and how often one is tried; then one of the third. */
  readonly more: number;
  readonly moreTries: number;
  readonly latest: number;
}
const RARE = { dies: 0.4, diesAgain: 0.4, kill: 0.15, step: 0.08, damage: 0.06, more: 0.35, latest: 0.25 } as const;
const ODDS: Readonly<Record<"short" | "standard" | "harsh", Odds>> = {
  short: { ...RARE, lives: 1, moreTries: 1 },
  standard: { ...RARE, lives: 4, moreTries: 4 },
  harsh: {
    lives: 3,
    dies: 0.7,
    diesAgain: 0.6,
    kill: 0.4,
    step: 0.3,
    damage: 0.3,
    more: 0.6,
    moreTries: 1,
    latest: 0.6,
  },
};

type Plain = Drawn<keyof typeof ODDS>;
type AboutAccount = Drawn<keyof typeof ABOUT_ACCOUNT>;

const isPlain = (drawn: Plain | AboutAccount): drawn is Plain => drawn.kind in ODDS;

export const drawEvents = (draw: Draw, drawn: Plain | AboutAccount): readonly PlanEvent[] =>
  isPlain(drawn) ? events(draw, drawn) : accountEvents(draw, drawn);

function events(draw: Draw, { kind, bases, seed, unrestMs, faults }: Plain): readonly PlanEvent[] {
  const apart = (name: string): Draw => drawFrom(seededEntropy(`${name}:${kind}:${seed}`), bases);
  const odds = ODDS[kind];
  return [
    ...Array.from({ length: draw.int(...faults) }, () => faultOf(draw, kind, unrestMs)),
    ...crashes(draw, kind),
    ...others(draw, odds, unrestMs),
    ...machine(apart("machine"), odds, unrestMs),
    // Last, so that the numbers of those before stay what they were.
    ...more(apart("more"), kind, unrestMs),
    ...latest(apart("latest"), kind, unrestMs),
  ];
}

const ABOUT_ACCOUNT = { account: ACCOUNT, apart: APART, midnight: MIDNIGHT } as const;

/** Many deaths, and mostly faults that delay, lose or contradict what the agent hears of its account. */
function accountEvents(draw: Draw, { kind, unrestMs, faults }: AboutAccount): readonly PlanEvent[] {
  const atMs = (): number => draw.int(2_000, unrestMs - 1_000);
  const downMs = (): number => draw.one([500, 2_000, 8_000]);
  const found = Array.from({ length: draw.int(...faults) }, () => faultOf(draw, kind, unrestMs, ABOUT_ACCOUNT[kind]));
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
  if (kind === "midnight" && draw.often(0.4)) found.push(...commands(draw, atMs));
  if (kind === "midnight" && draw.often(0.2)) found.push({ what: "reset", atMs: atMs() });
  return found;
}

/** The operator commands, and mostly lets it go on later. */
function commands(draw: Draw, atMs: () => number): readonly PlanEvent[] {
  const [first, second] = [atMs(), atMs()];
  const command = draw.one(["halt", "halt-all", "flatten", "flatten"] as const);
  return [
    { what: "operator", atMs: Math.min(first, second), command },
    ...(draw.often(0.7) ? [{ what: "operator", atMs: Math.max(first, second), command: "resume" } as const] : []),
  ];
}

function faultOf(draw: Draw, kind: Kind, unrestMs: number, menu?: readonly Dish[]): PlanEvent {
  const forMs = kind !== "standard" ? draw.int(500, 25_000) : draw.int(1_000, 120_000);
  return { what: "fault", atMs: draw.int(0, Math.floor(unrestMs * 0.9)), ...drawFault(draw, menu), forMs };
}

function crashes(draw: Draw, kind: keyof typeof ODDS): readonly PlanEvent[] {
  const { lives, dies, diesAgain } = ODDS[kind];
  const found: PlanEvent[] = [];
  let life = 0;
  for (let round = 0; round < lives; round++) {
    if (!draw.often(dies)) continue;
    found.push(crash(draw, life++, draw.int(3, kind === "standard" ? 400 : 90)));
    while (draw.often(diesAgain)) found.push(crash(draw, life++, draw.int(1, 25)));
  }
  return found;
}

const crash = (draw: Draw, life: number, append: number): PlanEvent => ({
  what: "crash",
  life,
  token: { append, when: draw.one(["before", "after"]) },
  downMs: draw.one([500, 2_000, 8_000]),
});

function others(draw: Draw, { kill }: Odds, unrestMs: number): readonly PlanEvent[] {
  const atMs = (): number => draw.int(2_000, unrestMs);
  const found: PlanEvent[] = [];
  if (draw.often(kill)) found.push({ what: "kill", atMs: atMs(), downMs: draw.one([500, 5_000]) });
  if (draw.often(0.1)) found.push({ what: "restart", atMs: atMs(), downMs: draw.one([500, 3_000]) });
  if (draw.often(0.1)) found.push({ what: "operator", atMs: atMs(), command: "halt" });
  if (draw.often(0.05)) found.push({ what: "operator", atMs: atMs(), command: "resume" });
  return found;
}

/** What becomes of the machine that the agent runs on. */
function machine(draw: Draw, { step }: Odds, unrestMs: number): readonly PlanEvent[] {
  const atMs = (): number => draw.int(2_000, unrestMs - 1_000);
  const found: PlanEvent[] = [];
  if (draw.often(0.15))
    found.push({ what: "freeze", atMs: atMs(), forMs: draw.one([300, 2_000, 6_000, 15_000, 40_000]) });
  if (draw.often(step))
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
function more(draw: Draw, kind: keyof typeof ODDS, unrestMs: number): readonly PlanEvent[] {
  const odds = ODDS[kind];
  const atMs = (): number => draw.int(2_000, unrestMs - 1_000);
  const downMs = (): number => draw.one([500, 2_000, 8_000]);
  const found: PlanEvent[] = [];
  for (let left = odds.moreTries; left > 0; left--)
    if (draw.often(odds.more)) found.push(faultOf(draw, kind, unrestMs, MORE));
  if (draw.often(0.08))
    found.push({ what: "throw", atMs: atMs(), callback: draw.one(CALLBACK_CLASSES), downMs: downMs() });
  if (draw.often(0.06))
    found.push({ what: "disk", atMs: atMs(), trouble: "slow", forMs: draw.one([100, 2_000, 10_000]) });
  if (draw.often(odds.damage)) {
    const damage: Damage = { how: draw.one(["cut", "flip"]), at: draw.float(0, 1) };
    found.push({ what: "damage", atMs: atMs(), damage, downMs: downMs() });
  }
  return found;
}

/** Faults of the third menu. */
const latest = (draw: Draw, kind: keyof typeof ODDS, unrestMs: number): readonly PlanEvent[] =>
  draw.often(ODDS[kind].latest) ? [faultOf(draw, kind, unrestMs, LATEST)] : [];
