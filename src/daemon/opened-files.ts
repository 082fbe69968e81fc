/**
 * The strategies and prompts that a run can use, as they are on disk at its start: their real location and content.
 * Recorded in the boot row; `ballast verify` checks I34 with it, and with the owner's list of hashes if given.
 */
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { sha256 } from "../core/hash.ts";
import { OWN_PROMPTS_DIR, OWN_STRATEGIES_DIR } from "../ops/paths.ts";
import { strategyFiles } from "../strategy/registry.ts";

/** One of the boot row's `files`. */
export interface OpenedFile {
  /** The requested path. */
  readonly path: string;
  /** With links resolved. */
  readonly real: string;
  /** The folder that must contain it. */
  readonly root: string;
  readonly sha256: string;
}

const promptsIn = (root: string): readonly string[] =>
  existsSync(root)
    ? readdirSync(root)
        .filter((name) => name.endsWith(".md"))
        .sort()
    : [];

/** Unreadable files are left out: a file that could not be loaded was refused before. */
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
