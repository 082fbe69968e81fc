/** The card of a running agent in its data folder: who runs, and where its status endpoint listens. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** `sinceMs` is epoch ms by the run's clock. */
export interface RunCard {
  readonly pid: number;
  readonly boot: string;
  readonly statusUrl: string;
  readonly sinceMs: number;
}

/** The run's `boot` in every answer of its endpoint: the port of a killed run's card may be another agent's by now. */
export const RUN_HEADER = "x-ballast-run";

const cardPath = (dataDir: string): string => path.join(dataDir, "run.json");

/** Written once the endpoint listens; a run without one has no card. */
export function writeRunCard(dataDir: string, card: RunCard): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(cardPath(dataDir), JSON.stringify(card), { mode: 0o600 });
}

/** Null when none can be read. A killed process leaves its card behind, so a card does not prove a running agent. */
export function readRunCard(dataDir: string): RunCard | null {
  try {
    const card = JSON.parse(readFileSync(cardPath(dataDir), "utf8")) as Partial<RunCard>;
    const { pid, boot: runId, statusUrl, sinceMs } = card;
    if (
      typeof pid !== "number" ||
      typeof runId !== "string" ||
      typeof statusUrl !== "string" ||
      typeof sinceMs !== "number"
    )
      return null;
    return { pid, boot: runId, statusUrl, sinceMs };
  } catch {
    return null;
  }
}

export const removeRunCard = (dataDir: string): void => rmSync(cardPath(dataDir), { force: true });

/** Its tail mark, reserve and archives lie beside it. */
export const journalPath = (dataDir: string): string => path.join(dataDir, "journal.db");
