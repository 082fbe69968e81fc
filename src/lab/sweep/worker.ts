/** What a thread of the pool runs: one trial at a time. */
import { runTrial } from "./run-trial.ts";

export default runTrial;
