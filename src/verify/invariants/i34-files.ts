import path from "node:path";
import { recs, texts, text, type Rec } from "../fields.ts";
import { finding, type History, type Invariant } from "../history.ts";
import { journalView } from "../journal-view.ts";

/** I34: strategy and prompt files are inside their roots by real path; hashes are checked if a list is given. */
export const i34: Invariant = {
  id: "I34",
  title: "Files",
  rule: "Every strategy and prompt file that a row says was opened (`files`: path, real, root, sha256) lies by its real path inside its root and has, where a list of hashes is given (--hashes, or `allowed` of the row), a hash of that list.",
  needs: [],
  more: ["hashes"],
  unseen: "Files that no row names.",
  judge: (history) => {
    const rows = journalView(history)
      .kinds("boot", "config")
      .filter(({ body }) => Array.isArray(body["files"]));
    if (rows.length === 0) return { notJudged: "needs boot or config rows that name the files opened" };
    return rows.flatMap(({ seq, body }) =>
      recs(body, "files").flatMap((file) =>
        fileProblems(file, allowedIn(history, body)).map((what) =>
          finding(seq, `${text(file, "path") ?? "a file"} ${what}`),
        ),
      ),
    );
  },
};

/** The owner's list takes precedence over the row's; null if there is neither. */
const allowedIn = ({ hashes }: History, body: Rec): readonly string[] | null =>
  hashes ?? (Array.isArray(body["allowed"]) ? texts(body, "allowed") : null);

function fileProblems(file: Rec, allowed: readonly string[] | null): readonly string[] {
  const [asked, real, root, hash] = [text(file, "path"), text(file, "real"), text(file, "root"), text(file, "sha256")];
  if (asked === null || real === null || root === null || hash === null) return ["is not fully reported"];
  const found: string[] = [];
  if (asked.includes("\0") || real.includes("\0")) found.push("has a NUL in its path");
  const inside = path.posix.relative(root, path.posix.normalize(real));
  if (!path.posix.isAbsolute(real) || inside === "" || inside.startsWith("..") || path.posix.isAbsolute(inside))
    found.push(`is ${real}, outside ${root}`);
  if (!/^[0-9a-f]{64}$/.test(hash)) found.push(`has no hash that could be one: ${hash.slice(0, 12)}`);
  else if (allowed !== null && !allowed.includes(hash))
    found.push(`has the hash ${hash.slice(0, 12)}, which is not in the list`);
  return found;
}
