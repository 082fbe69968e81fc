/** `ballast verify`: judges a journal, with what the venue and the model gateway recorded, by every invariant. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { VerifyOptions } from "../faces/cli/verify-command.ts";
import { listArchives } from "../journal/archives.ts";
import { openSqliteReader, type SqlRow } from "../journal/sqlite.ts";
import { type HistoryInput, historyOf } from "../verify/read.ts";
import { reportText } from "../verify/report.ts";
import { verify } from "../verify/verify.ts";
import { variable } from "../control/environment.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { practiceDir, practiceSecrets, recordFilesIn } from "../daemon/practice-record.ts";
import { coveredRuns } from "../daemon/practice-state.ts";
import { journalPath } from "../ops/run-file.ts";
import { dataDirOf } from "../control/running-agent.ts";

/** Environment variables whose values no output may contain. */
const SECRETS = ["SVC_ACCESS_KEY", "SVC_SECRET_KEY", "AI_API_KEY", "BALLAST_STATUS_TOKEN"] as const;

/** Exit code 1 for a violation, 2 for absent or malformed evidence, 4 for an unreadable file. */
export function verifyProgram(given: VerifyOptions): Promise<number> {
  const options = { ...given, journal: given.journal ?? journalPath(dataDirOf(given)) };
  const missing = filesIn(options).find((file) => !existsSync(file));
  if (missing !== undefined) return refuse(`there is no ${missing}`, EXIT.usage);
  try {
    const rows = rowsOf(options.journal);
    const history = historyOf({ rows, ...givenBy(besidePractice(options, rows)) });
    if (!history.ok) return refuse(history.error, EXIT.usage);
    const verification = verify(history.value);
    process.stdout.write(options.format === "json" ? `${JSON.stringify(verification)}\n` : reportText(verification));
    return Promise.resolve(verification.violated > 0 ? EXIT.failed : EXIT.ok);
  } catch (cause) {
    return refuse(cause instanceof Error ? cause.message : String(cause), EXIT.journal);
  }
}

type Options = VerifyOptions & { readonly journal: string };

function filesIn(options: Options): readonly string[] {
  const { journal, ledger, wire, modelLedger, sinks, secrets, hashes, twin, same, log, mcpStdout, http } = options;
  const single = [journal, ledger, wire, modelLedger, sinks, secrets, hashes, twin, same];
  return [...single, ...(log ?? []), ...(mcpStdout ?? []), ...(http ?? [])].filter((file) => file !== undefined);
}

/** The embedded venue's records beside the journal; they count only if they cover all runs of the journal. */
function besidePractice(options: Options, rows: readonly SqlRow[]): Options {
  const dataDir = path.dirname(options.journal);
  const files = recordFilesIn(practiceDir(dataDir));
  const { wire, ledger, modelLedger } = options;
  if (wire ?? ledger ?? modelLedger ?? !existsSync(files.venueLogFile)) return options;
  const covered = new Set<unknown>(coveredRuns(dataDir));
  const starts = [...new Set(rows.map((row) => row["boot"]))];
  const before = starts.filter((run) => !covered.has(run)).length;
  if (before > 0) {
    process.stderr.write(
      `ballast: ${practiceDir(dataDir)} lacks ${before} of the ${starts.length} runs of this journal and is ignored. A new era (ballast run --fresh) is recorded completely\n`,
    );
    return options;
  }
  return {
    ...options,
    wire: files.wireLogFile,
    ledger: files.venueLogFile,
    modelLedger: files.modelLogFile,
    ...(options.secrets === undefined && existsSync(practiceSecrets(dataDir))
      ? { secrets: practiceSecrets(dataDir) }
      : {}),
  };
}

function givenBy(options: Options): Omit<HistoryInput, "rows"> {
  const { journal, ledger, wire, modelLedger, hashes, twin, same, skew, phaseTwo } = options;
  const content = (file: string): string => readFileSync(file, "utf8");
  const tail = tailFile(journal);
  const sinks = sinksOf(options);
  const secrets = secretsOf(options);
  return {
    tail: existsSync(tail) ? content(tail) : { missing: true },
    ...(wire === undefined ? {} : { wire: content(wire) }),
    ...(ledger === undefined ? {} : { venue: content(ledger) }),
    ...(modelLedger === undefined ? {} : { charges: content(modelLedger) }),
    ...(sinks.length === 0 ? {} : { sinks }),
    ...(secrets === "" ? {} : { secrets }),
    ...(hashes === undefined ? {} : { hashes: content(hashes) }),
    ...(twin === undefined ? {} : { twin: rowsOf(twin) }),
    ...(same === undefined ? {} : { same: rowsOf(same) }),
    ...(phaseTwo === undefined ? {} : { phaseTwoMs: phaseTwo }),
    skewMs: skew,
  };
}

/** The secrets of the file, and those in this shell's environment. */
function secretsOf({ secrets }: Options): string {
  const known = SECRETS.flatMap((name) => {
    const found = variable(process.env, name);
    return found.ok && found.value !== null ? [found.value] : [];
  });
  return [...(secrets === undefined ? [] : [readFileSync(secrets, "utf8")]), ...known].join("\n");
}

/** The raw rows of the table; the verifier decodes the columns itself. */
function rowsOf(file: string): readonly SqlRow[] {
  const rows: SqlRow[] = [];
  // Archived rows come first; a row that is being moved is in both files for a moment and counts once.
  for (const part of [...listArchives(file).map((archive) => archive.file), file]) readInto(rows, part);
  return rows;
}

/** Throws with the file's name, because several journals are read and the driver names none. */
function readInto(rows: SqlRow[], part: string): void {
  try {
    const db = openSqliteReader(part);
    try {
      for (const row of db.all("SELECT * FROM rows WHERE seq > ? ORDER BY seq", Number(rows.at(-1)?.["seq"] ?? 0)))
        rows.push(row);
    } finally {
      db.close();
    }
  } catch (cause) {
    throw new Error(`${part} cannot be read as a journal: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** `journal.tail` beside `journal.db`. */
function tailFile(journal: string): string {
  const { dir, name } = path.parse(journal);
  return path.join(dir, `${name}.tail`);
}

type Sinks = NonNullable<HistoryInput["sinks"]>;

/** Gives the named files the suffixes by which the invariants recognise them. */
function sinksOf({ sinks, log, mcpStdout, http }: Options): Sinks {
  const named = (files: readonly string[] | undefined, ending: string): Sinks =>
    (files ?? []).map((file) => ({ name: `${file}${ending}`, content: readFileSync(file, "utf8") }));
  const below = sinks === undefined ? [] : sinksIn(sinks);
  return [...below, ...named(log, ""), ...named(mcpStdout, ".mcp-stdout"), ...named(http, ".http.jsonl")];
}

/** Every file below the folder, by its path in it. */
const sinksIn = (dir: string): Sinks =>
  readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(path.join(dir, name)).isFile())
    .sort()
    .map((name) => ({ name, content: readFileSync(path.join(dir, name), "utf8") }));

function refuse(message: string, code: number): Promise<number> {
  process.stderr.write(`ballast: ${message}\n`);
  return Promise.resolve(code);
}
