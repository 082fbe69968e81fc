/** `ballast config show`: the settings that a start would use, and the origin of each. */
import { stringify } from "yaml";
import { asWritten } from "../config/config.ts";
import { type SettingOrigin, settingOrigins } from "../config/origins.ts";
import { describeConfigProblem, type FilePosition } from "../config/read.ts";
import { openAddress, secretTexts, type VariableOrigin, variableOrigins } from "../control/environment-origins.ts";
import { isSecretName, maskText, redactor, Secret } from "../core/secret.ts";
import type { ShowOptions } from "../faces/cli/config-command.ts";
import { complain } from "../ops/complaint.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { readInspected } from "./config-check.ts";

/** Exit code 3 if the file cannot be used; then it prints the errors, like `config check`. */
export function configShowProgram(file: string, { origin, json }: ShowOptions): Promise<number> {
  return Promise.resolve(shown(file, origin, json));
}

function shown(file: string, origin: boolean, json: boolean): number {
  const inspected = readInspected(file);
  const { parsed, findings } = inspected;
  if (parsed === null) {
    const problems = findings.map((finding) => describeConfigProblem(file, finding));
    if (json) return complain(problems.join("; "), EXIT.config, { file, findings });
    for (const problem of problems) process.stderr.write(`error: ${problem}\n`);
    return EXIT.config;
  }
  const redact = redactor(secretTexts(parsed, process.env).map((text) => new Secret(text)));
  const print = (text: string): void => void process.stdout.write(`${redact(text)}\n`);
  const settings = settingOrigins(inspected).map((each) => ({ ...each, value: masked(each.path, each.value) }));
  const variables = variableOrigins(parsed, process.env);
  if (json && origin)
    print(JSON.stringify({ file, settings: settings.map((each) => settingJson(each, file)), environment: variables }));
  else if (origin) print([...settings.map((each) => line(each, file)), "", ...variables.map(variableLine)].join("\n"));
  else {
    const whole = mapped(asWritten(parsed), "");
    print(json ? JSON.stringify(whole) : stringify(whole, { lineWidth: 0 }).trimEnd());
  }
  return EXIT.ok;
}

/** Secrets do not belong in the file; a secret in it is masked. */
function masked(path: string, value: unknown): unknown {
  if (typeof value === "string")
    return isSecretName(path.split(".").at(-1) ?? "") ? maskText(value) : openAddress(value);
  return Array.isArray(value) ? value.map((each) => masked(path, each)) : value;
}

function mapped(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((each) => mapped(each, path));
  if (typeof value !== "object" || value === null) return masked(path, value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, name)]));
}

const at = (file: string, { line: row, column }: FilePosition): string => `${file}:${row}:${column}`;

const settingJson = ({ path, value, place, objective }: SettingOrigin, file: string): object => ({
  path,
  value,
  origin:
    place !== null
      ? { kind: "file", file, ...place }
      : objective
        ? { kind: "objective", objective }
        : { kind: "default" },
});

const VALUE_WIDTH = 56;

const line = ({ path, value, place, objective }: SettingOrigin, file: string): string =>
  `${`${path} = ${JSON.stringify(value)}`.padEnd(VALUE_WIDTH)}  ${place !== null ? at(file, place) : objective ? `objective ${objective}` : "default"}`;

function variableLine({ name, value, from, problem }: VariableOrigin): string {
  const origin = from === null ? "not set" : from === name ? "environment" : `environment, by ${from}`;
  return `${value === null ? name.padEnd(VALUE_WIDTH) : `${name} = ${value}`.padEnd(VALUE_WIDTH)}  ${problem ?? origin}`;
}
