/** `boot` rows: a run began, and later it may trade. */
import { z } from "zod";
import { always, number, text, texts } from "./fields.ts";
import { rowForm } from "./form.ts";

const file = z
  .object({
    path: text("Path as it was opened."),
    real: text("Path without links."),
    root: text("Folder that it must lie in."),
    sha256: text("Hash of its text."),
  })
  .readonly();

const begun = z
  .object({
    boot: text("The run."),
    pid: number("Process id."),
    version: text("Version of Node."),
    venue: text("Address of the venue."),
    strategy: text("The strategy that decides."),
    files: z.array(file).readonly().optional().meta({
      description: "Every strategy and prompt file, with its hash; absent on virtual time.",
      is: "list of object",
    }),
    hosts: texts("`host:port` that the environment names; absent on virtual time.").optional(),
    allowed: texts("Allowed hashes of files, if a list of them was given.").optional(),
  })
  .readonly();

const ready = z
  .object({
    boot: text("The run."),
    ready: always(true, "The account has been read and the streams are up: decisions begin."),
    strategy: text("The strategy that decides."),
  })
  .readonly();

export const BOOT = rowForm(
  "boot",
  {
    written: "As the first row of a run, and when the run is ready to trade.",
    readBy: "`ballast why-not` and the verifier.",
  },
  z.union([ready, begun]),
);

/** What a real process adds to the first row of its run. */
export type BootFacts = Pick<z.output<typeof begun>, "files" | "hosts" | "allowed">;
export type BootRow = z.output<typeof BOOT.body>;
export const bootRow = BOOT.write;
export const readBoot = BOOT.read;

export const bootText = (row: BootRow): string =>
  "ready" in row
    ? `run ${row.boot} is ready, ${row.strategy} decides`
    : `run ${row.boot} at ${row.venue}, ${row.strategy}`;
