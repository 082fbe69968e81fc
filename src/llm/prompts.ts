/**
 * The texts in `prompts/`: read once, rendered strictly. A text has a head (name, version, purpose, output, tokenBudget),
 * a system part that is the same bytes in every call, and a user part that changes. Faults O7, A1.
 */
import { lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { Liquid, type Template } from "liquidjs";
import { sha256 } from "../core/hash.ts";
import { err, ok, type Result } from "../core/result.ts";
import { cell, fenced, list, table } from "./prompt-text.ts";

/** Words of the gateway's own, new in every call. */
export interface GatewayWords {
  /** Stands around hostile text. */
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
  /** Most tokens that the rendered prompt may have; a longer one is not sent. */
  readonly tokenBudget: number;
}

/** The two parts with their variables filled in; the reply schema is not in them yet. */
export interface RenderedPrompt {
  readonly head: PromptHead;
  /** SHA-256 of the file: any edit makes another prompt. */
  readonly hash: string;
  readonly system: string;
  readonly user: string;
}

/** All prompts of a folder as they were when it was read; later edits are not seen. */
export interface PromptLibrary {
  readonly heads: readonly PromptHead[];
  /** Errors name the prompt and the variable; nothing is rendered as an empty text. */
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
}

const FILE_MAX_BYTES = 64 * 1024;
const FILES_MAX = 100;
const USER_MARK = "\n=== user ===\n";

/** Reads every `*.md` in `dir`. The one place of this room that touches files. */
export function loadPrompts(dir: string): Result<PromptLibrary, string> {
  const liquid = engine();
  const prompts = new Map<string, Prompt>();
  try {
    const root = realpathSync(dir);
    const names = readdirSync(root)
      .filter((name) => name.endsWith(".md"))
      .sort();
    if (names.length > FILES_MAX) return err(`${dir} holds more than ${FILES_MAX} prompts`);
    for (const name of names) {
      const read = readPrompt(root, name, liquid);
      if (!read.ok) return err(`${join(dir, name)}: ${read.error}`);
      prompts.set(read.value.head.name, read.value);
    }
  } catch (error) {
    return err(`prompts could not be read from ${dir}: ${messageOf(error)}`);
  }
  return ok({
    heads: [...prompts.values()].map((prompt) => prompt.head),
    render: (name, variables, words) => {
      const prompt = prompts.get(name);
      if (!prompt)
        return err(`there is no prompt ${JSON.stringify(name)}; known are ${[...prompts.keys()].join(", ")}`);
      if (Object.hasOwn(variables, "gateway")) return err(`prompt ${name}: the name "gateway" is the gateway's own`);
      return renderPrompt(liquid, prompt, { ...variables, gateway: words });
    },
  });
}

/** No file is in reach of a template, no filter reads the clock, nothing runs without end. */
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
  if (!real.startsWith(root + sep)) return err("it leads out of the folder");
  const facts = lstatSync(path);
  if (!facts.isFile()) return err("it is no regular file");
  if (facts.size > FILE_MAX_BYTES) return err(`it is larger than ${FILE_MAX_BYTES} bytes`);
  const text = readFileSync(real, "utf8").replaceAll("\r\n", "\n");
  const split = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text);
  if (!split) return err("it does not begin with a head between two lines of ---");
  const head = readHead(split[1] ?? "");
  if (!head.ok) return head;
  const parts = (split[2] ?? "").split(USER_MARK);
  const [system, user] = parts;
  if (parts.length !== 2 || system === undefined || user === undefined) {
    return err("it must hold the line === user === exactly once");
  }
  return ok({
    head: head.value,
    hash: sha256(text),
    system: liquid.parse(system.trim()),
    user: liquid.parse(user.trim()),
  });
}

function readHead(text: string): Result<PromptHead, string> {
  const fields = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, key, value] = /^([A-Za-z]+): *(.+?) *$/.exec(line) ?? [];
    if (key === undefined || value === undefined)
      return err(`the head has the line ${JSON.stringify(line)}, not key: value`);
    if (fields.has(key)) return err(`the head names ${key} twice`);
    fields.set(key, value);
  }
  const take = (key: string): string => fields.get(key) ?? "";
  const missing = ["name", "version", "purpose", "output", "tokenBudget"].filter((key) => !fields.has(key));
  if (missing.length > 0) return err(`the head lacks ${missing.join(", ")}`);
  const tokenBudget = Number(take("tokenBudget"));
  if (!Number.isSafeInteger(tokenBudget) || tokenBudget <= 0)
    return err("tokenBudget must be a whole number above zero");
  const [name, version, purpose, output] = [take("name"), take("version"), take("purpose"), take("output")];
  return ok({ name, version, purpose, output, tokenBudget });
}

function renderPrompt(liquid: Liquid, prompt: Prompt, scope: Record<string, unknown>): Result<RenderedPrompt, string> {
  try {
    const system = String(liquid.renderSync(prompt.system, scope));
    const user = String(liquid.renderSync(prompt.user, scope));
    return ok({ head: prompt.head, hash: prompt.hash, system, user });
  } catch (error) {
    return err(`prompt ${prompt.head.name}: ${messageOf(error)}`);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
