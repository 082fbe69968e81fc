/** The files of a new set-up: written all or none, and never over one that is there. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { err, ok, type Result } from "../core/result.ts";
import { PACKAGE_ROOT, PROMPTS_DIR } from "../ops/paths.ts";
import { composeText } from "./compose-text.ts";
import { configText } from "./config-text.ts";
import { environmentText } from "./environment-text.ts";
import type { Answers } from "./questions.ts";

/** Name of the owner's copy of the deciding question. */
const PROMPT = "my-trader";
const SHIPPED_PROMPT = "llm-trader";
const DEPLOY = path.join(PACKAGE_ROOT, "deploy");

/** The file that a person opens first. */
export const CONFIG_FILE = "config/agent.yaml";
const IGNORED = ["/.env", "/data/", "/live/", "/status-token", "/grafana-password", ""].join("\n");

const shipped = (...name: string[]): string => readFileSync(path.join(PACKAGE_ROOT, ...name), "utf8");

/** A prompt under another name: the head must say it. */
const promptCopy = (): string =>
  readFileSync(path.join(PROMPTS_DIR, `${SHIPPED_PROMPT}.md`), "utf8").replace(
    `name: ${SHIPPED_PROMPT}\n`,
    `name: ${PROMPT}\n`,
  );

function monitoring(): [string, string][] {
  return readdirSync(path.join(DEPLOY, "monitoring"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(DEPLOY, path.join(entry.parentPath, entry.name)))
    .sort()
    .map((name) => [name, shipped("deploy", name)]);
}

/** Paths from the folder of the set-up, with their texts, in the order in which a person reads them. */
export function filesFor(
  answers: Answers,
  dir: string,
  asksDecidingQuestion: boolean,
): readonly (readonly [string, string])[] {
  // The image holds no sources to build another from.
  const source = existsSync(path.join(PACKAGE_ROOT, "Dockerfile")) ? PACKAGE_ROOT : null;
  return [
    [CONFIG_FILE, configText(answers, asksDecidingQuestion ? PROMPT : null)],
    ["config/ballast.schema.json", shipped("config", "ballast.schema.json")],
    [".env.example", environmentText(answers)],
    ...(asksDecidingQuestion ? [[`own/prompts/${PROMPT}.md`, promptCopy()] as const] : []),
    ["own/README.md", shipped("deploy", "own", "README.md")],
    ...(answers.place === "container"
      ? [
          ["docker-compose.yml", composeText(shipped("deploy", "docker-compose.yml"), dir, source)] as const,
          ...monitoring(),
        ]
      : []),
    [".gitignore", IGNORED],
  ];
}

/** May be there before: a folder under version control has one. */
const KEPT: ReadonlySet<string> = new Set([".gitignore"]);

/** Paths of what was written. The error names what is in the way; then nothing is left behind. */
export function writeFiles(
  dir: string,
  files: readonly (readonly [string, string])[],
): Result<readonly string[], string> {
  const at = (name: string): string => path.join(dir, name);
  const there = files.map(([name]) => name).filter((name) => existsSync(at(name)) && !KEPT.has(name));
  if (there.length > 0)
    return err(
      `${there.map(at).join(", ")} ${there.length === 1 ? "is" : "are"} there already, and nothing is overwritten: name another folder, such as \`ballast init my-agent\``,
    );
  const written: string[] = [];
  const made: string[] = [];
  try {
    for (const [name, text] of files) {
      if (existsSync(at(name))) continue;
      const first = mkdirSync(path.dirname(at(name)), { recursive: true });
      if (first !== undefined) made.push(first);
      writeFileSync(at(name), text, { flag: "wx" });
      written.push(name);
    }
  } catch (cause) {
    for (const name of written) rmSync(at(name), { force: true });
    for (const folder of made.reverse()) rmSync(folder, { recursive: true, force: true });
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    return err(`${dir} cannot be written (${code}): name a folder in a writable place`);
  }
  return ok(written);
}
