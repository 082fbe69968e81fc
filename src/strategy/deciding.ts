/** Shared by strategies that ask a model for stances: when there is nothing to ask, and how replies are read. */
import { type ShortNames, shortNames } from "../context/prompt-cells.ts";
import type { Snapshot } from "../context/snapshot.ts";
import { type Citable, citableNow, columnsOf, miscitedIn, reportMiscited, withShown } from "./citations.ts";
import { AnyStances, type Stance, type StanceReply } from "./stances.ts";
import { type Ballots, targetsFrom } from "./stance-targets.ts";
import type { Reply, StrategyAnswer } from "./strategy.ts";
import type { TraderSettings } from "./trader-settings.ts";

const NOTE_CHARS_MAX = 1_200;
const SUMMARY_CHARS_MAX = 600;

/** An answer without the model: the account is unknown, or nothing is held and nothing may be opened. */
export function nothingToAsk({ account, headroom }: Snapshot): StrategyAnswer | null {
  if (!account) return { kind: "abstain", note: "the account is unknown" };
  if (headroom.mayOpen || account.positions.length > 0) return null;
  return { kind: "targets", targets: [], note: `no question: nothing is held and ${headroom.reason}` };
}

/** Whose samples are read, on which snapshot. */
export interface DecidedBy {
  readonly strategy: string;
  readonly snapshot: Snapshot;
  readonly settings: TraderSettings;
}

/** An answer about some symbols only. */
export interface PartialReply {
  readonly reply: Reply;
  readonly symbols: readonly string[];
}

/** Targets from the samples of the deciding question, and from answers about some symbols. */
export function decided(
  replies: readonly Reply[],
  { strategy, snapshot, settings }: DecidedBy,
  partial: readonly PartialReply[] = [],
): StrategyAnswer {
  const known: Known = {
    names: shortNames(snapshot.symbols.map(({ symbol }) => symbol)),
    now: citableNow(columnsOf(settings), snapshot),
  };
  const read = replies.flatMap((reply) => (reply.kind === "answered" ? [stancesIn(reply.value, known)] : []));
  const parts = partial.flatMap(({ reply, symbols }) =>
    reply.kind === "answered" ? [{ ballot: stancesIn(reply.value, known).stances, symbols }] : [],
  );
  const given: Ballots = {
    ballots: read.map(({ stances }) => stances),
    asked: replies.length,
    partial: parts,
    strategy,
  };
  const { targets, dropped, calibration } = targetsFrom(given, snapshot, settings);
  const miscited = miscitedIn([...given.ballots, ...parts.map(({ ballot }) => ballot)].flat());
  const words = [read[0]?.summary.slice(0, SUMMARY_CHARS_MAX) ?? ""];
  if (replies.length > 1) words.push(`(${read.length} of ${replies.length} samples answered)`);
  if (dropped.length > 0) words.push(`(dropped: ${dropped.join("; ")})`);
  if (miscited.length > 0) words.push(`(cited but not shown: ${miscited.map(({ name }) => name).join(", ")})`);
  if (calibration.trusted) words.push(`(conviction counts: skill ${(calibration.skill ?? 0).toFixed(2)})`);
  const note = words.join(" ").slice(0, NOTE_CHARS_MAX);
  return { kind: "targets", targets, note, ...reportMiscited(miscited) };
}

/** What the present snapshot says of the names in a reply. */
interface Known {
  readonly names: ShortNames;
  /** What may be cited, for replies that were recorded before their questions checked it. */
  readonly now: Citable;
}

/** With canonical symbols, and evidence that was shown, whichever names the prompt uses. */
function stancesIn(value: unknown, { names, now }: Known): StanceReply {
  const read = AnyStances.safeParse(value);
  if (read.success) {
    const stances = read.data.stances.map((stance: Stance) => ({
      ...(stance.notShown ? stance : withShown(now)(stance)),
      symbol: names.symbolOf(stance.symbol) ?? stance.symbol,
    }));
    return { ...read.data, stances };
  }
  throw new TypeError(`the reply does not have the required form: ${read.error.issues[0]?.message ?? ""}`);
}
