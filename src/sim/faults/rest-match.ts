/** Which REST calls a fault strikes: by method, by a part of the path, and by chance. */
import { z } from "zod";
import type { Entropy } from "../../core/entropy.ts";
import { share } from "./fault.ts";
import type { RestCall } from "./hooks.ts";

/** Parameters to spread into a fault's schema; every call unless told. */
export const restMatch = {
  methods: z.array(z.enum(["GET", "POST", "PUT", "DELETE"])).default(["GET", "POST", "PUT", "DELETE"]),
  path: z.string().default("").describe("part of the path, for example /trading/order; empty is every path"),
  share,
};

/** The same for faults that are about writes. */
export const writeMatch = { ...restMatch, methods: restMatch.methods.default(["POST", "PUT", "DELETE"]) };

/** What `restMatch` and `writeMatch` read. */
export interface RestMatch {
  readonly methods: readonly string[];
  readonly path: string;
  readonly share: number;
}

/** Draws from the seed for each fitting call, so it is asked once a call. */
export const strikes = (match: RestMatch, call: RestCall, entropy: Entropy): boolean =>
  match.methods.includes(call.method) && call.path.includes(match.path) && entropy.chance("fault:rest", match.share);
