/** The compose file of a new set-up: the shipped one, which is checked, with what differs in this folder. */
import path from "node:path";
import { isMap, isScalar, parseDocument } from "yaml";

const HEAD = (build: boolean): string =>
  [
    " The agent in a container that can write only to its data folder. Written by `ballast init`.",
    "   cp .env.example .env                  # then fill in what you need; the token at least",
    `   docker compose up -d${build ? " --build" : ""}`,
    "   docker compose exec agent ballast status",
    " The folders `config` and `own` beside this file are mounted as a whole, so that a saved file changes the running agent.",
  ].join("\n");

/** As compose allows names of projects; two set-ups of one name would share a data volume. */
export const projectName = (dir: string): string =>
  `ballast-${
    path
      .basename(path.resolve(dir))
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, "-")
      .replace(/^-+|-+$/g, "") || "agent"
  }`;

/** `source` is the folder that the image is built from; null where the image is there already. */
export function composeText(shipped: string, dir: string, source: string | null): string {
  const document = parseDocument(shipped);
  // What the shipped file says about itself is not true of this one; the parser keeps it at the map or at its first key.
  if (isMap(document.contents)) {
    document.contents.commentBefore = null;
    const first = document.contents.items[0]?.key;
    if (isScalar(first)) first.commentBefore = null;
  }
  document.commentBefore = HEAD(source !== null);
  document.set("name", projectName(dir));
  document.setIn(["services", "agent", "env_file"], document.createNode([".env"]));
  if (source === null) document.deleteIn(["services", "agent", "build"]);
  else document.setIn(["services", "agent", "build", "context"], source);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}
