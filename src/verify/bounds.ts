/**
 * What no configuration may give, in this verifier's own figures: the journal that is judged bears its configuration
 * itself, so a figure of it counts only as far as these bounds allow.
 */
import { gt, lt, NIL, type Num, num, show } from "./decimal.ts";
import { figure, isRec, rec, type Rec } from "./fields.ts";
import { type Finding, finding } from "./history.ts";
import type { Row } from "./rows.ts";

interface Bound {
  readonly least: Num;
  readonly most: Num;
}

const exactly = (written: string): Num => num(written) ?? NIL;

/** Fractions of price or equity. */
const BOUNDS = {
  "execution.slippage": { least: NIL, most: exactly("0.02") },
  "risk.perOrderEquityShare": { least: NIL, most: exactly("1") },
  "risk.maxStopDistance": { least: NIL, most: exactly("0.2") },
  "risk.defaultStopDistance": { least: NIL, most: exactly("0.2") },
} as const satisfies Readonly<Record<string, Bound>>;

export type Bounded = keyof typeof BOUNDS;

const NAMES = Object.keys(BOUNDS).filter((name): name is Bounded => name in BOUNDS);

/** A figure as the configuration gives it, as a number or as text; null where it gives none. */
function given(config: Rec, name: Bounded): Num | null {
  const [part = "", field = ""] = name.split(".");
  const section = rec(config, part) ?? {};
  return num(figure(section, field) ?? section[field]);
}

/** The configuration's figure within its bounds; the upper bound where it gives none. */
export function within(config: Rec, name: Bounded): Num {
  const { least, most }: Bound = BOUNDS[name];
  const own = given(config, name);
  if (own === null || gt(own, most)) return most;
  return lt(own, least) ? least : own;
}

/** Configurations in force that give more than any may: the agent must have refused them. */
export const beyondBounds = (rows: readonly Row[]): readonly Finding[] =>
  rows.flatMap(({ kind, seq, body }) => {
    const { config } = body;
    if (kind !== "config" || !isRec(config)) return [];
    return NAMES.flatMap((name) => {
      const own = given(config, name);
      const { least, most }: Bound = BOUNDS[name];
      if (own === null || (!gt(own, most) && !lt(own, least))) return [];
      return [finding(seq, `the configuration gives ${name} as ${show(own)}, allowed ${show(least)} to ${show(most)}`)];
    });
  });
