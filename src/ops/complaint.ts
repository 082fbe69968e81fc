/** How a command answers a person, and how it says that it cannot do what it was asked: a sentence, or JSON where that was asked. */
import { EXIT } from "./exit-codes.ts";

/** Whether the command line of this process asks for JSON. What follows `--` are plain words. */
export function asksJson(argv: readonly string[] = process.argv.slice(2)): boolean {
  const end = argv.indexOf("--");
  const options = end < 0 ? argv : argv.slice(0, end);
  return options.some(
    (word, at) => word === "--json" || word === "--format=json" || (word === "json" && options[at - 1] === "--format"),
  );
}

/** On standard error, or as one JSON value on standard output, with `facts` beside the sentence. Answers the code. */
export function complain(
  message: string,
  code: number = EXIT.failed,
  facts: Readonly<Record<string, unknown>> = {},
): number {
  if (asksJson()) print(JSON.stringify({ ok: false, exitCode: code, error: message, ...facts }));
  else process.stderr.write(`ballast: ${message}\n`);
  return code;
}

/** A word beside an answer, for people only. */
export function note(message: string): void {
  if (!asksJson()) process.stderr.write(`ballast: ${message}\n`);
}

/** To standard output, ended by a line break. */
export const print = (text: string): void => void process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
