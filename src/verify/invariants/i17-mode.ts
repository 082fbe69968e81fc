import { text } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView, outcomeOf, type Write } from "../journal-view.ts";
import { hedgeAt } from "../venue-view.ts";
import type { Row } from "../rows.ts";
import { matchedFrames } from "../wire-match.ts";

/** I17: an order names its position side in hedge mode and in no other; also compared with the venue's own mode. */
export const i17: Invariant = {
  id: "I17",
  title: "Mode",
  rule: "An order names its position exactly when the position mode read in this run is hedge; the venue's own mode, where it is given, agrees. The mode comes with each reading of the account.",
  needs: [],
  more: ["wire log", "venue ledger"],
  unseen: "",
  judge: (history) => [
    ...journalView(history).writes.flatMap((write) => rowProblems(history, write)),
    ...atVenue(history),
  ],
};

const namesSide = (side: string | null): boolean => side === "LONG" || side === "SHORT";

function rowProblems(history: History, write: Write): readonly Finding[] {
  const { row, action, params, seen } = write;
  if (action !== "order.place" || outcomeOf(write) === "not-sent") return [];
  const unread = wasRead(history, write)
    ? []
    : [finding(row.seq, `an order left before the mode was read in run ${row.runId}`)];
  const hedge = seen?.["hedgeMode"];
  if (typeof hedge !== "boolean")
    return write.opening ? [...unread, finding(row.seq, "an opening order left without a mode that was read")] : unread;
  if (namesSide(text(params, "positionSide")) === hedge) return unread;
  return [
    ...unread,
    finding(row.seq, `positionSide ${text(params, "positionSide") ?? "absent"} in ${hedge ? "hedge" : "one-way"} mode`),
  ];
}

/** A run that still compares its orders and positions with the venue's has read the account: its age says when. */
function wasRead(history: History, { row, seen }: Write): boolean {
  const { kinds } = journalView(history);
  const ofRun = ({ runId, seq }: Row): boolean => runId === row.runId && seq < row.seq;
  const ageMs = seen?.["accountAgeMs"];
  const begun = kinds("boot").find(ofRun);
  if (begun && typeof ageMs === "number" && ageMs <= row.monoMs - begun.monoMs) return true;
  return kinds("reconcile").some((candidate) => ofRun(candidate) && candidate.body["event"] === "complete");
}

function atVenue(history: History): readonly Finding[] {
  if (!history.venue) return [];
  return matchedFrames(history).flatMap(({ frame, action, write }) => {
    const symbol = text(frame.params, "sym") ?? "";
    const hedge = action === "order.place" ? hedgeAt(history, symbol, frame.atMs) : null;
    if (typeof hedge !== "boolean" || namesSide(text(frame.params, "positionSide")) === hedge) return [];
    const side = text(frame.params, "positionSide") ?? "absent";
    return [
      finding(
        write?.row.seq ?? null,
        `frame ${frame.seq}: positionSide ${side}, the account is in ${hedge ? "hedge" : "one-way"} mode`,
      ),
    ];
  });
}
