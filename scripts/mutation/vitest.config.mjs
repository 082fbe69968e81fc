/** Only the tests for the mutants of one folder (rooms.mjs), fastest first, for `npm run mutation`. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { chosenRoom } from "./rooms.mjs";

const fewerDraws = fileURLToPath(new URL("./fast-check.mjs", import.meta.url));
const { tests } = chosenRoom();
const placeOf = ({ moduleId }) => tests.findIndex((file) => moduleId.endsWith(file));

/** In the order of the list: the first failure ends a run, so fast and sensitive tests go first. */
class InOrder {
  shard(files) {
    return files;
  }
  sort(files) {
    return [...files].sort((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  resolve: { alias: [{ find: /^fast-check$/, replacement: fewerDraws }] },
  test: { include: tests, testTimeout: 30_000, hookTimeout: 30_000, sequence: { sequencer: InOrder } },
});
