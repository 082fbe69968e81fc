/** update check: compares versions with the operator's manifest; without one the answer is "not known". Records §17.12. */
import { z } from "zod";
import { err, ok } from "../../core/result.ts";
import { isoTime } from "../../core/time.ts";
import { cachedBody } from "../contract/stored-body.ts";
import { failure } from "../contract/statuses.ts";
import {
  type Answer,
  type Call,
  SCHEMA_VERSION,
  SKILLS_SCHEMA_VERSION,
  SKILLS_VERSION,
} from "../contract/capability.ts";
import type { ReleaseNews } from "../contract/client.ts";

const CACHE_SECONDS = 86_400;
const REFRESH = "svc update check --force true";

/** Whether version `a` is older than `b`, part by part. */
export function olderThan(a: string, b: string): boolean {
  const parts = (version: string): number[] => version.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0);
  const [left, right] = [parts(a), parts(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

type Manifest = Readonly<Record<string, unknown>>;
const textIn = (manifest: Manifest | null, name: string, fallback: string): string => {
  const value = manifest?.[name];
  return typeof value === "string" ? value : fallback;
};

type Word = "CURRENT" | "UPDATE_AVAILABLE" | "UPGRADE_REQUIRED" | "WRITE_BLOCKED" | "UNKNOWN";

function wordOf(version: string, manifest: Manifest | null): Word {
  if (!manifest) return "UNKNOWN";
  if (olderThan(version, textIn(manifest, "minimumSupportedVersion", "0"))) return "UPGRADE_REQUIRED";
  if (olderThan(version, textIn(manifest, "minimumWriteVersion", "0"))) return "WRITE_BLOCKED";
  return olderThan(version, textIn(manifest, "latestCliVersion", version)) ? "UPDATE_AVAILABLE" : "CURRENT";
}

function skillsWord(installed: string, latest: string): string {
  if (installed === "NOT_VERIFIED") return "NOT_VERIFIED";
  return olderThan(installed, latest) ? "UPDATE_AVAILABLE" : "CURRENT";
}

function reportOf(call: Call, { manifest, manifestUrl, error }: ReleaseNews, source: string, installed: string) {
  const { version } = call.client;
  const status = wordOf(version, manifest);
  const latestSkillsVersion = textIn(manifest, "skillsVersion", SKILLS_VERSION);
  return {
    currentVersion: version,
    latestVersion: textIn(manifest, "latestCliVersion", "UNKNOWN"),
    minimumSupportedVersion: textIn(manifest, "minimumSupportedVersion", "UNKNOWN"),
    minimumWriteVersion: textIn(manifest, "minimumWriteVersion", "UNKNOWN"),
    latestMcpSchemaVersion: textIn(manifest, "latestMcpSchemaVersion", SCHEMA_VERSION),
    currentMcpSchemaVersion: SCHEMA_VERSION,
    skillsVersion: SKILLS_VERSION,
    currentSkillsVersion: SKILLS_VERSION,
    latestSkillsVersion,
    bundledExpectedSkillsVersion: SKILLS_VERSION,
    installedSkillsVersion: installed,
    skillsInstallStatus: skillsWord(installed, latestSkillsVersion),
    skillsSchemaVersion: textIn(manifest, "skillsSchemaVersion", SKILLS_SCHEMA_VERSION),
    currentSkillsSchemaVersion: SKILLS_SCHEMA_VERSION,
    updateAvailable: status === "UPDATE_AVAILABLE" || status === "UPGRADE_REQUIRED" || status === "WRITE_BLOCKED",
    writeAllowed: status !== "WRITE_BLOCKED" && status !== "UPGRADE_REQUIRED",
    status,
    severity: textIn(manifest, "severity", "none"),
    breaking: manifest?.["breaking"] === true,
    checkedAt: isoTime(call.client.env.clock.nowMs()),
    cacheTtlSeconds: CACHE_SECONDS,
    manifestUrl,
    manifestSource: source,
    updateFreshness: source.toUpperCase(),
    refreshCommand: REFRESH,
    releaseNotesUrl: textIn(manifest, "releaseNotesUrl", ""),
    skillsUpdateRecommended: manifest?.["skillsUpdateRecommended"] === true,
    upgrade: manifest?.["upgrade"] ?? {},
    ...(error === null ? {} : { error }),
  };
}

const storedNews: z.ZodType<ReleaseNews> = z.object({
  manifestUrl: z.string().nullable(),
  manifest: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
});

/** `force` and `manifestUrl` bypass the cache; the default of `maxCacheAgeSeconds` is a day. */
export interface UpdateInput {
  readonly force?: boolean | undefined;
  readonly manifestUrl?: string | undefined;
  readonly maxCacheAgeSeconds?: number | undefined;
  readonly installedSkillsVersion?: string | undefined;
}

/** Passes if current or only behind; 21001 for a version that is too old, 10002 if nothing is known. */
export async function updateCheck(call: Call, input: UpdateInput): Answer {
  const { client } = call;
  const nowMs = client.env.clock.nowMs();
  const ageMaxMs = (input.maxCacheAgeSeconds ?? CACHE_SECONDS) * 1_000;
  const asksAnew = input.force === true || input.manifestUrl !== undefined;
  const kept = asksAnew
    ? undefined
    : cachedBody(client.documents, { kind: "update", id: "manifest", nowMs, ageMaxMs }, storedNews);
  const installed = input.installedSkillsVersion ?? "NOT_VERIFIED";
  const news = kept?.body ?? (await client.releaseNews(input.manifestUrl));
  const source = news.manifest === null ? "fallback" : kept ? "cache" : "remote";
  if (source === "remote") client.documents.put("update", { id: "manifest", body: news, atMs: nowMs });
  const report = reportOf(call, news, source, installed);
  if (report.status === "CURRENT" || report.status === "UPDATE_AVAILABLE") return ok(report);
  if (report.status === "UNKNOWN") {
    const why = report.error ?? "no manifest address is set (SVC_RELEASE_MANIFEST_URL)";
    return err(failure("NOT_VERIFIED", "10002", `whether an update exists is not known: ${why}`, { data: report }));
  }
  return err(
    failure("BLOCKED", "21001", `version ${report.currentVersion} is too old: ${report.status}`, { data: report }),
  );
}
