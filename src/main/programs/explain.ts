/** `ballast explain`: the rows of one decision, in order, as a story or as JSON. */
import { existsSync } from "node:fs";
import { EXIT } from "../exit-codes.ts";
import { journalPath } from "../run-file.ts";
import { dataDirOf } from "./status.ts";
import type { StatusOptions } from "../../faces/cli/ballast-cli.ts";
import { storyText } from "../../faces/cli/story-text.ts";
import { decisionOfOrder, decisionStory } from "../../journal/decision-story.ts";
import { readJournal } from "../../journal/reader.ts";

export function explainProgram(wanted: string, options: StatusOptions): Promise<number> {
  const file = journalPath(dataDirOf(options));
  if (!existsSync(file)) return refuse(`there is no journal at ${file}. Start an agent with: ballast run`);
  const reader = readJournal(file);
  try {
    const newest = reader.rows({ kinds: ["decision"], limit: 1, newest: true })[0]?.decisionId ?? null;
    const decisionId = wanted === "last" ? newest : wanted;
    if (decisionId === null) return refuse("the journal holds no decision yet");
    const named = decisionStory(reader, decisionId);
    const behind = named.rows.length > 0 ? null : decisionOfOrder(reader, decisionId);
    const story = behind === null ? named : decisionStory(reader, behind);
    if (story.rows.length === 0)
      return refuse(`no decision or order ${wanted} in ${file}; the newest decision is ${newest ?? "none"}`);
    process.stdout.write(options.json ? `${JSON.stringify(story)}\n` : storyText(story.decisionId, story.rows));
    return Promise.resolve(EXIT.ok);
  } finally {
    reader.close();
  }
}

function refuse(message: string): Promise<number> {
  process.stderr.write(`ballast: ${message}\n`);
  return Promise.resolve(EXIT.failed);
}
