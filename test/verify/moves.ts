/** What an honest agent and venue write at each step of a run; the tests of the verifier compose their runs of these. */
export * from "./run-moves.ts";
export * from "./write-moves.ts";
export * from "./order-moves.ts";
export * from "./position-moves.ts";
export * from "./model-moves.ts";
