/** How often the venue is asked for the account and its stops. */

/** The account may be read once in 3 s (records §3); a sweep sooner after another would only be refused. */
export const SWEEP_GAP_MS = 3_300;

/** Time between readings of the stops that stand at the venue; their rate is scarce. */
export const ALGO_SWEEP_MS = 45_000;
