/** Sets no targets: positions keep their stops. The last fallback, and a way to watch without trading. */
import { z } from "zod";
import { defineStrategy } from "../src/strategy/strategy.ts";

export default defineStrategy({
  name: "hold",
  description: "Opens and closes nothing; positions keep the stops and targets they have.",
  settings: z.strictObject({}),
  needsModel: false,
  decide: () => ({ kind: "targets", targets: [], note: "hold: everything stays as it is" }),
});
