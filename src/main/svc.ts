/** The program `svc`. Prints its version, and the prebuilt help and listing, before it loads anything heavier. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fitHelp } from "../core/wrap-text.ts";
import { leaveAtOnce, outliveReaders } from "../ops/closed-pipe.ts";
import { PACKAGE_ROOT } from "../ops/paths.ts";

outliveReaders();
const argv = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(path.join(PACKAGE_ROOT, "package.json"), "utf8")) as { version: string };

/** Written by the build beside the compiled program; null from sources. */
function prebuilt(file: "svc-schema.json" | "svc-help.txt"): string | null {
  if (import.meta.url.endsWith(".ts")) return null;
  try {
    return readFileSync(path.join(PACKAGE_ROOT, "dist", file), "utf8");
  } catch {
    return null;
  }
}

const HELP: ReadonlySet<string> = new Set(["help", "-h", "--help"]);

function quickAnswer(): string | null {
  const only = argv.filter((word) => word !== "--json");
  if (only.length === 1 && (only[0] === "--version" || only[0] === "-v")) return `${version}\n`;
  if (only.length === 1 && HELP.has(only[0] ?? "")) {
    const help = prebuilt("svc-help.txt");
    return help === null ? null : fitHelp(help);
  }
  if (only.length !== 1 || only[0] !== "schema" || only.length === argv.length) return null;
  const listing = prebuilt("svc-schema.json");
  if (listing === null) return null;
  const evidence = [
    { source: "local_check", toolOrCommandEvidence: "svc schema", timestamp: new Date().toISOString() },
  ];
  return `{"ok":true,"status":"PASS","data":${listing},"evidence":${JSON.stringify(evidence)}}\n`;
}

const quick = quickAnswer();
leaveAtOnce();
if (quick !== null) process.stdout.write(quick);
else {
  void import("./svc-program.ts")
    .then(({ svcProgram }) => svcProgram(argv, version))
    .catch((cause: unknown) => {
      const message = cause instanceof Error ? cause.message : String(cause);
      process.stderr.write(`${JSON.stringify({ ok: false, status: "FAIL", code: "RCLI00001", message })}\n`);
      return 1;
    })
    .then((code) => {
      process.exitCode = code;
    });
}
