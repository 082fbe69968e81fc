/** The agent's events as they come. After a gap the browser resumes from its last event, so that nothing is missed. */
import { useEffect, useState } from "preact/hooks";
import type { DeckEvents, DeckHistory, DeckLogLine, DeckNow, DeckRow } from "../../deck/shapes.ts";

const ROWS_KEPT = 400;
/** News is rarer than other rows, and stays readable for longer. */
const NEWS_KEPT = 60;
const LINES_KEPT = 500;
/** The agent sends an event every second; after this long without one the page says that it is disconnected. */
const SILENT_MS = 5_000;
const HISTORY_EVERY_MS = 30_000;

export interface Live {
  readonly now: DeckNow | null;
  /** Oldest first. */
  readonly rows: readonly DeckRow[];
  readonly log: readonly DeckLogLine[];
  /** When the last event came, by this browser's clock; null before the first. */
  readonly heardMs: number | null;
  readonly silent: boolean;
}

export function useLive(): Live {
  const [live, setLive] = useState<Live>({ now: null, rows: [], log: [], heardMs: null, silent: false });
  useEffect(() => {
    let source = new EventSource("/deck/events");
    const hear = <K extends keyof DeckEvents>(
      name: K,
      take: (before: Live, event: DeckEvents[K]) => Partial<Live>,
    ): void =>
      source.addEventListener(name, ({ data }: MessageEvent<string>) =>
        setLive((before) => ({
          ...before,
          heardMs: Date.now(),
          silent: false,
          ...take(before, JSON.parse(data) as DeckEvents[K]),
        })),
      );
    const listen = (): void => {
      hear("now", (_, now) => ({ now }));
      hear("rows", (before, rows) => ({ rows: joined(before.rows, rows) }));
      hear("log", (before, lines) => ({ log: [...before.log, ...lines].slice(-LINES_KEPT) }));
    };
    listen();
    const watch = setInterval(() => {
      setLive((before) =>
        before.heardMs !== null && Date.now() - before.heardMs > SILENT_MS && !before.silent
          ? { ...before, silent: true }
          : before,
      );
      // A browser gives up for good after certain errors, for example while a new agent starts.
      if (source.readyState !== EventSource.CLOSED) return;
      source = new EventSource("/deck/events");
      setLive((before) => ({ ...before, rows: [], log: [] }));
      listen();
    }, 2_000);
    return () => {
      clearInterval(watch);
      source.close();
    };
  }, []);
  return live;
}

/** Rows of another journal replace the old ones. */
function joined(before: readonly DeckRow[], rows: readonly DeckRow[]): readonly DeckRow[] {
  const [first] = rows;
  const kept = first ? before.filter(({ seq }) => seq < first.seq) : before;
  const all = [...kept, ...rows];
  const news = all.filter(({ kind }) => kind === "news").slice(-NEWS_KEPT);
  const others = all.filter(({ kind }) => kind !== "news").slice(-ROWS_KEPT);
  return [...news, ...others].sort((a, b) => a.seq - b.seq);
}

/** Polls every half minute; null until the first reply, and a failed reply changes nothing. */
export function usePolled<T>(path: string | null, everyMs = HISTORY_EVERY_MS): T | null {
  const [value, setValue] = useState<T | null>(null);
  useEffect(() => {
    setValue(null);
    if (path === null) return;
    let ended = false;
    const ask = async (): Promise<void> => {
      try {
        const reply = await fetch(path);
        if (reply.ok && !ended) setValue((await reply.json()) as T);
      } catch {
        // The page itself says that it is disconnected.
      }
    };
    void ask();
    const timer = setInterval(() => void ask(), everyMs);
    return () => {
      ended = true;
      clearInterval(timer);
    };
  }, [path]);
  return value;
}

/** Polls sooner while the journal is still being read. */
export function useHistory(): DeckHistory | null {
  const [whole, setWhole] = useState(false);
  const history = usePolled<DeckHistory>(
    whole ? "/deck/history" : "/deck/history?reading",
    whole ? HISTORY_EVERY_MS : 1_000,
  );
  const [last, setLast] = useState<DeckHistory | null>(null);
  useEffect(() => {
    if (history) setLast(history);
    if (history?.whole && history.equity.atMs.length > 1) setWhole(true);
  }, [history]);
  return history ?? last;
}
