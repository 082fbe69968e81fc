/** `ballast verify`: judges a journal, with what the venue and the model gateway recorded, by every invariant. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { parseSpan } from "../../core/time.ts";
import type { VerifyOptions } from "../../faces/cli/verify-command.ts";
import { listArchives } from "../../journal/archives.ts";
import { openSqliteReader, type SqlRow } from "../../journal/sqlite.ts";
import { type Given, historyOf } from "../../verify/read.ts";
import { reportText } from "../../verify/report.ts";
import { verify } from "../../verify/verify.ts";
import { EXIT } from "../exit-codes.ts";

export function verifyProgram(options: VerifyOptions): Promise<number> {
  const missing = filesIn(options).find((file) => !existsSync(file));
  if (missing !== undefined) return refuse(`there is no ${missing}`, EXIT.usage);
  try {
    const history = historyOf(givenBy(options));
    if (!history.ok) return refuse(history.error, EXIT.usage);
    const verification = verify(history.value);
    process.stdout.write(options.format === "json" ? `${JSON.stringify(verification)}\n` : reportText(verification));
    return Promise.resolve(verification.violated > 0 ? EXIT.failed : EXIT.ok);
  } catch (cause) {
    return refuse(cause instanceof Error ? cause.message : String(cause), EXIT.journal);
  }
}

const filesIn = ({
  journal,
  ledger,
  wire,
  modelLedger,
  sinks,
  secrets,
  twin,
  same,
}: VerifyOptions): readonly string[] =>
  [journal, ledger, wire, modelLedger, sinks, secrets, twin, same].filter((file) => file !== undefined);

function givenBy(options: VerifyOptions): Given {
  const { journal, ledger, wire, modelLedger, sinks, secrets, twin, same, skew } = options;
  const content = (file: string): string => readFileSync(file, "utf8");
  const tail = tailFile(journal);
  return {
    rows: rowsOf(journal),
    tail: existsSync(tail) ? content(tail) : { missing: true },
    ...(wire === undefined ? {} : { wire: content(wire) }),
    ...(ledger === undefined ? {} : { venue: content(ledger) }),
    ...(modelLedger === undefined ? {} : { charges: content(modelLedger) }),
    ...(sinks === undefined ? {} : { sinks: sinksIn(sinks) }),
    ...(secrets === undefined ? {} : { secrets: content(secrets) }),
    ...(twin === undefined ? {} : { twin: rowsOf(twin) }),
    ...(same === undefined ? {} : { same: rowsOf(same) }),
    skewMs: parseSpan(skew) ?? 0,
  };
}

/** The table as it lies in the file; what its columns mean is decoded by the verifier itself. */
function rowsOf(file: string): readonly SqlRow[] {
  const rows: SqlRow[] = [];
  // Archived rows come first; a row that is being moved lies in both files for a moment and counts once.
  for (const part of [...listArchives(file).map((archive) => archive.file), file]) {
    const db = openSqliteReader(part);
    try {
      for (const row of db.all("SELECT * FROM rows WHERE seq > ? ORDER BY seq", Number(rows.at(-1)?.["seq"] ?? 0)))
        rows.push(row);
    } finally {
      db.close();
    }
  }
  return rows;
}

/** `journal.tail` beside `journal.db`. */
function tailFile(journal: string): string {
  const { dir, name } = path.parse(journal);
  return path.join(dir, `${name}.tail`);
}

/** Every file below the folder, by its path in it. */
const sinksIn = (dir: string): NonNullable<Given["sinks"]> =>
  readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(path.join(dir, name)).isFile())
    .sort()
    .map((name) => ({ name, content: readFileSync(path.join(dir, name), "utf8") }));

function refuse(message: string, code: number): Promise<number> {
  process.stderr.write(`ballast: ${message}\n`);
  return Promise.resolve(code);
}
