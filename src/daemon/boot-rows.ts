/** What a run reads about earlier runs, and the first rows that it writes. */
import type { Restored } from "../agent/state/restored.ts";
import { counted } from "../core/words.ts";
import { asWritten } from "../config/config.ts";
import type { DaemonSetup } from "./daemon-setup.ts";
import { restore } from "../restore/restore.ts";
import { bootRow } from "../rows/boot.ts";
import { configRow } from "../rows/config.ts";
import { intentRow } from "../rows/intent.ts";

/** The records of earlier runs. After the journal has lost rows, nothing is opened until the operator has looked. */
export function restoredFrom({ journal, env, log }: DaemonSetup): Restored {
  const restored = restore(journal, env.clock.nowMs());
  const { opened, rebuilt } = journal;
  if (rebuilt)
    log.event(
      "error",
      "journal.rebuilt",
      `SQLite found the journal malformed: ${counted(rebuilt.rows, "row was", "rows were")} copied into a new file; the old one is ${rebuilt.aside}`,
      { ...rebuilt },
    );
  if (opened.state === "ok") return restored;
  log.event(
    "error",
    "journal.damaged",
    `${opened.problem}. Nothing is opened; what is held is managed. After you have looked: ballast resume`,
    { ...opened },
  );
  return { ...restored, floor: "HALT" };
}

/** Records which process runs under which configuration, and closes intents of earlier runs that were never sent. */
export function writeBootRows(setup: DaemonSetup, venue: string, { unsentIntents = [] }: Restored): void {
  const { journal, runId } = setup;
  const row = bootRow({
    boot: runId,
    pid: setup.pid ?? process.pid,
    version: process.version,
    venue,
    strategy: setup.strategies.chosen.strategy.name,
    ...setup.bootFacts,
  });
  journal.append(row);
  journal.append(configRow({ file: setup.file, config: asWritten(setup.config) }));
  const reason = "the run that wrote the intent ended before sending it";
  for (const intentId of unsentIntents) journal.append(intentRow({ event: "end", intentId, how: "not-sent", reason }));
}
