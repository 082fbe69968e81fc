/**
 * What comes from the environment: addresses and secrets, each also as `NAME_FILE` naming a file that holds it. Read
 * once, trimmed, checked; the error names the variable and the rule, never the value. Spec: 3 §1, §5.
 */
import { readFileSync } from "node:fs";
import { Secret } from "../core/secret.ts";
import { err, ok, type Result } from "../core/result.ts";
import { DEFAULT_EXCHANGES, readExchanges } from "../domain/symbol.ts";

/** The REST address has no trailing slash. Socket addresses that were not given are on the same host. */
export interface ServiceAccess {
  readonly restUrl: string;
  readonly marketWsUrl: string;
  readonly userWsUrl: string;
  readonly feedsWsUrl: string;
  readonly accessKey: Secret;
  readonly secretKey: Secret;
}

/** What is absent is null. That is no fault here: the code that needs it says so. */
export interface Environment {
  /** Null when any credential is missing: then only the embedded service can be used. */
  readonly service: ServiceAccess | null;
  /** Variables that the real service needs and that are missing. */
  readonly missing: readonly string[];
  readonly aiUrl: string | null;
  readonly aiKey: Secret | null;
  readonly exchanges: readonly string[];
  readonly dataDir: string;
  /** The token that callers from other machines must send to the status endpoint. Without it none of them is served. */
  readonly statusToken?: Secret;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The variable itself, or the content of the file that `NAME_FILE` names. Empty counts as absent. */
export function variable(env: Variables, name: string): Result<string | null, string> {
  const direct = env[name]?.trim();
  const file = env[`${name}_FILE`]?.trim();
  if (direct && file) return err(`${name} and ${name}_FILE are both set; keep one of them`);
  if (!file) return ok(direct ? direct : null);
  try {
    return ok(readFileSync(file, "utf8").trim() || null);
  } catch (cause) {
    return err(
      `${name}_FILE names ${file}, which cannot be read (${(cause as NodeJS.ErrnoException).code ?? "unknown error"})`,
    );
  }
}

function checkUrl(name: string, text: string, schemes: readonly string[]): string | null {
  if (!URL.canParse(text)) return `${name} is not an address; write for example ${schemes[0]}//host/path`;
  const { protocol, username } = new URL(text);
  if (!schemes.includes(protocol)) return `${name} must begin with ${schemes.join(" or ")}//, found ${protocol}//`;
  return username ? `${name} must not contain a user name or password` : null;
}

function checkSecret(name: string, text: string): string | null {
  return /^[\x21-\x7e]{6,}$/.test(text) && !/^["'].*["']$/.test(text)
    ? null
    : `${name} must be 6 or more visible characters without quotes or spaces`;
}

const HTTP = ["https:", "http:"];
const WS = ["wss:", "ws:"];

/** Every problem at once. Absent credentials are not a problem here. */
export function readEnvironment(env: Variables): Result<Environment, readonly string[]> {
  const problems: string[] = [];
  const read = (name: string, check?: (text: string) => string | null): string | null => {
    const found = variable(env, name);
    if (!found.ok) {
      problems.push(found.error);
      return null;
    }
    const problem = found.value && check ? check(found.value) : null;
    if (problem) problems.push(problem);
    return found.value;
  };
  const url = (name: string, schemes: readonly string[]): string | null =>
    read(name, (text) => checkUrl(name, text, schemes));
  const secret = (name: string): string | null => read(name, (text) => checkSecret(name, text));

  const given = {
    SVC_ACCESS_KEY: secret("SVC_ACCESS_KEY"),
    SVC_SECRET_KEY: secret("SVC_SECRET_KEY"),
    SVC_API_HOST: url("SVC_API_HOST", HTTP),
    SVC_MARKET_WS_URL: url("SVC_MARKET_WS_URL", WS),
    SVC_USER_WS_URL: url("SVC_USER_WS_URL", WS),
    SVC_FEEDS_WS_URL: url("SVC_FEEDS_WS_URL", WS),
  };
  const aiUrl = url("AI_BASE_URL", HTTP);
  const aiKey = secret("AI_API_KEY");
  const exchanges = readExchanges(read("SVC_EXCHANGES") ?? DEFAULT_EXCHANGES.join(",")) ?? [];
  if (exchanges.length === 0) {
    problems.push(
      "SVC_EXCHANGES must be one to four different upper-case identifiers separated by commas, for example EXCHANGE_A,EXCHANGE_B",
    );
  }
  const dataDir = read("BALLAST_DATA_DIR") ?? "data";
  const statusToken = secret("BALLAST_STATUS_TOKEN");
  if (problems.length > 0) return err(problems);
  const missing = Object.entries(given)
    .filter(([, value]) => !value)
    .map(([name]) => name);
  return ok({
    service: serviceOf(given),
    missing,
    aiUrl: aiUrl === null ? null : gatewayAddress(aiUrl),
    aiKey: aiKey ? new Secret(aiKey) : null,
    exchanges,
    dataDir,
    ...(statusToken ? { statusToken: new Secret(statusToken) } : {}),
  });
}

/** `{ai_url}`, whether the address was given with `/v1`, as other programs want it, or without. Spec: 3 §8. */
const gatewayAddress = (url: string): string => url.replace(/\/+$/, "").replace(/\/v1$/, "").replace(/\/+$/, "");

/** Socket addresses that are not given use the REST host and the documented paths. */
function serviceOf(given: Readonly<Record<string, string | null>>): ServiceAccess | null {
  const { SVC_ACCESS_KEY: access, SVC_SECRET_KEY: secretKey, SVC_API_HOST: host } = given;
  if (!access || !secretKey || !host) return null;
  const socket = (path: string): string => `${host.replace(/^http/, "ws").replace(/\/+$/, "")}${path}`;
  return {
    restUrl: host.replace(/\/+$/, ""),
    marketWsUrl: given.SVC_MARKET_WS_URL ?? socket("/marketdata/v2/public"),
    userWsUrl: given.SVC_USER_WS_URL ?? socket("/v1/private"),
    feedsWsUrl: given.SVC_FEEDS_WS_URL ?? socket("/feeds/v2/public"),
    accessKey: new Secret(access),
    secretKey: new Secret(secretKey),
  };
}

/** Names and addresses of this machine itself; every address includes them. */
const AT_HOME = /^(localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0|::)$/;

/** What the settings need from the environment and do not find, for an error; null when everything is there. */
export const statusProblem = ({ host }: { readonly host: string }, { statusToken }: Environment): string | null =>
  AT_HOME.test(host) || statusToken
    ? null
    : `status.host: ${host} is a network address, where every caller needs a token, including the container's health check; set BALLAST_STATUS_TOKEN, or use 127.0.0.1`;
