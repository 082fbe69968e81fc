/** The code of a pool thread: it runs one trial at a time. */
import { runTrial } from "./run-trial.ts";

export default runTrial;
