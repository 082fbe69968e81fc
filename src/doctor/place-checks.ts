/** What this machine offers: Node, the data folder, its disk, the status port, and the owner's own files. */
import { accessSync, constants, existsSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import type { Config, VenueKind } from "../config/config.ts";
import { type JournalReader, readJournal } from "../journal/reader.ts";
import { loadPrompts } from "../llm/prompts/prompts.ts";
import { Secret } from "../core/secret.ts";
import { pinned, pinOf, pinProblem } from "../control/account-pin.ts";
import { consentGap, type ConsentVenue } from "../control/consent-gap.ts";
import { diskFacts } from "../ops/disk-watch.ts";
import type { Environment } from "../control/environment.ts";
import { wasLive } from "../control/go-live.ts";
import { OWN_PROMPTS_DIR, PROMPTS_DIR } from "../ops/paths.ts";
import { journalPath, readRunCard } from "../ops/run-file.ts";
import { planNotifications } from "../control/notifications.ts";
import { loadSources } from "../control/sources.ts";
import { loadStrategies, strategyFaults } from "../control/strategies.ts";
import { type DoctorCheck, fail, pass, type CheckVerdict, warn } from "./check.ts";

/** Nothing is sent: `ballast notify --test` does that. */
function notifications({ notifications: settings }: Config): CheckVerdict {
  const { targets, problems } = planNotifications(settings, process.env);
  if (problems.length > 0)
    return warn(problems.join("; "), "these targets receive nothing; try the others with ballast notify --test");
  return pass(
    targets.length === 0 ? "none configured" : `${targets.length} ready; try them with ballast notify --test`,
  );
}

const NODE_MAJOR = 20;
const DISK_WARN_BYTES = 1_073_741_824;

export const placeChecks = (config: Config, environment: Environment, venue: ConsentVenue): readonly DoctorCheck[] => [
  { id: "node", title: "Node", run: node },
  { id: "data-folder", title: "data folder", run: () => dataFolder(environment.dataDir) },
  { id: "account", title: "account of the folder", run: () => account(config.venue.kind, environment) },
  { id: "disk", title: "disk", run: () => disk(nearest(environment.dataDir), environment.dataDir) },
  { id: "port", title: "status port", run: () => port(config.status, environment.dataDir) },
  { id: "notifications", title: "notifications", run: () => notifications(config) },
  { id: "strategies", title: "strategies and prompts", run: () => ownFiles(config) },
  {
    id: "consent",
    title: "consent",
    run: () => {
      const gap = consentGap(config.session, venue);
      return gap === null
        ? pass("covers this venue and the caps")
        : warn(gap, "until then the agent watches and opens nothing");
    },
  },
  { id: "live", title: "leave to trade", run: () => leave(config.session, venue, environment.dataDir) },
];

/** The first write on an account needs `--live` or `session.live` besides the consent; the data folder then remembers it. */
function leave({ live }: Config["session"], venue: ConsentVenue, dataDir: string): CheckVerdict {
  if (venue.kind === "embedded") return pass("not needed to practise");
  if (live) return pass("session.live is true");
  return withJournal(dataDir, (journal) =>
    journal !== null && wasLive(journal, venue.host)
      ? pass(`${dataDir} has it`)
      : warn(`none for ${venue.host} in ${dataDir}: the agent only watches`, "start it once with ballast run --live"),
  );
}

/** A start on the folder of another account is refused; a renewed key is for the venue to judge. */
const account = (kind: VenueKind, { dataDir, service }: Environment): CheckVerdict =>
  withJournal(dataDir, (journal) => {
    const before = journal && pinned(journal);
    if (!before) return pass("none yet");
    const access = service ?? { restUrl: "http://missing.invalid", accessKey: new Secret("") };
    const problem = pinProblem(before, pinOf(kind, access));
    return problem === null ? pass("the one of these settings") : fail(problem, "use --data-dir");
  });

function withJournal<T>(dataDir: string, look: (journal: JournalReader | null) => T): T {
  const file = journalPath(dataDir);
  const journal = existsSync(file) ? readJournal(file) : null;
  try {
    return look(journal);
  } finally {
    journal?.close();
  }
}

const node = (): CheckVerdict =>
  Number(process.versions.node.split(".")[0]) >= NODE_MAJOR
    ? pass(process.version)
    : fail(`${process.version} is too old`, `install Node ${NODE_MAJOR} or later`);

/** The folder itself, or its nearest parent that exists: nothing is created here. */
const nearest = (dir: string): string => {
  let at = path.resolve(dir);
  while (!existsSync(at) && path.dirname(at) !== at) at = path.dirname(at);
  return at;
};

function dataFolder(dir: string): CheckVerdict {
  const at = nearest(dir);
  try {
    accessSync(path.join(at, "."), constants.W_OK | constants.X_OK);
    return pass(existsSync(dir) ? `${dir} can be written` : `${dir} does not exist yet and can be created`);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    return fail(`${dir} cannot be written (${code} at ${at})`, "name another with --data-dir, or change its rights");
  }
}

function disk(at: string, dataDir: string): CheckVerdict {
  const { freeBytes } = diskFacts(at, journalPath(dataDir));
  const text = `${(freeBytes / DISK_WARN_BYTES).toFixed(1)} GiB free`;
  return freeBytes < DISK_WARN_BYTES ? warn(text, "make room: a full disk stops openings") : pass(text);
}

/** The agent that runs on this folder may hold the port. */
async function port({ host, port: wanted }: Config["status"], dataDir: string): Promise<CheckVerdict> {
  const server = createServer();
  const refused = await new Promise<string | null>((resolve) => {
    server.once("error", (cause: NodeJS.ErrnoException) => resolve(cause.code ?? cause.message));
    server.listen(wanted, host, () => server.close(() => resolve(null)));
  });
  if (refused === null) return pass(wanted === 0 ? "a free one is taken" : `${host}:${wanted} is free`);
  const card = readRunCard(dataDir);
  if (card && new URL(card.statusUrl).port === String(wanted)) return pass(`${host}:${wanted} is our running agent's`);
  return warn(
    `${host}:${wanted} cannot be listened on (${refused})`,
    "set another status.port; trading continues without it",
  );
}

async function ownFiles(config: Config): Promise<CheckVerdict> {
  const strategies = await loadStrategies(config);
  if (!strategies.ok) return fail(strategies.error, "see `ballast strategy list`");
  const sources = await loadSources(config);
  if (!sources.ok) return fail(sources.error, "see docs/STRATEGIES.md, data of your own");
  const prompts = loadPrompts(PROMPTS_DIR, OWN_PROMPTS_DIR);
  if (!prompts.ok) return fail(prompts.error, "repair the file, or install again");
  const [fault] = [...prompts.value.faults, ...(await strategyFaults())];
  return fault === undefined ? pass(`${config.strategy.use} loads`) : warn(fault, "it alone is left out");
}
