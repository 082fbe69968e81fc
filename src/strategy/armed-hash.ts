/** What distinguishes one armed strategy from another: its name, its settings and, where it is the owner's, its code. */
import { hashOf } from "../core/hash.ts";
import type { ArmedStrategy } from "./strategy.ts";

/** Equal only where the two decide alike. The program's own strategies have no code, and so the hash that they always had. */
export const armedHash = ({ strategy, settings, code }: ArmedStrategy): string =>
  hashOf(code === undefined ? [strategy.name, settings] : [strategy.name, settings, code]);
