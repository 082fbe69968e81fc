/** The parts of the agent with their ages: what a person looks at first when something seems to stand still. */
import type { CausePart } from "../causes/cause.ts";
import type { StatusReport } from "../daemon/status-report.ts";
import type { DeckPart } from "./shapes.ts";

type Reported = Pick<
  StatusReport,
  "atMs" | "streams" | "streamDetail" | "accountAgeMs" | "lastDecision" | "asksModel" | "model" | "session" | "health"
>;

/** In the order in which they depend on each other: without the market nothing else matters. */
export function partsOf(reported: Reported): readonly DeckPart[] {
  const { atMs, streams, streamDetail, accountAgeMs, lastDecision, asksModel, model, session } = reported;
  const wrong = (...parts: readonly CausePart[]): string =>
    reported.health.causes.find(({ part, severity }) => severity !== "notice" && parts.includes(part))?.sentence ?? "";
  const stream = (name: "market" | "user" | "news"): DeckPart => {
    const up = streams[name] ?? false;
    return { name, up, ageMs: ageOf(streamDetail[name], atMs), note: up ? "" : "not connected" };
  };
  const [account, journal, decisions] = [
    wrong("account", "equity"),
    wrong("journal", "disk"),
    wrong("strategy", "decisions"),
  ];
  const ready = model.models.filter(({ state }) => state === "ready").length;
  return [
    stream("market"),
    stream("user"),
    stream("news"),
    { name: "account", up: accountAgeMs !== null && account === "", ageMs: accountAgeMs, note: account },
    {
      name: "decisions",
      up: decisions === "",
      ageMs: lastDecision && Math.max(0, Math.round(atMs - lastDecision.atMs)),
      note: decisions || (lastDecision ? "" : "none yet"),
    },
    ...(asksModel
      ? [
          {
            name: "model",
            up: ready > 0,
            ageMs: null,
            note: ready > 0 ? "" : wrong("model", "budget") || "none answers",
          },
        ]
      : []),
    { name: "session", up: session?.active ?? false, ageMs: null, note: session?.active ? "" : "none is active" },
    { name: "journal", up: journal === "", ageMs: null, note: journal },
  ];
}

/** Streams report their last frame in a field of the same name; null where none has come. */
function ageOf(detail: unknown, atMs: number): number | null {
  const at = (detail as { readonly lastFrameAtMs?: unknown } | null)?.lastFrameAtMs;
  return typeof at === "number" ? Math.max(0, Math.round(atMs - at)) : null;
}
