/** `ballast config check` and `ballast config schema`. */
import { z } from "zod";
import { type Config, ConfigSchema } from "../../config.ts";
import { universeProblem } from "../agent-settings.ts";
import { readEnvironment, statusProblem } from "../environment.ts";
import { EXIT } from "../exit-codes.ts";
import { consentGap, consentVenue } from "../consent-gap.ts";
import { loadStrategies } from "../strategies.ts";
import { loadConfig } from "../watch-config.ts";

/** Exit code 3 where something is wrong, strategies, schedule and environment included. */
export async function configCheckProgram(file: string, { json }: { json: boolean }): Promise<number> {
  const loaded = loadConfig(file);
  const strategies = loaded.ok ? await loadStrategies(loaded.value) : null;
  const problems = loaded.ok
    ? [
        ...(strategies && !strategies.ok ? [`${file} strategy: ${strategies.error}`] : []),
        ...surroundingProblems(file, loaded.value),
      ]
    : loaded.error;
  const gap = loaded.ok ? consentGapHere(loaded.value) : null;
  if (json)
    process.stdout.write(`${JSON.stringify({ ok: problems.length === 0, file, problems, notes: gap ? [gap] : [] })}\n`);
  else if (problems.length > 0) for (const problem of problems) process.stderr.write(`${problem}\n`);
  else process.stdout.write(`${file} is good.${gap ? ` Note: ${gap}.` : ""}\n`);
  return problems.length === 0 ? EXIT.ok : EXIT.config;
}

/** Without the address of the service in the environment, the file's own word for it is taken. */
function consentGapHere({ session, venue }: Config): string | null {
  const environment = readEnvironment(process.env);
  const address = environment.ok ? (environment.value.service?.restUrl ?? null) : null;
  const named = session.consentFor === "embedded" ? null : `https://${session.consentFor}`;
  const url = address ?? named;
  if (venue.kind === "service" && url === null) return "session.consentFor is embedded: write the host of the service";
  return consentGap(session, consentVenue(venue.kind, url));
}

/** What does not go with this environment; one that cannot be read is told by `ballast run`. */
function surroundingProblems(file: string, config: Config): readonly string[] {
  const environment = readEnvironment(process.env);
  if (!environment.ok) return [];
  const { value } = environment;
  const problems = [universeProblem(config, value.exchanges), statusProblem(config.status, value)];
  return problems.flatMap((problem) => (problem === null ? [] : [`${file} ${problem}`]));
}

/** As the file may be written: what has a default may be left out. */
export function configSchemaProgram(): Promise<number> {
  process.stdout.write(`${JSON.stringify(z.toJSONSchema(ConfigSchema, { io: "input" }), null, 2)}\n`);
  return Promise.resolve(EXIT.ok);
}
