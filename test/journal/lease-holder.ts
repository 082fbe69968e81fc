/** A process that takes the lease of a journal, says so, and waits to be killed. Run by `lease.test.ts`. */
import { openJournal } from "../../src/journal/journal.ts";
import { virtualEnv } from "./support.ts";
import { rawRow } from "../support/raw-row.ts";

const journal = openJournal({ path: process.argv[2] ?? "", env: virtualEnv(), runId: "child" });
journal.append(rawRow("boot", { pid: process.pid }));
process.stdout.write("held\n");
process.stdin.resume();
