import { drawPlan } from "./plan.ts";
import { runPlan } from "./run.ts";
const [from = "1", count = "1", kind = "short"] = process.argv.slice(2);
const log = {
  event: (level: string, evt: string, msg: string, f?: unknown) => {
    if (process.env.V) console.log(level, evt, msg, JSON.stringify(f ?? {}).slice(0, 200));
  },
};
for (let s = Number(from); s < Number(from) + Number(count); s++) {
  const plan = drawPlan(kind as never, s);
  if (process.env.P) console.log(JSON.stringify(plan, null, 1));
  const o = await runPlan(plan, log as never);
  console.log(
    s,
    o.tookMs.toFixed(0) + "ms",
    "rows",
    o.rows,
    "faults",
    o.faults,
    "deaths",
    o.deaths,
    "writes",
    o.writes,
    "fills",
    o.fills,
    o.hash.slice(0, 8),
    plan.strategy,
    plan.start,
  );
  for (const v of o.violations.slice(0, 30)) console.log("   ", v.id, v.what.slice(0, 300));
}
