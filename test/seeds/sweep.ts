/**
 * The kill sweep: short stories in which nothing goes wrong but that the process dies, at every row of its journal, just
 * before it is written and just after, and once more while it recovers. Faults P1 and P2.
 */
import type { CrashToken } from "../../src/harness/crash.ts";
import type { PlanEvent, Plan } from "./plan.ts";

const QUIET: Plan = {
  kind: "short",
  seed: 0,
  phase: 1,
  mode: "BOTH",
  policy: "refuse-always",
  route: "rest",
  strategy: "restless",
  bases: ["ADA", "LAB"],
  start: "fresh",
  entry: { style: "as-wished", then: "give-up", chases: 3, depthShare: 0 },
  latencyMs: 20,
  startMs: Date.UTC(2026, 0, 5, 9, 30),
  usdt: 1_000,
  dailyLossStop: 0.5,
  gapMs: 0,
  delays: { placeMs: 0, cancelMs: 0, amendMs: 0 },
  unrestMs: 22_000,
  calmMs: 45_000,
  staysCalm: false,
  resumes: true,
  stops: "still",
  events: [],
};

const SLOW_AMENDS: Plan["delays"] = { placeMs: 0, cancelMs: 300, amendMs: 500 };
const CHASING: Plan["entry"] = { style: "post-only", then: "cross", chases: 6, depthShare: 0.002 };

/** What each story adds to the quiet one. */
const STORIES: readonly (readonly [name: string, change: Partial<Plan>])[] = [
  ["orders by REST from a fresh start", { seed: 101 }],
  ["orders by the user stream", { seed: 102, route: "user-stream" }],
  ["positions found at the start", { seed: 103, start: "positions" }],
  ["orders of others found at the start", { seed: 104, start: "orders" }],
  ["one-way positions", { seed: 105, mode: "NET" }],
  ["slow places and cancels", { seed: 106, delays: { placeMs: 300, cancelMs: 2_000, amendMs: 1_000 } }],
  ["phase two on a slow line", { seed: 107, phase: 2, latencyMs: 150 }],
  ["the operator halts and resumes", { seed: 108, events: halts() }],
  ["a planned restart", { seed: 109, events: [{ what: "restart", atMs: 12_000, downMs: 500 }] }],
  ["post-only entries that chase, and are cut", { seed: 112, delays: SLOW_AMENDS, entry: CHASING }],
];

function halts(): readonly PlanEvent[] {
  return [
    { what: "operator", atMs: 8_000, command: "halt" },
    { what: "operator", atMs: 14_000, command: "resume" },
  ];
}

export const POLICIES = ["refuse-always", "refuse-while-open", "accept"] as const;

export interface Story {
  readonly name: string;
  readonly plan: Plan;
}

export const stories = (): readonly Story[] =>
  STORIES.flatMap(([name, change]) =>
    POLICIES.map((policy) => ({ name: `${name}, ${policy}`, plan: { ...QUIET, ...change, policy } })),
  );

/** The story with a death at one boundary; `again` kills the recovery too, at its own n-th row. */
export function dying({ name, plan }: Story, token: CrashToken, again: CrashToken | null): Story {
  const crashes: readonly PlanEvent[] = [
    { what: "crash", life: 0, token, downMs: 500 },
    ...(again ? [{ what: "crash" as const, life: 1, token: again, downMs: 500 }] : []),
  ];
  const at = `${token.when} row ${token.append}${again ? `, then ${again.when} row ${again.append}` : ""}`;
  return { name: `${name}: dies ${at}`, plan: { ...plan, events: [...crashes, ...plan.events] } };
}

/** Every boundary up to row `rows` of the first life, each `every`-th; each with a recovery that lives and one that dies. */
export function boundaries(story: Story, rows: number, every: number): readonly Story[] {
  const found: Story[] = [];
  for (let append = 1; append <= rows; append += every) {
    for (const when of ["before", "after"] as const) {
      const again = { append: 1 + (append % 12), when };
      found.push(dying(story, { append, when }, null), dying(story, { append, when }, again));
    }
  }
  return found;
}
