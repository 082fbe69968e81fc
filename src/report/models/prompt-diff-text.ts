/** The comparison of two prompts as a few lines. Knows only the shape of the facts. */
import { oneLine } from "../../core/safe-text.ts";

/** `first` and `second` are decision ids; bytes and tokens are counted in the second prompt. */
export interface PromptDiffFacts {
  readonly first: string;
  readonly second: string;
  readonly prompt: string;
  readonly partAtByte: number | null;
  readonly partAtLine: number | null;
  readonly partIn: "system" | "user" | null;
  readonly firstThere: string;
  readonly secondThere: string;
  readonly systemBytes: number;
  readonly prefixTokens: number;
  readonly systemTokens: number;
  readonly totalTokens: number;
  readonly broken: boolean;
  readonly versions: readonly [string, string];
  readonly hashes: readonly [string, string];
  readonly model: string | null;
  readonly callsPerDay: number;
  readonly warmCallsPerDay: number;
  readonly savesPerDayUsd: string;
  readonly lossPerDayUsd: string;
}

const row = (name: string, text: string): string => `  ${name.padEnd(14)} ${text}\n`;
const quoted = (text: string): string => JSON.stringify(oneLine(text));

/** Prints BROKEN if the prompts differ inside the system part, and what that costs a day. */
export function promptDiffText(facts: PromptDiffFacts): string {
  const { partAtByte, partIn, prefixTokens, totalTokens } = facts;
  const share = totalTokens === 0 ? 0 : (prefixTokens / totalTokens) * 100;
  const where =
    partAtByte === null
      ? "nowhere: they are the same to the last byte"
      : `at byte ${partAtByte} (line ${facts.partAtLine ?? 0}, in the ${partIn ?? ""} part; the system part has ${facts.systemBytes} bytes)`;
  return [
    `Prompt ${facts.prompt}: ${facts.first} and ${facts.second}\n`,
    row("part", where),
    partAtByte === null ? "" : row("first", quoted(facts.firstThere)) + row("second", quoted(facts.secondThere)),
    row(
      "stable prefix",
      `${prefixTokens} of ${totalTokens} tokens (${share.toFixed(1)} %); the system part has ${facts.systemTokens}`,
    ),
    row("pace", `${facts.callsPerDay} questions a day, ${facts.warmCallsPerDay} within five minutes of the one before`),
    row(
      "worth",
      `${facts.savesPerDayUsd} USD a day are saved by the prefix cache of ${facts.model ?? "the model"} where it holds this prefix`,
    ),
    facts.broken ? brokenText(facts) : row("broken", "no: everything before the user part is the same"),
  ].join("");
}

function brokenText(facts: PromptDiffFacts): string {
  const edited = facts.hashes[0] !== facts.hashes[1];
  const why = edited
    ? `the prompt file changed between them (version ${facts.versions.join(" to ")})`
    : "a value of the system part changed";
  return row("BROKEN", `${why}; parting so early costs ${facts.lossPerDayUsd} USD a day more`);
}
