/** The owner's own sources as the configuration names them, their files loaded and their settings checked. */
import { accessSync, constants } from "node:fs";
import path from "node:path";
import type { Config } from "../config/config.ts";
import type { SourceConfig } from "../config/sources.ts";
import { err, ok, type Result } from "../core/result.ts";
import { Secret } from "../core/secret.ts";
import { OWN_SOURCES_DIR } from "../ops/paths.ts";
import type { ArmedReader } from "../strategy/source.ts";
import { loadReader } from "../strategy/source-files.ts";
import { variable } from "./environment.ts";

interface KeyHeader {
  readonly name: string;
  readonly key: Secret;
}

/** Where the text of a source comes from. Paths are absolute. */
export type TextOrigin =
  | { readonly kind: "url"; readonly url: string; readonly header: KeyHeader | null }
  | { readonly kind: "file"; readonly path: string };

/** A source whose text is polled. */
export interface PolledPlan {
  readonly kind: "polled";
  readonly name: string;
  readonly staleAfterMs: number;
  readonly everyMs: number;
  readonly origin: TextOrigin;
  readonly reader: ArmedReader;
}

/** Recorded points, in one file or a folder of files. They need no reader. */
export interface PlayedPlan {
  readonly kind: "played";
  readonly name: string;
  readonly staleAfterMs: number;
  readonly path: string;
}

/** A configured source, ready to be started. */
export type PlannedSource = PolledPlan | PlayedPlan;

type Variables = Readonly<Record<string, string | undefined>>;

/** Empty where the file names none. The error is for people: it names the source and what is wrong with it. */
export async function loadSources(
  config: Pick<Config, "sources">,
  env: Variables = process.env,
): Promise<Result<readonly PlannedSource[], string>> {
  const planned: PlannedSource[] = [];
  for (const [name, given] of Object.entries(config.sources)) {
    const plan = given.recording === undefined ? await polled(name, given, env) : played(name, given, given.recording);
    if (!plan.ok) return err(`sources.${name}: ${plan.error}`);
    planned.push(plan.value);
  }
  return ok(planned);
}

async function polled(name: string, given: SourceConfig, env: Variables): Promise<Result<PolledPlan, string>> {
  const origin = originOf(name, given, env);
  if (!origin.ok) return origin;
  const reader = await loadReader(name, given.settings, OWN_SOURCES_DIR);
  if (!reader.ok) return reader;
  const times = { everyMs: given.every, staleAfterMs: given.staleAfter };
  return ok({ kind: "polled", name, ...times, origin: origin.value, reader: reader.value });
}

function played(name: string, given: SourceConfig, recording: string): Result<PlayedPlan, string> {
  const place = path.resolve(recording);
  try {
    accessSync(place, constants.R_OK);
    return ok({ kind: "played", name, staleAfterMs: given.staleAfter, path: place });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    return err(`recording ${place} cannot be read (${code}); create it, or correct recording`);
  }
}

/** The variable that holds the key of a source: `BALLAST_SOURCE_KEY_NET_FLOWS` for `net-flows`. */
export const keyVariable = (name: string): string => `BALLAST_SOURCE_KEY_${name.toUpperCase().replaceAll("-", "_")}`;

function originOf(name: string, { url, file, keyHeader }: SourceConfig, env: Variables): Result<TextOrigin, string> {
  if (url === undefined) return ok({ kind: "file", path: path.resolve(file ?? "") });
  const header = headerOf(name, keyHeader, env);
  return header.ok ? ok({ kind: "url", url, header: header.value }) : header;
}

function headerOf(source: string, name: string | undefined, env: Variables): Result<KeyHeader | null, string> {
  if (name === undefined) return ok(null);
  const key = variable(env, keyVariable(source));
  if (!key.ok) return key;
  if (key.value === null)
    return err(`keyHeader needs a key in ${keyVariable(source)}, or in ${keyVariable(source)}_FILE`);
  return ok({ name, key: new Secret(key.value) });
}

/** The keys that must never be printed. */
export const sourceKeys = (sources: readonly PlannedSource[]): readonly Secret[] =>
  sources.flatMap((plan) =>
    plan.kind === "polled" && plan.origin.kind === "url" && plan.origin.header ? [plan.origin.header.key] : [],
  );
