/** `ballast reasons`: the reasoning log of a run, one entry for each write, as it was written at the time. */
import { EXIT } from "../ops/exit-codes.ts";
import { complain, print, withJournal } from "./open-journal.ts";
import { isoTime } from "../core/time.ts";
import type { ReasonsOptions } from "../faces/cli/explain-commands.ts";
import { reasonsText } from "../report/reasons-text.ts";
import { writeStories } from "../report/order-story.ts";

/** Without bounds the whole journal. A span without a write is reported on standard error and is no failure. */
export function reasonsProgram(options: ReasonsOptions): Promise<number> {
  const { from: fromMs = 0, to: toMs = Number.MAX_SAFE_INTEGER, format } = options;
  if (fromMs >= toMs) return Promise.resolve(complain("--from must lie before --to", EXIT.usage));
  return withJournal(options, ({ reader, file }) => {
    const stories = writeStories(reader, { fromMs, toMs });
    print(reasonsText(stories, format));
    if (stories.length === 0) {
      const newest = reader.latest("wire-out")?.atMs;
      const hint = newest === undefined ? "it holds none at all" : `its newest is of ${isoTime(newest)}`;
      process.stderr.write(`ballast: ${file} holds no write in that time; ${hint}\n`);
    }
    return EXIT.ok;
  });
}
