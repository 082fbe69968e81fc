/** Formats a verification for people. */
import type { Judged, Verification } from "./verify.ts";
import { counted } from "../core/words.ts";

/** Findings printed per invariant; the rest is counted. JSON contains all of them. */
const SHOWN = 20;

/** One line per invariant; a violated one also shows its rule and findings. */
export function reportText({ rows, violated, notJudged, invariants }: Verification): string {
  const held = invariants.length - violated - notJudged;
  const summary = `${counted(rows, "row")}, ${counted(invariants.length, "invariant")}: ${held} held, ${violated} violated, ${notJudged} not judged.`;
  return [...invariants.flatMap(lines), "", summary, ""].join("\n");
}

function lines({ id, title, rule, verdict, without }: Judged): readonly string[] {
  const head = `${id.padEnd(4)}${title.padEnd(26)}`;
  switch (verdict.kind) {
    case "held":
      return [`${head}held${without.length > 0 ? ` (seen without the ${without.join(" and the ")})` : ""}`];
    case "not judged":
      return [`${head}not judged: ${verdict.why}`];
    case "violated": {
      const { findings } = verdict;
      const shown = findings
        .slice(0, SHOWN)
        .map(({ seq, what }) => `      ${seq === null ? "" : `row ${seq}: `}${what}`);
      const more = findings.length > SHOWN ? [`      and ${findings.length - SHOWN} more`] : [];
      return [`${head}VIOLATED, ${counted(findings.length, "time")}`, `      rule: ${rule}`, ...shown, ...more];
    }
  }
}
