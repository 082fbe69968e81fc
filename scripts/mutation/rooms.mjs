/** The mutated folders, and the tests that must kill the mutants: the folder's own fast ones. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { drawnLines } from "./draw.mjs";

const named = (folder, names, ending) => names.map((name) => `${folder}/${name}${ending}`);

const allIn = (folder) =>
  readdirSync(fileURLToPath(new URL(`../../${folder}`, import.meta.url)))
    .filter((name) => name.endsWith(".test.ts"))
    .sort()
    .map((name) => `${folder}/${name}`);

export const rooms = {
  drawn: {
    mutate: drawnLines(),
    tests: [...allIn("test/risk"), ...allIn("test/desk"), ...allIn("test/agent")],
  },
  signing: {
    mutate: ["src/net/sign.ts"],
    tests: ["test/net/sign.test.ts"],
  },
  budget: {
    mutate: named(
      "src/llm",
      ["budget/budget", "budget/ledger", "budget/entries", "budget/restore", "calls/invoice"],
      ".ts",
    ),
    tests: named("test/llm/budget", ["charges", "ledger", "spending", "budget", "counter"], ".test.ts"),
  },
  orders: {
    mutate: [
      ...named("src/agent/books", ["order-tracker", "order-index", "order-evidence", "tracked"], ".ts"),
      "src/domain/order.ts",
    ],
    tests: ["test/agent/order-tracker.test.ts", "test/domain/order.test.ts"],
  },
  journal: {
    mutate: named("src/journal", ["chain", "tail-mark", "committer", "reserve", "lease", "error", "trouble"], ".ts"),
    tests: named("test/journal", ["writing", "helpers", "journal", "disk"], ".test.ts"),
  },
  risk: {
    mutate: ["src/risk/**/*.ts"],
    tests: allIn("test/risk"),
  },
};

/** The folder named by MUTATION_ROOM, which `run.mjs` sets. */
export function chosenRoom() {
  const name = process.env.MUTATION_ROOM ?? "";
  const room = rooms[name];
  if (!room) throw new Error(`MUTATION_ROOM is ${JSON.stringify(name)}, none of ${Object.keys(rooms).join(", ")}`);
  return { name, ...room };
}
