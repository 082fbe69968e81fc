/** Only the tests that must notice the mutants of one room (rooms.mjs), for `npm run mutation`. */
import { defineConfig } from "vitest/config";
import { chosenRoom } from "./rooms.mjs";

export default defineConfig({
  test: { include: chosenRoom().tests, testTimeout: 30_000, hookTimeout: 30_000 },
});
