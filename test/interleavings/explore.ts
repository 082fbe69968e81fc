/** Every way in which the messages of a story can arrive, be lost or come twice, with a death at any point between them. */
import { type Bounds, type Choice, play } from "./play.ts";
import type { StoryName } from "./scene.ts";

export interface Limits extends Bounds {
  /** How many choices a history has at most; what has not arrived by then is lost. */
  readonly depth: number;
  readonly repeats: boolean;
  readonly deaths: boolean;
  readonly oldLists: boolean;
}

export interface Failure {
  readonly story: StoryName;
  readonly choices: readonly Choice[];
  readonly problems: readonly string[];
}

export interface Explored {
  readonly histories: number;
  /** Different views of the account that the agent had on the way. */
  readonly states: number;
  readonly failures: readonly Failure[];
}

const allowed = (choice: Choice, { repeats, deaths, oldLists }: Limits): boolean => {
  if (choice === "death") return deaths;
  if (choice === "old list") return oldLists;
  return repeats || !choice.startsWith("again");
};

/** All histories of a story that begin with the choices `from`. `heard` is called with their count as it grows. */
export function explore(
  story: StoryName,
  limits: Limits,
  { from = [], heard }: { readonly from?: readonly Choice[]; readonly heard?: (count: number) => void } = {},
): Explored {
  const states = new Set<string>();
  const failures: Failure[] = [];
  let histories = 0;
  const visit = (choices: readonly Choice[]): void => {
    const { next, problems, state } = play(story, choices, limits);
    histories += 1;
    heard?.(histories);
    states.add(state);
    if (problems.length > 0) {
      failures.push({ story, choices, problems });
      return;
    }
    if (choices.length >= limits.depth) return;
    for (const choice of next) if (allowed(choice, limits)) visit([...choices, choice]);
  };
  visit(from);
  return { histories, states: states.size, failures };
}
