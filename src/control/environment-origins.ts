/** What the environment gives a run, as it may be shown: secrets are masked for every use. */
import type { Config } from "../config/config.ts";
import { maskText } from "../core/secret.ts";
import { variable } from "./environment.ts";
import { variablesOfTargets } from "./notifications.ts";
import { keyVariable } from "./sources.ts";

/** `value` is masked for a secret, and null where the variable is not set; `from` names the variable that was read. */
export interface VariableOrigin {
  readonly name: string;
  readonly value: string | null;
  readonly from: string | null;
  readonly problem?: string;
}

/** Names whose values may be seen. Every other one is a secret. */
const OPEN = [
  "SVC_API_HOST",
  "SVC_MARKET_WS_URL",
  "SVC_USER_WS_URL",
  "SVC_FEEDS_WS_URL",
  "SVC_EXCHANGES",
  "AI_BASE_URL",
  "BALLAST_DATA_DIR",
  "BALLAST_OWN_DIR",
] as const;
const SECRET = ["SVC_ACCESS_KEY", "SVC_SECRET_KEY", "AI_API_KEY", "BALLAST_STATUS_TOKEN"] as const;

/** An address without what may hold a key: user, password, the values of its query. */
export function openAddress(text: string): string {
  if (!URL.canParse(text) || !text.includes("//")) return text;
  const hidden = text.replace(/^([a-z+]+:\/\/)[^/@]*@/i, "$1***@");
  return hidden.replace(/([?&][^=&#]+=)[^&#]+/g, "$1***");
}

/** Every variable that a run with this configuration reads. */
export function variableOrigins(
  { notifications, sources }: Pick<Config, "notifications" | "sources">,
  env: Readonly<Record<string, string | undefined>>,
): readonly VariableOrigin[] {
  const keys = Object.entries(sources).flatMap(([name, { keyHeader }]) => (keyHeader ? [keyVariable(name)] : []));
  const shown = (name: string, show: (text: string) => string): VariableOrigin => {
    const found = variable(env, name);
    if (!found.ok) return { name, value: null, from: `${name}_FILE`, problem: found.error };
    const from = env[name] ? name : `${name}_FILE`;
    return found.value === null ? { name, value: null, from: null } : { name, value: show(found.value), from };
  };
  return [
    ...OPEN.map((name) => shown(name, openAddress)),
    ...[...SECRET, ...variablesOfTargets(notifications), ...keys].map((name) => shown(name, maskText)),
  ];
}

/** The texts that must stand in no output: what `variableOrigins` masks. */
export const secretTexts = (
  config: Pick<Config, "notifications" | "sources">,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] =>
  variableOrigins(config, env).flatMap(({ name }) => {
    const found = (OPEN as readonly string[]).includes(name) ? null : variable(env, name);
    return found?.ok && found.value !== null ? [found.value] : [];
  });
