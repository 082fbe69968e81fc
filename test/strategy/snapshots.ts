/** Snapshots made by hand, where tests look for them. */
export * from "../../src/strategy/made-snapshot.ts";
