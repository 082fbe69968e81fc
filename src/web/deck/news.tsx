/** News that the agent has seen, how old it is, and which decisions cite it. */
import { useMemo } from "preact/hooks";
import type { DeckRow } from "../../deck/shapes.ts";
import { prose, span, timeOfDay } from "../parts/format.ts";

const SHOWN = 30;
/** A row begins with the key of its item. */
const KEY = /^(news|hot|featured):\S+: /;

interface Props {
  readonly rows: readonly DeckRow[];
  readonly atMs: number;
  readonly onStory: (decisionId: string) => void;
}

interface Item {
  readonly seq: number;
  readonly atMs: number;
  readonly text: string;
  /** Decisions that cite it, with their times. */
  readonly citedBy: readonly (readonly [string, number])[];
}

export function News({ rows, atMs, onStory }: Props) {
  const items = useMemo(() => itemsOf(rows), [rows]);
  return (
    <section aria-labelledby="news">
      <h2 id="news">News seen</h2>
      <div class="panel feed short" tabIndex={0} role="region" aria-label="News, newest first">
        {items.length === 0 ? <p class="quiet">None among the newest events.</p> : null}
        <ol>
          {items.map((item) => (
            <li key={item.seq}>
              <span class="kind">{span(atMs - item.atMs)}</span>
              <span class="text">
                {prose(item.text)}
                {item.citedBy.slice(-3).map(([id, citedMs]) => (
                  <button type="button" class="plain" key={id} onClick={() => onStory(id)}>
                    cited {timeOfDay(citedMs).slice(0, 5)}
                  </button>
                ))}
              </span>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function itemsOf(rows: readonly DeckRow[]): readonly Item[] {
  const cited = new Map<string, Map<string, number>>();
  for (const { kind, news, decisionId, atMs } of rows)
    if (kind === "decision" && decisionId !== null)
      for (const key of news ?? []) cited.set(key, (cited.get(key) ?? new Map<string, number>()).set(decisionId, atMs));
  return rows
    .filter(({ kind }) => kind === "news")
    .slice(-SHOWN)
    .reverse()
    .map(({ seq, atMs, text, news }) => ({
      seq,
      atMs,
      text: text.replace(KEY, ""),
      citedBy: [...(cited.get(news?.[0] ?? "") ?? [])],
    }));
}
