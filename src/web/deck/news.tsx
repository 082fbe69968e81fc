/** News that the agent has seen, how old it is, and which decisions cite it. */
import { useMemo } from "preact/hooks";
import type { DeckRow } from "../../deck/shapes.ts";
import { span } from "../parts/format.ts";

const SHOWN = 30;

interface Props {
  readonly rows: readonly DeckRow[];
  readonly atMs: number;
  readonly onStory: (decisionId: string) => void;
}

interface Item {
  readonly seq: number;
  readonly atMs: number;
  readonly text: string;
  readonly citedBy: readonly string[];
}

export function News({ rows, atMs, onStory }: Props) {
  const items = useMemo(() => itemsOf(rows), [rows]);
  return (
    <section aria-labelledby="news">
      <h2 id="news">News</h2>
      <div class="panel feed" tabIndex={0} role="region" aria-label="News, newest first">
        {items.length === 0 ? <p class="quiet">None among the newest events.</p> : null}
        <ol>
          {items.map((item) => (
            <li key={item.seq}>
              <span class="kind">{span(atMs - item.atMs)} old</span>
              <span class="kind">{item.citedBy.length > 0 ? `cited ${item.citedBy.length}×` : "not cited"}</span>
              <span class="text">
                {item.text}
                {item.citedBy.slice(-2).map((id) => (
                  <button type="button" class="plain" key={id} onClick={() => onStory(id)}>
                    {id}
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
  const cited = new Map<string, Set<string>>();
  for (const { kind, news, decisionId } of rows)
    if (kind === "decision" && decisionId !== null)
      for (const key of news ?? []) cited.set(key, (cited.get(key) ?? new Set()).add(decisionId));
  return rows
    .filter(({ kind }) => kind === "news")
    .slice(-SHOWN)
    .reverse()
    .map(({ seq, atMs, text, news }) => ({ seq, atMs, text, citedBy: [...(cited.get(news?.[0] ?? "") ?? [])] }));
}
