/** The operator's commands and a process's last row, which both need the disk. Neither throws when the disk fails. */
import type { OperatorCommand } from "../agent/contract/events.ts";
import type { Log } from "../core/log.ts";
import type { Journal } from "../journal/journal.ts";
import { stopRow, type StopRow } from "../rows/stop.ts";

interface Hearers {
  readonly journal: Journal;
  readonly log: Log;
  feed(event: { readonly kind: "operator"; readonly command: OperatorCommand }): void;
}

/** A resume that cannot be written down is not carried out: after the next start nobody would know of it. */
export function obey(command: OperatorCommand, { journal, log, feed }: Hearers): void {
  try {
    if (command === "resume" && journal.opened.state !== "ok") journal.acknowledge("the operator said resume");
  } catch (cause) {
    log.event("error", "journal.trouble", `resume was not carried out; repeat it: ${String(cause)}`);
    return;
  }
  feed({ kind: "operator", command });
}

/** A failing disk must not keep the process from ending with its true reason. */
export function lastRow({ journal, log }: Pick<Hearers, "journal" | "log">, row: StopRow): void {
  try {
    journal.append(stopRow(row));
  } catch (cause) {
    log.event("error", "journal.trouble", `the end could not be journalled: ${String(cause)}`);
  }
}
