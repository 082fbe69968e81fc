/** Puts the questions: what options have answered is not asked again. */
import { err, ok, type Result } from "../core/result.ts";
import { type Answers, type SetupQuestion, QUESTION_NAMES, type QuestionName } from "./questions.ts";

/** Where questions go and answers come from. */
export interface Dialogue {
  say(text: string): void;
  /** The next line, or null where there is none to come. */
  listen(prompt: string): Promise<string | null>;
}

/** Why there are no answers: an option is wrong or missing, or nobody answers. */
export interface Unanswered {
  readonly name: QuestionName;
  readonly message: string;
}

const NONE = Object.fromEntries(QUESTION_NAMES.map((name) => [name, ""])) as Answers;

/** `given` are answers of options; with `dialogue` null the suggestions answer the rest. */
export async function interview(
  questions: readonly SetupQuestion[],
  given: Partial<Answers>,
  dialogue: Dialogue | null,
): Promise<Result<Answers, Unanswered>> {
  let answers = NONE;
  for (const question of questions) {
    const answered = await answerTo(question, answers, { given: given[question.name], dialogue });
    if (!answered.ok) return answered;
    answers = { ...answers, [question.name]: answered.value };
  }
  return ok(answers);
}

async function answerTo(
  { name, asks, applies, suggested, problem }: SetupQuestion,
  before: Answers,
  { given, dialogue }: { given: string | undefined; dialogue: Dialogue | null },
): Promise<Result<string, Unanswered>> {
  if (given !== undefined) {
    const wrong = problem(given, before);
    return wrong === null ? ok(given) : err({ name, message: wrong });
  }
  if (!applies(before)) return ok("");
  const suggestion = suggested(before);
  if (dialogue === null)
    return suggestion === null ? err({ name, message: `is needed: ${asks(before)}` }) : ok(suggestion);
  dialogue.say(`\n${asks(before)}\n`);
  for (;;) {
    const line = await dialogue.listen(suggestion === null || suggestion === "" ? "> " : `[${suggestion}] > `);
    if (line === null) return err({ name, message: "the input ended before this question was answered" });
    const text = line.trim() === "" ? suggestion : line.trim();
    const wrong = text === null ? "an answer is needed" : problem(text, before);
    if (wrong === null) return ok(text ?? "");
    dialogue.say(`${wrong}\n`);
  }
}
