/**
 * Notices a saved configuration file, however it was saved, or on SIGHUP. A whole, valid file is handed on; a bad one is
 * refused with line and reason, and the running settings stay.
 */
import { readFileSync } from "node:fs";
import { asWritten, type Config } from "../config/config.ts";
import { type ConfigFinding, describeConfigProblem, type Inspected, inspectConfig } from "../config/read.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { differencesOf } from "../core/nearest.ts";
import { hashOf } from "../core/hash.ts";
import type { Log } from "../core/log.ts";
import { err, ok, type Result } from "../core/result.ts";
import { unknownBases } from "./universe.ts";
import { deafness, watchFile } from "../ops/watch-file.ts";

/** Reads and checks a file; problems as lines for a person. */
export const loadConfig = (file: string): Result<Config, readonly string[]> => load(file, () => true);

/** For a program that neither trades nor asks a model: broken rules across other sections do not stop it. */
export const loadMarketConfig = (file: string): Result<Config, readonly string[]> =>
  load(file, ({ path }) => /^(\(file\)|venue|universe|recorder|competition)/.test(path));

function load(file: string, counts: (found: ConfigFinding) => boolean): Result<Config, readonly string[]> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    return err([`${file} cannot be read (${code}). Give another with --config, or copy config/agent.yaml.`]);
  }
  const { parsed, findings } = inspectConfig(text);
  const wrong = findings.filter((found) => found.severity === "error" && (parsed === null || counts(found)));
  return parsed && wrong.length === 0 ? ok(parsed) : err(wrong.map((problem) => describeConfigProblem(file, problem)));
}

/** What is odd in a configuration that can be used: the check shows it, and a start logs it. */
export const odditiesOf = ({ parsed, findings, locate }: Inspected): readonly ConfigFinding[] => [
  ...findings.filter(({ severity }) => severity === "warning"),
  ...(parsed ? unknownBases(parsed) : []).map((message) => ({
    severity: "warning" as const,
    path: "universe",
    ...locate("universe"),
    message,
  })),
];

/** The same for a file, as lines for a person. Empty when the file cannot be read. */
export function oddities(file: string): readonly string[] {
  try {
    return odditiesOf(inspectConfig(readFileSync(file, "utf8"))).map((finding) => describeConfigProblem(file, finding));
  } catch {
    return [];
  }
}

/** `close` waits for a load that has begun. */
export interface ConfigWatch {
  /** Reads the file now. */
  reload(): void;
  close(): Promise<void>;
}

/** Members that differ, as dotted paths, for the log. */
export function differences(before: unknown, after: unknown, at = ""): readonly string[] {
  if (hashOf(before) === hashOf(after)) return [];
  const both = [before, after].every((value) => value !== null && typeof value === "object" && !Array.isArray(value));
  if (!both) return [at || "(file)"];
  const left = before as Record<string, unknown>;
  const right = after as Record<string, unknown>;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].flatMap((name) =>
    differences(left[name] ?? null, right[name] ?? null, at ? `${at}.${name}` : name),
  );
}

/** `accept` is asked of whole, valid files that differ, one at a time; its error leaves what runs. */
export function watchConfig(
  file: string,
  current: Config,
  on: {
    log: Log;
    accept: (config: Config) => Promise<Result<void, string>>;
    /** Why the file as it is saved now was refused; null once it may be used. */
    refused?: (reason: string | null) => void;
    /** Time between looks; the machine's own when absent. */
    clock?: Clock;
    /** For tests: the mount table of the process. */
    mounts?: string;
  },
): ConfigWatch {
  let running = current;
  let busy = Promise.resolve();
  let isRefused = false;
  const refuse = (reason: string): void => {
    isRefused = true;
    on.refused?.(reason);
    on.log.event("error", "config.refused", `${reason} (the running settings stay)`, { file });
  };
  const sound = (): void => {
    isRefused = false;
    on.refused?.(null);
  };
  const load = async (): Promise<void> => {
    const loaded = loadConfig(file);
    if (!loaded.ok) return refuse(loaded.error.join("; "));
    const [was, is] = [running, loaded.value].map(asWritten);
    const changed = differences(was, is);
    if (changed.length === 0) {
      if (isRefused) on.log.event("info", "config.changed", "the file is valid again: the running settings", { file });
      return sound();
    }
    const accepted = await on.accept(loaded.value);
    if (!accepted.ok) return refuse(accepted.error);
    running = loaded.value;
    sound();
    on.log.event("info", "config.changed", differencesOf(was, is).join("; "), { file, changed });
  };
  const reload = (): void => {
    busy = busy.then(load).catch((cause: unknown) => refuse(String(cause)));
  };
  const stopLooking = watchFile(file, reload, on.clock ?? systemClock());
  const deaf = deafness(file, on.mounts);
  if (deaf !== null) on.log.event("warn", "config.deaf", deaf, { file });
  return { reload, close: () => stopLooking().then(() => busy) };
}
