import { text, figure, flag, rec, type Rec } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView } from "../journal-view.ts";
import { attemptIn } from "../spend.ts";
import type { Row } from "../rows.ts";

const AGE_MS = 300_000;

/** I21: a shared answer comes from one paid attempt, booked less than 300 s before; judged from rows alone. */
export const i21: Invariant = {
  id: "I21",
  title: "Cache",
  rule: "A shared answer is that of one earlier attempt with the same key and model, booked less than 300 s before.",
  needs: [],
  more: [],
  unseen:
    "The key is a hash; that it covers provider, parameters, schema, system text and input is a matter of the code.",
  judge: (history) => {
    const answers = journalView(history)
      .kinds("question")
      .flatMap((row) => {
        const outcome = rec(row.body, "outcome");
        return outcome && text(outcome, "kind") === "answered" ? [{ row, outcome }] : [];
      });
    return answers
      .filter(({ outcome }) => flag(outcome, "cached"))
      .flatMap((shared) => problems(history, answers, shared));
  },
};

interface Answer {
  readonly row: Row;
  readonly outcome: Rec;
}

function problems(history: History, answers: readonly Answer[], { row, outcome }: Answer): readonly Finding[] {
  const attempt = text(outcome, "attempt") ?? "";
  const say = (what: string): readonly Finding[] => [
    finding(row.seq, `the shared answer of ${attempt || "nobody"}: ${what}`),
  ];
  const paid = answers.find((other) => !flag(other.outcome, "cached") && text(other.outcome, "attempt") === attempt);
  const settle = journalView(history)
    .kinds("model-settle")
    .find((candidate) => attemptIn(candidate) === attempt && candidate.seq < row.seq);
  // A busy disk delays the settlement; the row of the paid answer then has the cost.
  const booked = settle ?? (paid && paid.row.seq < row.seq ? paid.row : undefined);
  if (!booked) return say("its attempt has no booking before it");
  const found: Finding[] = [];
  const ageMs = row.atMs - booked.atMs;
  if (ageMs >= AGE_MS) found.push(...say(`it is ${Math.round(ageMs)} ms old, allowed are less than ${AGE_MS}`));
  if (ageMs < 0) found.push(...say(`its booking is of ${Math.round(-ageMs)} ms later`));
  if (text(outcome, "key") === null) found.push(...say("its key is not reported"));
  if (figure(outcome, "costUsd") !== null || (text(outcome, "costUsd") ?? "0") !== "0")
    found.push(...say("it has a cost of its own"));
  if (!paid) return [...found, ...say("nobody paid for it")];
  for (const name of ["key", "model"] as const)
    if (paid.outcome[name] !== outcome[name])
      found.push(...say(`its ${name} is ${String(outcome[name])}, that of the answer ${String(paid.outcome[name])}`));
  return found;
}
