/** `ballast config check` and `ballast config schema`. */
import { readFileSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { type ConfigFinding, describeConfigProblem, type Inspected, inspectConfig } from "../config/read.ts";
import { universeProblem } from "../control/universe.ts";
import { configSchema, configSchemaText } from "../control/config-schema.ts";
import { consentGap, consentVenue } from "../control/consent-gap.ts";
import { type Environment, readEnvironment, statusProblem } from "../control/environment.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { loadPrompts } from "../llm/prompts/prompts.ts";
import { OWN_PROMPTS_DIR, OWN_STRATEGIES_DIR, PROMPTS_DIR } from "../ops/paths.ts";
import { planNotifications } from "../control/notifications.ts";
import { loadSources } from "../control/sources.ts";
import { sourceFindings } from "../daemon/source-check.ts";
import { loadStrategies, settingsFault, strategyFaults } from "../control/strategies.ts";
import { odditiesOf } from "../control/watch-config.ts";
import { counted } from "../core/words.ts";

const NOWHERE = { line: null, column: null };

type Located = Pick<ConfigFinding, "severity" | "path" | "message">;

/** Exit code 3 if a start would be refused, or a source has no data; warnings alone leave it at 0. */
export async function configCheckProgram(file: string, { json }: { json: boolean }): Promise<number> {
  const inspected = readInspected(file);
  const { parsed: config } = inspected;
  const around = config ? [...(await strategyProblems(config)), ...surroundings(config), ...(await drafts())] : [];
  const findings = [
    ...inspected.findings.filter(({ severity }) => severity === "error"),
    ...odditiesOf(inspected),
    ...around.map((finding): ConfigFinding => ({
      ...finding,
      ...(finding.path.startsWith("(") ? NOWHERE : inspected.locate(finding.path)),
    })),
  ];
  const bad = findings.some(({ severity }) => severity === "error");
  if (json) process.stdout.write(`${JSON.stringify({ ok: !bad, file, findings })}\n`);
  else report(file, findings, bad);
  return bad ? EXIT.config : EXIT.ok;
}

/** Errors go to standard error, one line each; warnings and the verdict to standard output. */
function report(file: string, findings: readonly ConfigFinding[], bad: boolean): void {
  for (const finding of findings) {
    const line = `${finding.severity}: ${describeConfigProblem(file, finding)}\n`;
    (finding.severity === "error" ? process.stderr : process.stdout).write(line);
  }
  const warnings = findings.filter(({ severity }) => severity === "warning").length;
  if (!bad) process.stdout.write(`${file} is good${warnings > 0 ? `, with ${counted(warnings, "warning")}` : ""}.\n`);
}

/** A file that cannot be read is a finding too. */
export function readInspected(file: string): Inspected {
  try {
    return inspectConfig(readFileSync(file, "utf8"));
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    const message = `cannot be read (${code}); give another file, or copy config/agent.yaml`;
    const finding = { severity: "error" as const, path: "(file)", message, ...NOWHERE };
    const none = { config: null, parsed: null, objective: null };
    return { ...none, findings: [finding], locate: () => NOWHERE, placeOf: () => null };
  }
}

/** Unusable files of the owner: each affects only its own use. */
async function drafts(): Promise<readonly Located[]> {
  const prompts = loadPrompts(PROMPTS_DIR, OWN_PROMPTS_DIR);
  const faults = prompts.ok ? prompts.value.faults : [prompts.error];
  return [...faults, ...(await strategyFaults())].map((message) => ({
    severity: "warning",
    path: "(own files)",
    message,
  }));
}

/** A message that begins with the setting it is about, as the file names it, is shown at that setting. */
function placed(message: string): Pick<Located, "path" | "message"> {
  const [, path = "strategy", rest = message] = /^((?:strategy|learning)\.\w+): (.*)$/s.exec(message) ?? [];
  return { path, message: rest };
}

async function strategyProblems(config: Config): Promise<readonly Located[]> {
  const { use } = config.strategy;
  const fault = await settingsFault(config);
  const strategies = await loadStrategies(config);
  const sources = await loadSources(config);
  return [
    ...(strategies.ok ? [] : [{ severity: "error" as const, ...(fault ?? placed(strategies.error)) }]),
    ...(sources.ok
      ? sourceFindings(sources.value, use)
      : [{ severity: "error" as const, path: "sources", message: `strategy ${use} cannot start: ${sources.error}` }]),
  ];
}

/** Conflicts with this environment. `ballast run` reports an environment that cannot be read. */
function surroundings(config: Config): readonly Located[] {
  const read = readEnvironment(process.env);
  const environment = read.ok ? read.value : null;
  const found = (severity: Located["severity"], path: string, message: string | null): readonly Located[] =>
    message === null ? [] : [{ severity, path, message: message.replace(`${path}: `, "") }];
  const gap = consentGapHere(config, environment);
  return [
    ...(environment ? found("error", "universe", universeProblem(config, environment.exchanges)) : []),
    ...(environment ? found("error", "status.host", statusProblem(config.status, environment)) : []),
    ...planNotifications(config.notifications, process.env).problems.map((message) => ({
      severity: "warning" as const,
      path: "notifications.targets",
      message,
    })),
    ...found("warning", gap?.includes("consentFor") ? "session.consentFor" : "session.consent", gap),
  ];
}

/** Without the service's address in the environment, the file's `consentFor` counts as its host. */
function consentGapHere({ session, venue }: Config, environment: Environment | null): string | null {
  const named = session.consentFor === "embedded" ? null : `https://${session.consentFor}`;
  const url = environment?.service?.restUrl ?? named;
  if (venue.kind !== "embedded" && url === null)
    return `session.consentFor is embedded, and venue.kind is ${venue.kind}: write the host of SVC_API_HOST there`;
  return consentGap(session, consentVenue(venue.kind, url));
}

/** The schema of the file, in which settings with a default are optional; includes the owner's strategies. */
export async function configSchemaProgram(): Promise<number> {
  process.stdout.write(configSchemaText(await configSchema(OWN_STRATEGIES_DIR)));
  return EXIT.ok;
}
