/**
 * fast-check for mutation runs: the same draws every time, fewer of them, and no shrinking. Any failure kills a mutant;
 * a surviving mutant costs all runs.
 */
import { createRequire } from "node:module";

const { default: fc } = createRequire(import.meta.url)("fast-check");
const RUNS_MAX = 60;
const SEED = 20_260_105;

const assert = (property, { numRuns = RUNS_MAX, ...rest } = {}) =>
  fc.assert(property, { seed: SEED, ...rest, numRuns: Math.min(numRuns, RUNS_MAX), endOnFailure: true });

export default { ...fc, assert };
