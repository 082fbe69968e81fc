/** `ballast lessons`, `lessons forget`, `lessons review`. */
import { existsSync } from "node:fs";
import { complain, print } from "../ops/complaint.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { lessonsOf } from "../restore/restore-deciding.ts";
import { journalPath } from "../ops/run-file.ts";
import { askAgent, askRunning, dataDirOf } from "../control/running-agent.ts";
import { lessonText } from "../context/lesson-text.ts";
import { systemClock } from "../core/clock.ts";
import type { DecidingOptions } from "../faces/cli/deciding-commands.ts";
import { type LessonFacts, lessonsText } from "../report/mind-text.ts";
import { readJournal } from "../journal/reader.ts";

/** From the running agent, else from the journal; an empty list where there is neither. */
export async function lessonsProgram(options: DecidingOptions): Promise<number> {
  const dataDir = dataDirOf(options);
  const live = await askAgent<{ deciding: { lessons: readonly LessonFacts[] } }>(dataDir, "/status");
  const lessons = live?.ok ? live.body.deciding.lessons : fromJournal(dataDir);
  process.stdout.write(options.json ? `${JSON.stringify({ lessons })}\n` : lessonsText(lessons));
  return EXIT.ok;
}

function fromJournal(dataDir: string): readonly LessonFacts[] {
  const file = journalPath(dataDir);
  if (!existsSync(file)) return [];
  const reader = readJournal(file);
  try {
    return lessonsOf(reader, systemClock().nowMs()).map((lesson) => ({ ...lesson, text: lessonText(lesson) }));
  } finally {
    reader.close();
  }
}

/** Exit code 1 where no agent runs, and where it has no such lesson. */
export async function lessonsForgetProgram(id: string, options: DecidingOptions): Promise<number> {
  const answer = await askRunning<{ id: string }>(dataDirOf(options), { kind: "forget-lesson", id });
  return reported(answer.ok ? null : answer.error === "the agent refused" ? `there is no lesson ${id}` : answer.error, {
    text: `${id} is forgotten.`,
    json: options.json,
  });
}

/** Waits for the agent's review, which asks the model inside the budget; exit code 1 without an agent. */
export async function lessonsReviewProgram(options: DecidingOptions): Promise<number> {
  const answer = await askRunning<{ text: string }>(dataDirOf(options), { kind: "review" });
  return reported(answer.ok ? null : answer.error, { text: answer.ok ? answer.value.text : "", json: options.json });
}

function reported(problem: string | null, { text, json }: { text: string; json: boolean }): number {
  if (problem !== null) return complain(problem);
  print(json ? JSON.stringify({ ok: true, text }) : text);
  return EXIT.ok;
}
