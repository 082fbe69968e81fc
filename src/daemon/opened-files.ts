/**
 * The strategies and prompts that a run can use, as they lie on the disk when it starts: where each really is and what is
 * in it. Stands in the boot row; `ballast verify` judges I34 by it, and by a list of hashes of the owner's where given.
 */
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { sha256 } from "../core/hash.ts";
import { OWN_PROMPTS_DIR, OWN_STRATEGIES_DIR } from "../ops/paths.ts";
import { strategyFiles } from "../strategy/registry.ts";

/** One of the boot row's `files`. */
export interface OpenedFile {
  /** As it was asked for. */
  readonly path: string;
  /** Without links. */
  readonly real: string;
  /** The folder it must lie in. */
  readonly root: string;
  readonly sha256: string;
}

const promptsIn = (root: string): readonly string[] =>
  existsSync(root)
    ? readdirSync(root)
        .filter((name) => name.endsWith(".md"))
        .sort()
    : [];

/** Files that cannot be read any more are left out: what could not be loaded was refused before. */
export function openedFiles(promptsDir: string): readonly OpenedFile[] {
  const prompts = [promptsDir, OWN_PROMPTS_DIR].flatMap((root) =>
    promptsIn(root).map((name) => ({ path: path.join(root, name), root })),
  );
  const asked = [...strategyFiles(OWN_STRATEGIES_DIR), ...prompts];
  return asked.flatMap(({ path: file, root }) => {
    try {
      const real = realpathSync(file);
      return [{ path: file, real, root: realpathSync(root), sha256: sha256(readFileSync(real, "utf8")) }];
    } catch {
      return [];
    }
  });
}
