/** Exit codes of `ballast`, one table for the code, `--help` and the README. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  config: 3,
  journal: 4,
  alreadyRunning: 5,
  venueRefused: 6,
  modelRefused: 7,
} as const;

/** One sentence each, printed below `ballast --help`. */
export const EXIT_MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "finished, or stopped as asked",
  failed: "an unexpected error; the last line of the log names it",
  usage: "the command line is wrong",
  config: "the configuration file or the environment is wrong",
  journal: "the journal cannot be used (damaged, newer than this version, or the disk is full)",
  alreadyRunning: "another agent holds this data folder",
  venueRefused: "the venue cannot be reached, or refuses these credentials",
  modelRefused: "the model cannot be used (no price, a refused key, an unknown name, or an unreachable gateway)",
};

/** Ends a program that cannot do what it was called for: its message is for the person who called, without a stack. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
