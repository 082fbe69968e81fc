/** The verification: judges every invariant over one history, each independently. */
import { ALL_INVARIANTS } from "./all-invariants.ts";
import type { Finding, History, Input, Invariant } from "./history.ts";

/** "not judged" never counts as held: an input was missing, or the rows were insufficient. */
export type InvariantVerdict =
  | { readonly kind: "held" }
  | { readonly kind: "violated"; readonly findings: readonly Finding[] }
  | { readonly kind: "not judged"; readonly why: string };

/** The result of one invariant, as `--format json` prints it. */
export interface Judged {
  readonly id: string;
  readonly title: string;
  readonly rule: string;
  readonly verdict: InvariantVerdict;
  /** Missing inputs that would have extended the check. */
  readonly without: readonly Input[];
  readonly unseen: string;
}

/** All results; an invariant that is neither violated nor not judged has held. */
export interface Verification {
  readonly rows: number;
  readonly violated: number;
  readonly notJudged: number;
  readonly invariants: readonly Judged[];
}

/** The option of `ballast verify` for each input. */
const OPTION: Readonly<Record<Input, string>> = {
  "wire log": "--wire",
  "venue ledger": "--ledger",
  "model ledger": "--model-ledger",
  sinks: "--log or --sinks",
  secrets: "--secrets",
  hashes: "--hashes",
  "journal of a twin run": "--twin",
  "journal of an equal run": "--same",
};

const withOption = (input: Input): string => `${input} (${OPTION[input]})`;

/** Evidence without one entry is evidence of nothing: a journal with a start met the venue, and its log says so. */
const isEmpty = (entries: readonly unknown[] | null): boolean => entries === null || entries.length === 0;

function given(history: History, input: Input): boolean {
  switch (input) {
    case "wire log":
      return !isEmpty(history.wire);
    case "venue ledger":
      return !isEmpty(history.venue);
    case "model ledger":
      return !isEmpty(history.charges);
    case "sinks":
      return history.sinks !== null;
    case "secrets":
      return history.secrets !== null;
    case "hashes":
      return history.hashes !== null;
    case "journal of a twin run":
      return history.twin !== null;
    case "journal of an equal run":
      return history.same !== null;
  }
}

/** Judges one invariant. Without its inputs it is not judged, which never counts as held. */
export function judgeOne(invariant: Invariant, history: History): Judged {
  const { id, title, rule, unseen, needs, more } = invariant;
  const without = more.filter((input) => !given(history, input));
  const missing = needs.filter((input) => !given(history, input));
  const about = { id, title, rule, unseen, without };
  if (missing.length > 0)
    return {
      ...about,
      verdict: {
        kind: "not judged",
        why: `needs the ${missing.map(withOption).join(" and the ")}; an empty one is none`,
      },
    };
  const judgement = invariant.judge(history);
  if ("notJudged" in judgement) return { ...about, verdict: { kind: "not judged", why: judgement.notJudged } };
  if (judgement.length === 0) return { ...about, verdict: { kind: "held" } };
  return { ...about, verdict: { kind: "violated", findings: judgement } };
}

/** A violation stops nothing: all 37 invariants are judged. */
export function verify(history: History): Verification {
  const invariants = ALL_INVARIANTS.map((invariant) => judgeOne(invariant, history));
  const count = (kind: InvariantVerdict["kind"]): number =>
    invariants.filter(({ verdict }) => verdict.kind === kind).length;
  return { rows: history.rows.length, violated: count("violated"), notJudged: count("not judged"), invariants };
}
