/** One case of the real sweep, from the start of the venue to the verdict. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { DuplicatePolicy } from "../../src/sim/exchange/contract/settings.ts";
import { openSqliteReader } from "../../src/journal/sqlite.ts";
import { journalPath } from "../../src/ops/run-file.ts";
import { journalBooks, orphans, venueBooks } from "./books.ts";
import { type DeathToken, tokenText } from "./dying-disk.ts";
import { judge } from "./judge.ts";
import { type LifeEnd, live, logFileIn, type Scene } from "./lives.ts";
import { configFile, type Story } from "./stories.ts";
import { atVenue, openVenue } from "./venue.ts";

export interface Case {
  readonly story: Story;
  readonly policy: DuplicatePolicy;
  /** Where the first run ends; null lets it finish, to count its commits. */
  readonly first: DeathToken | null;
  /** Where the second run ends, during recovery. */
  readonly again: DeathToken | null;
  readonly speed: number;
}

export interface Outcome {
  readonly given: Case;
  readonly problems: readonly string[];
  /** Delays beyond a limit on an overloaded machine: neither a fault of the daemon nor a proof. */
  readonly late: readonly string[];
  readonly deaths: number;
  readonly writes: number;
  readonly rows: number;
  /** Commits of the last run. */
  readonly commits: number;
  /** The kind of the last row of each killed run. */
  readonly diedAt: readonly string[];
  /** Kept if something was wrong. */
  readonly dir: string;
}

/** Venue time. Half of the shortest limit that the daemon must meet. */
const STARVED_MS = 1_500;
/** Invariants with limits in seconds: protection, age of data, frames of an ended run, recovery. */
const BY_TIME = /^I(9|15|25|26):/;

export const nameOf = ({ story, policy, first, again }: Case): string =>
  [story.name, policy, ...[first, again].flatMap((token) => (token ? [tokenText(token).replace(":", "-")] : []))].join(
    "_",
  );

export const replayOf = ({ story, policy, first, again }: Case): string =>
  [
    `npm run kill-sweep -- --real --stories ${story.name} --policies ${policy}`,
    ...(first ? [`--at ${tokenText(first)}`] : []),
    ...(again ? [`--again ${tokenText(again)}`] : []),
  ].join(" ");

export async function runCase(given: Case, app: string, root: string): Promise<Outcome> {
  const dir = path.join(root, nameOf(given));
  rmSync(dir, { recursive: true, force: true });
  const dataDir = path.join(dir, "data");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const config = path.join(dir, "agent.yaml");
  writeFileSync(config, configFile(given.story));
  const venue = await openVenue({ ...given, dir });
  const scene: Scene = { app, story: given.story, venue, config, dataDir, logFile: logFileIn(dir) };
  const outcome = await reported(given, scene, dir).catch((cause: unknown) => broken(given, dir, cause));
  await venue.service.stop();
  if (outcome.problems.length === 0) rmSync(dir, { recursive: true, force: true });
  return outcome;
}

const broken = (given: Case, dir: string, cause: unknown): Outcome => ({
  given,
  problems: [`harness: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`],
  late: [],
  deaths: 0,
  writes: 0,
  rows: 0,
  commits: 0,
  diedAt: [],
  dir,
});

async function reported(given: Case, scene: Scene, dir: string): Promise<Outcome> {
  const { story } = given;
  const { dataDir, venue } = scene;
  const ends: LifeEnd[] = [];
  const diedAt: string[] = [];
  for (const token of [given.first, given.again]) {
    if (!token || ends.length > diedAt.length) continue;
    const end = await live(scene, ends.length, token);
    ends.push(end);
    if (end.how === "killed") diedAt.push(lastKind(dataDir));
  }
  // A run that ended before its token came has played its story to the end.
  if (ends.length === diedAt.length) ends.push(await live(scene, ends.length, null));
  const ours = journalBooks(journalPath(dataDir));
  const left = ours
    ? orphans(venueBooks(atVenue(venue)), ours).map((what) => `after the end: ${what}`)
    : ["no journal is left"];
  await venue.service.stop();
  const { ready } = venue.service;
  const judged = judge({
    story,
    dataDir,
    files: venue.files,
    logs: ends.map((_, life) => scene.logFile(life)),
    secrets: [ready.accessKey, ready.secretKey, ready.aiKey],
    known: ours?.known ?? new Set(),
  });
  const commits = path.join(dataDir, "commits");
  const starved = ends.some(({ starvedMs }) => starvedMs * given.speed > STARVED_MS);
  const problems = [...ends.flatMap((end) => end.problems), ...left, ...judged.problems];
  const isLate = (problem: string): boolean => starved && BY_TIME.test(problem);
  return {
    given,
    problems: problems.filter((problem) => !isLate(problem)),
    late: problems.filter(isLate),
    deaths: diedAt.length,
    writes: judged.writes,
    rows: judged.rows,
    commits: existsSync(commits) ? Number(readFileSync(commits, "utf8")) : 0,
    diedAt,
    dir,
  };
}

function lastKind(dataDir: string): string {
  try {
    const db = openSqliteReader(journalPath(dataDir));
    try {
      return String(db.get("SELECT kind FROM rows ORDER BY seq DESC LIMIT 1")?.["kind"] ?? "nothing");
    } finally {
      db.close();
    }
  } catch {
    return "nothing";
  }
}
