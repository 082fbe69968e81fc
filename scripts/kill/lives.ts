/** One run of the daemon in its own process: started, watched from outside, killed by its token or stopped normally. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { perpSymbol } from "../../src/domain/symbol.ts";
import { writeCommand } from "../../src/control/command-file.ts";
import { journalPath } from "../../src/ops/run-file.ts";
import { serviceEnv } from "../../test/support/service-env.ts";
import { followed, type JournalBooks, unrest, venueBooks } from "./books.ts";
import { type DeathToken, tokenText } from "./dying-disk.ts";
import type { StoryEvent, Story } from "./stories.ts";
import { atVenue, type Venue } from "./venue.ts";

export interface Scene {
  /** The built program. */
  readonly app: string;
  readonly story: Story;
  readonly venue: Venue;
  readonly config: string;
  readonly dataDir: string;
  readonly logFile: (life: number) => string;
}

export interface LifeEnd {
  readonly how: "killed" | "stopped" | "failed";
  /** The problems found; empty without any. */
  readonly problems: readonly string[];
  /** How long the process waited for a processor, or its venue was late: its own times are unreliable then. */
  readonly starvedMs: number;
}

/** A short run never collects garbage; otherwise collection takes a tenth of its time. */
const ROOMY = ["--min-semi-space-size=64", "--max-semi-space-size=64"];
const LOOK_EVERY_MS = 250;
/** Venue time, and real time to start on a shared machine; a proof of absence takes 30 s. */
const CALM_WITHIN = { venueMs: 75_000, realMs: 45_000 };
const STOPS_WITHIN_MS = 30_000;
/** Venue time without problems that counts as calm: a fill may still be on its way. */
const CALM_FOR_MS = 1_500;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const running = new Set<ChildProcess>();
/** Kills everything that the sweep started, however it ends. */
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

function start({ app, venue, config, dataDir, logFile }: Scene, life: number, token: DeathToken | null) {
  const { ready } = venue.service;
  const log = openSync(logFile(life), "a");
  const child = spawn(
    process.execPath,
    [...ROOMY, app, config, dataDir, ready.controlUrl, ...(token ? [tokenText(token)] : [])],
    {
      stdio: ["ignore", log, log],
      env: {
        PATH: process.env["PATH"],
        SVC_EXCHANGES: "EXCHANGE_A",
        ...serviceEnv(ready),
      },
    },
  );
  closeSync(log);
  running.add(child);
  let exit: Exit | null = null;
  const ended = new Promise<Exit>((resolve) =>
    child.once("close", (code, signal) => {
      running.delete(child);
      resolve((exit = { code, signal }));
    }),
  );
  return { child, ended, exit: () => exit };
}

/** Runs until its token kills it, or until its story has ended and all is calm; then it is asked to stop. */
export async function live(scene: Scene, life: number, token: DeathToken | null): Promise<LifeEnd> {
  const journal = followed(journalPath(scene.dataDir));
  const before = journal()?.runId;
  const { child, ended, exit } = start(scene, life, token);
  const world = worldOf(scene);
  try {
    const began = performance.now();
    const starved = starvation(child.pid);
    const unsettled = await untilCalm(scene, { ...world, before, journal, look: starved.look }, () => exit() !== null);
    if (exit() === null) child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGABRT"), STOPS_WITHIN_MS);
    const { code, signal } = await ended;
    clearTimeout(late);
    if (signal === "SIGKILL" && token) return { how: "killed", problems: [], starvedMs: starved.ms() };
    if (code === 0) return { how: "stopped", problems: unsettled, starvedMs: starved.ms() };
    const afterMs = Math.round(performance.now() - began);
    const what = `life ${life + 1} ended with ${signal ?? `code ${String(code)}`} after ${afterMs} ms: ${lastLine(scene.logFile(life))}`;
    return { how: "failed", problems: [what, ...unsettled], starvedMs: starved.ms() };
  } finally {
    world.stop();
    child.kill("SIGKILL");
  }
}

/** Of the child: its time in the run queue. Of this process: how late its checks run. */
function starvation(pid: number | undefined): { readonly look: () => void; readonly ms: () => number } {
  let [waitedMs, latestMs, lookedMs] = [0, 0, performance.now()];
  const look = (): void => {
    const now = performance.now();
    latestMs = Math.max(latestMs, now - lookedMs - LOOK_EVERY_MS);
    lookedMs = now;
    try {
      waitedMs = Number(readFileSync(`/proc/${String(pid)}/schedstat`, "utf8").split(" ")[1]) / 1e6;
    } catch {
      // It has ended, or this system does not report it: the last reading counts.
    }
  };
  return { look, ms: () => waitedMs + latestMs };
}

interface World {
  /** Starts the events once the story has begun. */
  begin(): void;
  moves(): boolean;
  stop(): void;
}

function worldOf(scene: Scene): World {
  const { events } = scene.story;
  const { scale } = scene.venue.clock;
  // Until the last event is over: a price that is still falling may trigger a stop at any moment.
  const lastsMs = Math.max(0, ...events.map((each) => each.atMs + (each.what === "price" ? each.overMs : 0)));
  let began = Infinity;
  let timers: readonly NodeJS.Timeout[] = [];
  return {
    begin: () => {
      if (began < Infinity) return;
      began = performance.now();
      timers = events.map((each) => setTimeout(() => void happen(scene, each), each.atMs / scale));
    },
    moves: () => events.length > 0 && performance.now() < began + lastsMs / scale,
    stop: () => timers.forEach(clearTimeout),
  };
}

/** What is watched during one run; `before` is the run that wrote before it. */
type Watched = World & {
  readonly before: string | undefined;
  readonly journal: () => JournalBooks | null;
  readonly look: () => void;
};

async function untilCalm(scene: Scene, world: Watched, over: () => boolean): Promise<readonly string[]> {
  const { scale } = scene.venue.clock;
  const began = performance.now();
  const withinMs = CALM_WITHIN.realMs + CALM_WITHIN.venueMs / scale;
  let calmSince: number | null = null;
  for (;;) {
    world.look();
    if (over()) return [];
    const now = performance.now();
    const left = unsettled(scene, world);
    if (left.length > 0) calmSince = null;
    else calmSince ??= now;
    if (calmSince !== null && now - calmSince >= CALM_FOR_MS / scale) return [];
    if (now - began > withinMs) return left.map((what) => `not calm: ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}

function unsettled({ story, venue }: Scene, world: Watched): readonly string[] {
  const ours = world.journal();
  if (!ours?.ready || ours.runId === world.before) return ["the agent is not ready"];
  if (ours.steps > 0) world.begin();
  if (ours.steps < story.steps.length) return [`${ours.steps} of ${story.steps.length} steps are decided`];
  if (world.moves()) return ["the world is still moving"];
  return unrest(venueBooks(atVenue(venue)), ours);
}

async function happen({ venue, story, dataDir }: Scene, event: StoryEvent): Promise<void> {
  if (event.what === "operator") return writeCommand(dataDir, event.command);
  const { move, overMs } = event;
  const symbol = perpSymbol("EXCHANGE_A", story.bases[0] ?? "");
  // The service may already be stopping.
  await fetch(`${venue.service.ready.controlUrl}/price-path`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ symbol, move, overMs }),
  }).catch(() => undefined);
}

const lastLine = (file: string): string =>
  readFileSync(file, "utf8").trim().split("\n").at(-1)?.slice(0, 400) ?? "no word";

export const logFileIn =
  (dir: string) =>
  (life: number): string =>
    path.join(dir, `life-${life + 1}.jsonl`);
