/** `snapshot` rows: name and hash of the page that holds everything a strategy saw or a model was asked. */
import { z } from "zod";
import { number, text } from "./fields.ts";
import { rowForm } from "./form.ts";
import type { RowBody, RowValue } from "./row.ts";
import { line, shown } from "./words.ts";

export const SNAPSHOT = rowForm(
  "snapshot",
  {
    written:
      "For every call of a strategy and every question to a model; the page itself is kept outside of the journal.",
    readBy: "`ballast explain`, `why` and `prompt diff`, which read the page and compare its hash.",
  },
  z
    .object({
      page: text("Name of the page.").optional(),
      sha256: text("Hash of its text.").optional(),
      chars: number("Its length.").default(0),
      call: text("`decide`, `interpret`, `fallback` of a strategy, or `ask` of a model.").default(""),
      strategy: text("The strategy that was called.").optional(),
    })
    .readonly(),
);

export type SnapshotRow = z.output<typeof SNAPSHOT.body>;
export const snapshotRow = SNAPSHOT.write;
export const readSnapshot = SNAPSHOT.read;

/** The facts about such a page that its row repeats. */
export const aboutPage = (page: RowBody): Pick<SnapshotRow, "call" | "strategy"> => {
  const { call, strategy } = page;
  return { call: typeof call === "string" ? call : "", ...(typeof strategy === "string" ? { strategy } : {}) };
};

/** The page itself, on its way to the page store: the journal row holds its name and hash instead. */
export const pageToKeep = (page: {
  readonly call: string;
  readonly [member: string]: unknown;
}): RowValue<"snapshot"> => ({ kind: "snapshot", body: page as object as RowBody });

export const snapshotText = ({ call, page, sha256 }: SnapshotRow): string =>
  line(`${call} is kept as page ${shown(page)}, ${(sha256 ?? "-").slice(0, 12)}`);
