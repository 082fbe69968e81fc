/** The activity feed: decisions and orders as they come, why nothing was opened, and the log. */
import { useMemo, useState } from "preact/hooks";
import type { DeckLogLine, DeckRow, DeckWhyNot } from "../../deck/shapes.ts";
import { Decisions } from "./decisions.tsx";
import { prose, timeOfDay } from "../parts/format.ts";
import { usePolled } from "./live.ts";

const KINDS = {
  decisions: [],
  orders: ["order", "fill", "position", "trade", "protection", "intent"],
  commands: ["operator", "switch", "floor", "boot", "stop"],
} as const;
type View = keyof typeof KINDS;

const SHOWN = 60;

type OnStory = (decisionId: string, why?: boolean) => void;

export function Feed({ rows, onStory }: { readonly rows: readonly DeckRow[]; readonly onStory: OnStory }) {
  const [view, setView] = useState<View>("decisions");
  return (
    <section aria-labelledby="feed">
      <h2 id="feed">Decisions</h2>
      <div class="tabs" role="group" aria-label="Kinds of events">
        {(Object.keys(KINDS) as View[]).map((name) => (
          <button type="button" key={name} aria-pressed={name === view} onClick={() => setView(name)}>
            {name}
          </button>
        ))}
      </div>
      <div class="panel feed" tabIndex={0} role="region" aria-label="Events, newest first">
        {view === "decisions" ? (
          <Decisions rows={rows} onStory={onStory} />
        ) : (
          <Rows kinds={KINDS[view]} {...{ rows, onStory }} />
        )}
      </div>
    </section>
  );
}

interface RowsProps {
  readonly rows: readonly DeckRow[];
  readonly kinds: readonly string[];
  readonly onStory: OnStory;
}

function Rows({ rows, kinds, onStory }: RowsProps) {
  const shown = useMemo(
    () =>
      rows
        .filter(({ kind }) => kinds.includes(kind))
        .slice(-SHOWN)
        .reverse(),
    [rows, kinds],
  );
  if (shown.length === 0) return <p class="quiet">Nothing yet.</p>;
  return (
    <ol>
      {shown.map(({ seq, atMs, kind, text, decisionId }) => (
        <li key={seq}>
          <time dateTime={new Date(atMs).toISOString()}>{timeOfDay(atMs)}</time>
          <span class="kind">{kind}</span>
          <span class="text">
            {prose(text)}
            {decisionId ? (
              <button type="button" class="plain" onClick={() => onStory(decisionId, true)}>
                why
              </button>
            ) : null}
          </span>
        </li>
      ))}
    </ol>
  );
}

const WHY_EVERY_MS = 20_000;

export function WhyNothing({ onStory }: { readonly onStory: OnStory }) {
  const groups = usePolled<readonly DeckWhyNot[]>("/deck/why-not", WHY_EVERY_MS);
  return (
    <section aria-labelledby="why-not">
      <h2 id="why-not">Why no trade, last hour</h2>
      <div class="panel">
        {groups === null ? <p class="quiet">Reading.</p> : null}
        {groups?.length === 0 ? (
          <p class="quiet">Every decision of the last hour opened something, or there was none.</p>
        ) : null}
        <ul class="groups">
          {groups?.map(({ outcome, reason, count, decisionIds }) => (
            <li key={`${outcome} ${reason}`}>
              <strong>{count}×</strong> {outcome.replace("-", " ")}
              {reason ? `: ${prose(reason)}` : ""}{" "}
              {decisionIds[0] ? (
                <button type="button" class="plain" onClick={() => onStory(decisionIds[0] ?? "")}>
                  story
                </button>
              ) : null}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

const LEVELS = ["debug", "info", "warn", "error"];

export function Log({ lines }: { readonly lines: readonly DeckLogLine[] }) {
  const [wanted, setWanted] = useState("");
  const [least, setLeast] = useState("info");
  const shown = useMemo(() => {
    const text = wanted.toLowerCase();
    return lines
      .filter(
        ({ level, evt, msg }) =>
          LEVELS.indexOf(level) >= LEVELS.indexOf(least) && `${evt} ${msg}`.toLowerCase().includes(text),
      )
      .slice(-SHOWN)
      .reverse();
  }, [lines, wanted, least]);
  return (
    <section aria-labelledby="log">
      <h2 id="log">Log</h2>
      <div class="tabs">
        <label>
          Filter <input type="search" value={wanted} onInput={({ currentTarget }) => setWanted(currentTarget.value)} />
        </label>
        <label>
          From level{" "}
          <select value={least} onChange={({ currentTarget }) => setLeast(currentTarget.value)}>
            {LEVELS.map((level) => (
              <option key={level}>{level}</option>
            ))}
          </select>
        </label>
      </div>
      <div class="panel feed" tabIndex={0} role="region" aria-label="Log lines, newest first">
        {shown.length === 0 ? <p class="quiet">No line fits.</p> : null}
        <ol>
          {shown.map(({ time, level, evt, msg }, at) => (
            <li key={`${time} ${evt} ${at}`}>
              <time dateTime={time}>{timeOfDay(Date.parse(time))}</time>
              <span class={`kind ${level === "error" ? "loss" : level === "warn" ? "warn" : ""}`}>{evt}</span>
              <span class="text">{prose(msg)}</span>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
