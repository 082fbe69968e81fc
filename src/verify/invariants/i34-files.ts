import path from "node:path";
import { recs, texts, text, type Rec } from "../fields.ts";
import { finding, type Invariant } from "../history.ts";
import { journalView } from "../journal-view.ts";

export const i34: Invariant = {
  id: "I34",
  title: "Files",
  rule: "Every strategy and prompt file that a row says was opened (`files`: path, real, root, sha256) lies by its real path inside its root and has a hash of the row's list (`allowed`).",
  needs: [],
  more: [],
  unseen: "Files that no row names.",
  judge: (history) => {
    const rows = journalView(history)
      .kinds("boot", "config")
      .filter(({ body }) => Array.isArray(body["files"]));
    if (rows.length === 0) return { notJudged: "needs boot or config rows that name the files opened" };
    return rows.flatMap(({ seq, body }) =>
      recs(body, "files").flatMap((file) =>
        fileProblems(file, texts(body, "allowed")).map((what) =>
          finding(seq, `${text(file, "path") ?? "a file"} ${what}`),
        ),
      ),
    );
  },
};

function fileProblems(file: Rec, allowed: readonly string[]): readonly string[] {
  const [asked, real, root, hash] = [text(file, "path"), text(file, "real"), text(file, "root"), text(file, "sha256")];
  if (asked === null || real === null || root === null || hash === null) return ["is not fully told"];
  const found: string[] = [];
  if (asked.includes("\0") || real.includes("\0")) found.push("has a NUL in its path");
  const inside = path.posix.relative(root, path.posix.normalize(real));
  if (!path.posix.isAbsolute(real) || inside === "" || inside.startsWith("..") || path.posix.isAbsolute(inside))
    found.push(`is ${real}, outside ${root}`);
  if (!/^[0-9a-f]{64}$/.test(hash) || !allowed.includes(hash))
    found.push(`has the hash ${hash.slice(0, 12)}, which is not in the list`);
  return found;
}
