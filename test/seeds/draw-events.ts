/** Draws what happens in a seed: faults, deaths, and what becomes of the machine, its disk and its owner. */
import { seededEntropy } from "../../src/core/entropy.ts";
import { CALLBACK_CLASSES } from "../../src/harness/crashable-process.ts";
import type { Damage } from "./damage.ts";
import { ACCOUNT, APART, type Dish, type Draw, drawFault, drawFrom, LATEST, MIDNIGHT, MORE } from "./menu.ts";
import type { Kind, PlanEvent } from "./plan.ts";

/** `faults`: the fewest and the most of the first menu. */
export interface Drawn {
  readonly kind: Kind;
  readonly seed: number;
  readonly bases: readonly string[];
  readonly unrestMs: number;
  readonly faults: readonly [min: number, max: number];
}

export const drawEvents = (draw: Draw, drawn: Drawn): readonly PlanEvent[] =>
  drawn.kind === "short" || drawn.kind === "standard"
    ? events(draw, drawn)
    : accountEvents(draw, { ...drawn, kind: drawn.kind });

function events(draw: Draw, { kind, bases, seed, unrestMs, faults }: Drawn): readonly PlanEvent[] {
  const apart = (name: string): Draw => drawFrom(seededEntropy(`${name}:${kind}:${seed}`), bases);
  return [
    ...Array.from({ length: draw.int(...faults) }, () => faultOf(draw, kind, unrestMs)),
    ...crashes(draw, kind),
    ...others(draw, unrestMs),
    ...machine(apart("machine"), unrestMs),
    // Last, so that the numbers of those before stay what they were.
    ...more(apart("more"), kind, unrestMs),
    ...latest(apart("latest"), kind, unrestMs),
  ];
}

const ABOUT_ACCOUNT = { account: ACCOUNT, apart: APART, midnight: MIDNIGHT } as const;

/** Many deaths, and mostly faults that delay, lose or contradict what the agent hears of its account. */
function accountEvents(
  draw: Draw,
  { kind, unrestMs, faults }: Drawn & { readonly kind: keyof typeof ABOUT_ACCOUNT },
): readonly PlanEvent[] {
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
