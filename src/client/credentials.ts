/** The credentials of the service in the environment: which are there, and why it cannot be reached without the others. */
import { readEnvironment, variable } from "../control/environment.ts";
import { sha256 } from "../core/hash.ts";
import { Secret } from "../core/secret.ts";
import type { CredentialFacts } from "../faces/contract/client.ts";
import { type Failure, failure } from "../faces/contract/statuses.ts";

/** The process's environment, or a test's replacement for it. */
export type Variables = Readonly<Record<string, string | undefined>>;

const NAMES = ["SVC_ACCESS_KEY", "SVC_SECRET_KEY", "SVC_API_HOST"] as const;

/** What the environment holds, without a secret in it. */
export function credentialFacts(
  variables: Variables,
  environment: ReturnType<typeof readEnvironment>,
): CredentialFacts {
  const has = (name: string): boolean => {
    const found = variable(variables, name);
    return found.ok && found.value !== null;
  };
  const access = variable(variables, "SVC_ACCESS_KEY");
  const key = access.ok ? access.value : null;
  return {
    SVC_ACCESS_KEY: has(NAMES[0]),
    SVC_SECRET_KEY: has(NAMES[1]),
    SVC_API_HOST: has(NAMES[2]),
    maskedAccessKey: key === null ? null : new Secret(key).masked,
    accessKeyHash: key === null ? null : sha256(key),
    problems: environment.ok ? [] : environment.error.filter((problem) => problem.startsWith("SVC_")),
  };
}

/** Why the service cannot be reached; null if it can. Missing credentials are reported before a missing host. */
export function gapOf({ SVC_ACCESS_KEY, SVC_SECRET_KEY, SVC_API_HOST, problems }: CredentialFacts): Failure | null {
  if (problems.length > 0) return failure("NOT_VERIFIED", "01001", problems.join("; "));
  const missing = [SVC_ACCESS_KEY ? "" : NAMES[0], SVC_SECRET_KEY ? "" : NAMES[1]].filter(Boolean);
  if (missing.length > 0)
    return failure(
      "NOT_VERIFIED",
      "01001",
      `credentials are missing: set ${missing.join(" and ")}; \`ballast sim\` prints a pair of its own for practice`,
    );
  return SVC_API_HOST ? null : failure("NOT_VERIFIED", "01003", "the API host is missing: set SVC_API_HOST");
}

/** All secrets in this machine's environment, even if it is otherwise invalid. */
export function secretsOf(variables: Variables): readonly Secret[] {
  const texts = ["SVC_ACCESS_KEY", "SVC_SECRET_KEY", "AI_API_KEY"].map((name) => {
    const found = variable(variables, name);
    return found.ok ? found.value : null;
  });
  return [...new Set(texts.filter((text) => text !== null))].map((text) => new Secret(text));
}
