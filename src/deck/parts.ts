/** The parts of the agent with their ages: what a person looks at first when something seems to stand still. */
import type { CausePart } from "../causes/cause.ts";
import type { StatusReport } from "../daemon/status-report.ts";
import type { DeckPart } from "./shapes.ts";

type Reported = Pick<
  StatusReport,
  | "atMs"
  | "streams"
  | "streamDetail"
  | "accountAgeMs"
  | "lastDecision"
  | "asksModel"
  | "model"
  | "session"
  | "sessionAgeMs"
  | "health"
>;

/**
 * In the order in which they depend on each other: without the market nothing else matters. `writtenAtMs` is the instant of the
 * journal's newest row.
 */
export function partsOf(reported: Reported, writtenAtMs: number | null): readonly DeckPart[] {
  const { atMs, streams, streamDetail, accountAgeMs, lastDecision, asksModel, model, session, sessionAgeMs } = reported;
  const since = (at: number | null | undefined): number | null =>
    typeof at === "number" ? Math.max(0, Math.round(atMs - at)) : null;
  const wrong = (...parts: readonly CausePart[]): string =>
    reported.health.causes.find(({ part, severity }) => severity !== "notice" && parts.includes(part))?.sentence ?? "";
  const stream = (name: "market" | "user" | "news"): DeckPart => {
    const up = streams[name] ?? false;
    return { name, up, ageMs: since(lastFrameOf(streamDetail[name])), note: up ? "" : "not connected" };
  };
  const [account, journal, decisions] = [
    wrong("account", "equity"),
    wrong("journal", "disk"),
    wrong("strategy", "decisions"),
  ];
  const ready = model.models.filter(({ state }) => state === "ready").length;
  const answers = model.models.flatMap(({ answeredAtMs }) => answeredAtMs ?? []);
  const answeredAtMs = answers.length > 0 ? Math.max(...answers) : null;
  return [
    stream("market"),
    stream("user"),
    stream("news"),
    { name: "account", up: accountAgeMs !== null && account === "", ageMs: accountAgeMs, note: account },
    {
      name: "decisions",
      up: decisions === "",
      ageMs: since(lastDecision?.atMs),
      note: decisions || (lastDecision ? "" : "none yet"),
    },
    ...(asksModel
      ? [
          {
            name: "model",
            up: ready > 0,
            ageMs: since(answeredAtMs),
            note: ready > 0 ? "" : wrong("model", "budget") || "none answers",
          },
        ]
      : []),
    {
      name: "session",
      up: session?.active ?? false,
      ageMs: sessionAgeMs,
      note: session?.active ? "" : "none is active",
    },
    { name: "journal", up: journal === "", ageMs: since(writtenAtMs), note: journal },
  ];
}

/** Streams report their last frame in a field of the same name; null where none has come. */
function lastFrameOf(detail: unknown): number | null {
  const at = (detail as { readonly lastFrameAtMs?: unknown } | null)?.lastFrameAtMs;
  return typeof at === "number" ? at : null;
}
