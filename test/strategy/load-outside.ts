/** Loads a strategy from a folder outside of the program, asks it, and prints what came of it. Run by a test. */
import { askStrategy } from "../../src/strategy/guarded.ts";
import { loadStrategy } from "../../src/strategy/registry.ts";
import { snapshotOf } from "./snapshots.ts";

const [, , root = "", name = "", settings = "{}"] = process.argv;
const loaded = await loadStrategy(name, JSON.parse(settings), root);
const answer = loaded.ok ? askStrategy(loaded.value, snapshotOf()) : loaded;
process.stdout.write(JSON.stringify(answer));
