/** The daemon's sources of history: its own recording first, then the configured ones. Runs beside the trading. */
import { createHistory, type HistoryLoader } from "../history/fill-history.ts";
import { candleFolder, candleUrl } from "../history/candle-sources.ts";
import type { Context } from "../context/context.ts";
import type { DaemonSetup, Running } from "./daemon-setup.ts";
import type { VenueAccess } from "./venue-access.ts";

/** The practice market supplies its own history; an imported folder and a public source are used where configured. */
export function historyOf(
  { env, log, config }: Pick<DaemonSetup, "env" | "log" | "config">,
  access: Pick<VenueAccess, "past">,
  { context, symbols }: { readonly context: Context; readonly symbols: readonly string[] },
): HistoryLoader {
  const { folder, url } = config.history;
  // Real prices do not apply to a practice market.
  const sources = access.past
    ? [access.past]
    : [
        ...(folder === undefined ? [] : [candleFolder(folder)]),
        ...(url === undefined ? [] : [candleUrl(env.clock, url)]),
      ];
  return createHistory({ clock: env.clock, log, context, symbols, sources });
}

/** Reads the recording, then fills the gaps; the returned function stops both. */
export function beginPast({
  recording,
  context,
  history,
}: Pick<Running, "recording" | "context" | "history">): () => void {
  const ending = new AbortController();
  void (recording?.start(context) ?? Promise.resolve()).then(() => history.fill(ending.signal));
  return () => ending.abort();
}
