/**
 * Loaded into a real process before its program (`NODE_OPTIONS=--import`): at SIGUSR2 what `MISHAP` names happens inside
 * it. Faults P6, P7, E2.
 */
/** @type {Readonly<Record<string, () => void>>} */
const MISHAPS = {
  throw: () => {
    throw new Error("planted: an exception that nobody foresaw");
  },
  reject: () => void Promise.reject(new Error("planted: a rejection that nobody handles")),
  stall: () => {
    const untilMs = performance.now() + Number(process.env["MISHAP_MS"] ?? "1000");
    while (performance.now() < untilMs);
  },
  memory: () => {
    const held = [];
    for (;;) held.push(Array.from({ length: 100_000 }, Math.random));
  },
};

process.on("SIGUSR2", () => MISHAPS[process.env["MISHAP"] ?? ""]?.());
