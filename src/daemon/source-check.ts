/**
 * Reads the text of each of the owner's sources once, before anything runs: a running agent goes on without a source at fault,
 * so that a check is where its owner hears of a missing file. An address is not asked.
 */
import type { PlannedSource } from "../control/sources.ts";
import { counted } from "../core/words.ts";
import { readSourcePoints } from "../recorder/source-playback.ts";
import { pointProblem } from "../strategy/source-gate.ts";
import { pointsInFile } from "./polled-source.ts";

/** What is wrong with one source: an error if it gives nothing, a warning if it gives less than its file has. */
export interface SourceFinding {
  readonly severity: "error" | "warning";
  /** As the configuration names it: `sources.flows.file`. */
  readonly path: string;
  /** Names the strategy, the source, the file and what to do next. */
  readonly message: string;
}

/** `strategy` is the one that the configuration uses, or that is tried. */
export const sourceFindings = (planned: readonly PlannedSource[], strategy: string): readonly SourceFinding[] =>
  planned.flatMap((plan) => {
    const text = textOf(plan);
    const fault = text && faultOf(text);
    if (text === null || fault === null) return [];
    const { severity, reason, next } = fault;
    const lack = `source ${plan.name} gives strategy ${strategy} ${severity === "error" ? "no data" : "not all data"}`;
    const message = `${lack}: ${text.file} ${reason}; ${next}`;
    return [{ severity, path: `sources.${plan.name}.${text.setting}`, message }];
  });

/** The text of a source that lies in a file, and what to do if it has no points. */
interface SourceText {
  readonly setting: "file" | "recording";
  readonly file: string;
  readonly repair: string;
  /** `unsound` counts lines of a recording that are no points. Throws why there are none. */
  read(): { readonly points: unknown; readonly unsound: number };
}

/** Null for an address. */
function textOf(plan: PlannedSource): SourceText | null {
  const { name } = plan;
  if (plan.kind === "played")
    return {
      ...{ setting: "recording", file: plan.path, repair: "correct it by docs/DATA-FORMAT.md, or record it again" },
      read: () => readSourcePoints(plan.path, name),
    };
  const { origin, reader } = plan;
  if (origin.kind === "url") return null;
  return {
    ...{ setting: "file", file: origin.path, repair: `correct it, or the function read of source ${name}` },
    read: () => ({ points: pointsInFile(origin.path, reader), unsound: 0 }),
  };
}

type Fault = Pick<SourceFinding, "severity"> & { readonly reason: string; readonly next: string };

function faultOf({ repair, read }: SourceText): Fault | null {
  const error = (reason: string, next = repair): Fault => ({ severity: "error", reason, next });
  try {
    const { points, unsound } = read();
    if (!Array.isArray(points)) return error("was not read as a list of points");
    const problems = points.flatMap((point) => pointProblem(point) ?? []);
    const bad = problems.length + unsound;
    const why = problems[0] ?? "a line that is no point";
    if (problems.length < points.length)
      return bad === 0
        ? null
        : { severity: "warning", reason: `has ${counted(bad, "malformed point")} (${why})`, next: repair };
    return bad > 0 ? error(`has no valid point (${why})`) : error("has no points", "write points to it");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return error("does not exist", "create it, or give another path");
    return code === undefined
      ? error(`cannot be parsed (${message})`)
      : error(`cannot be read (${code})`, "make it a readable file, or give another path");
  }
}
