/**
 * The texts in `prompts/`: read once, rendered strictly. A text has a head (name, version, purpose, output,
 * tokenBudget), a system part that is identical in every call, and a user part that changes. Faults O7, A1.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { Liquid, type Template } from "liquidjs";
import { sha256 } from "../../core/hash.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { cell, fenced, list, table } from "./text.ts";

/** Random words of the gateway, new in every call. */
export interface GatewayWords {
  /** Encloses untrusted text. */
  readonly fence: string;
  /** The reply repeats it. */
  readonly echo: string;
}

/** The lines at the top of a prompt file. */
export interface PromptHead {
  readonly name: string;
  readonly version: string;
  readonly purpose: string;
  readonly output: string;
  /** Maximum tokens of the rendered prompt; a longer one is not sent. */
  readonly tokenBudget: number;
}

/** The two rendered parts, without the reply schema. */
export interface RenderedPrompt {
  readonly head: PromptHead;
  /** SHA-256 of the file: any edit makes another prompt. */
  readonly hash: string;
  readonly system: string;
  readonly user: string;
}

/** All prompts of a folder as of the read; later edits are not seen. */
export interface PromptLibrary {
  readonly heads: readonly PromptHead[];
  /** Errors of the files that were left out, one sentence each with its remedy. */
  readonly faults: readonly string[];
  /** Errors name the prompt and the variable; a missing variable never renders as empty text. */
  render(
    name: string,
    variables: Readonly<Record<string, unknown>>,
    words: GatewayWords,
  ): Result<RenderedPrompt, string>;
}

interface Prompt {
  readonly head: PromptHead;
  readonly hash: string;
  readonly system: Template[];
  readonly user: Template[];
  /** Number of lines of the file before each part. */
  readonly systemLine: number;
  readonly userLine: number;
}

const FILE_MAX_BYTES = 64 * 1024;
const FILES_MAX = 100;
const USER_MARK = "\n=== user ===\n";

/**
 * Reads every `*.md` in `dir`, and in `own` if that folder exists. An invalid file affects only itself: it is listed
 * in the faults, and using it reports why. The only file access of this room.
 */
export function loadPrompts(dir: string, own?: string): Result<PromptLibrary, string> {
  const liquid = engine();
  const shipped = readFolder(dir, liquid);
  if (!shipped.ok) return shipped;
  const added = own === undefined || !existsSync(own) ? null : readFolder(own, liquid);
  if (added !== null && !added.ok) return added;
  const { prompts, faults } = shipped.value;
  for (const [name, prompt] of added?.value.prompts ?? []) {
    if (prompts.has(name) || faults.has(name))
      faults.set(name, `${join(own ?? "", name)}.md: the name is one of the program's own; choose another`);
    else prompts.set(name, prompt);
  }
  for (const [name, reason] of added?.value.faults ?? []) if (!faults.has(name)) faults.set(name, reason);
  return ok({
    heads: [...prompts.values()].map((prompt) => prompt.head),
    faults: [...faults.values()],
    render: (name, variables, words) => {
      const prompt = prompts.get(name);
      if (!prompt)
        return err(
          faults.get(name) ?? `there is no prompt ${JSON.stringify(name)}; known are ${[...prompts.keys()].join(", ")}`,
        );
      if (Object.hasOwn(variables, "gateway")) return err(`prompt ${name}: the name "gateway" is the gateway's own`);
      return renderPrompt(liquid, prompt, { ...variables, gateway: words });
    },
  });
}

/** The prompts of one folder by the name in their head, and errors of the others by file name. */
interface Folder {
  readonly prompts: Map<string, Prompt>;
  readonly faults: Map<string, string>;
}

const REMEDY = "correct the file, or remove it";

function readFolder(dir: string, liquid: Liquid): Result<Folder, string> {
  const prompts = new Map<string, Prompt>();
  const faults = new Map<string, string>();
  try {
    const root = realpathSync(dir);
    const names = readdirSync(root)
      .filter((name) => name.endsWith(".md"))
      .sort();
    if (names.length > FILES_MAX) return err(`${dir} holds more than ${FILES_MAX} prompts`);
    for (const name of names) {
      const read = tryToRead(root, name, liquid);
      if (read.ok) prompts.set(read.value.head.name, read.value);
      else faults.set(name.slice(0, -".md".length), `${join(dir, name)}: ${read.error}; ${REMEDY}`);
    }
  } catch (error) {
    return err(`prompts could not be read from ${dir}: ${messageOf(error)}`);
  }
  return ok({ prompts, faults });
}

function tryToRead(root: string, name: string, liquid: Liquid): Result<Prompt, string> {
  try {
    return readPrompt(root, name, liquid);
  } catch (error) {
    return err(messageOf(error));
  }
}

/** Templates can reach no file, no filter reads the clock, and rendering is bounded. */
function engine(): Liquid {
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    templates: {},
    dynamicPartials: false,
    parseLimit: FILE_MAX_BYTES,
    renderLimit: 2_000,
    memoryLimit: 4_000_000,
  });
  liquid.registerFilter("cell", cell);
  liquid.registerFilter("table", table);
  liquid.registerFilter("list", list);
  liquid.registerFilter("fenced", fenced);
  return liquid;
}

function readPrompt(root: string, name: string, liquid: Liquid): Result<Prompt, string> {
  const path = join(root, name);
  const real = realpathSync(path);
  if (!real.startsWith(root + sep)) return err("it points outside the folder");
  const facts = lstatSync(path);
  if (!facts.isFile()) return err("it is not a regular file");
  if (facts.size > FILE_MAX_BYTES) return err(`it is larger than ${FILE_MAX_BYTES} bytes`);
  const text = readFileSync(real, "utf8").replaceAll("\r\n", "\n");
  const split = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text);
  if (!split) return err("line 1: it does not begin with a head between two lines of ---");
  const head = readHead(split[1] ?? "");
  if (!head.ok) return head;
  // A copy that keeps its head would replace the original.
  const called = name.slice(0, -".md".length);
  if (head.value.name !== called) return err(`the head's name is ${head.value.name}; write name: ${called}`);
  const parts = (split[2] ?? "").split(USER_MARK);
  const [system, user] = parts;
  if (parts.length !== 2 || system === undefined || user === undefined) {
    return err("it must hold the line === user === exactly once");
  }
  const systemLine = linesBefore(text, system.trim());
  const userLine =
    linesBefore(text, `${USER_MARK}${user}`) + 1 + linesBefore(`${USER_MARK}${user}`.slice(1), user.trim());
  return ok({
    ...{ head: head.value, hash: sha256(text), systemLine, userLine },
    system: inFile(systemLine, () => liquid.parse(system.trim())),
    user: inFile(userLine, () => liquid.parse(user.trim())),
  });
}

function readHead(text: string): Result<PromptHead, string> {
  const fields = new Map<string, string>();
  const lines = text.split("\n");
  // The head starts below the line of three dashes.
  for (const [index, line] of lines.entries()) {
    const [, key, value] = /^([A-Za-z]+): *(.+?) *$/.exec(line) ?? [];
    if (key === undefined || value === undefined)
      return err(`line ${index + 2}: the head has ${JSON.stringify(line)}, not key: value`);
    if (fields.has(key)) return err(`line ${index + 2}: the head names ${key} twice`);
    fields.set(key, value);
  }
  const take = (key: string): string => fields.get(key) ?? "";
  const missing = ["name", "version", "purpose", "output", "tokenBudget"].filter((key) => !fields.has(key));
  if (missing.length > 0) return err(`line ${lines.length + 2}: the head lacks ${missing.join(", ")}`);
  const tokenBudget = Number(take("tokenBudget"));
  if (!Number.isSafeInteger(tokenBudget) || tokenBudget <= 0)
    return err(
      `line ${lines.findIndex((line) => line.startsWith("tokenBudget")) + 2}: tokenBudget must be a whole number above zero`,
    );
  const [name, version, purpose, output] = [take("name"), take("version"), take("purpose"), take("output")];
  return ok({ name, version, purpose, output, tokenBudget });
}

function renderPrompt(liquid: Liquid, prompt: Prompt, scope: Record<string, unknown>): Result<RenderedPrompt, string> {
  const { head, hash, userLine, systemLine } = prompt;
  try {
    const system = inFile(systemLine, () => String(liquid.renderSync(prompt.system, scope)));
    const user = inFile(userLine, () => String(liquid.renderSync(prompt.user, scope)));
    return ok({ head, hash, system, user });
  } catch (error) {
    return err(`prompt ${head.name}: ${messageOf(error)}`);
  }
}

/** The engine counts lines from the start of a part; the error message counts them from the start of the file. */
function inFile<T>(linesBefore: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reported = messageOf(error).replace(
      /line:(\d+)/,
      (_whole, line: string) => `line:${Number(line) + linesBefore}`,
    );
    throw new Error(reported, { cause: error });
  }
}

const linesBefore = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split("\n").length - 1;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
