import { drawPlan, keeping } from "./plan.ts";
import { runPlan } from "./run.ts";
const [
  seed = "1",
  kind = "short",
  kinds = "boot,reconcile,position,protection,wire-out,wire-in,order,intent,fill,floor,operator,stop",
  keep,
] = process.argv.slice(2);
let plan = drawPlan(kind as never, Number(seed));
if (keep) plan = keeping(plan, keep.split(",").map(Number));
console.log(JSON.stringify({ ...plan, happenings: undefined }));
for (const h of plan.happenings) console.log("  ", JSON.stringify(h));
const o = await runPlan(plan);
const t0 = o.history.rows[0]?.atMs ?? 0;
const want = new Set(kinds.split(","));
const lines: [number, string][] = [];
for (const r of o.history.rows)
  if (want.has(r.kind)) {
    const b: any = { ...r.body };
    for (const k of [
      "paramsHash",
      "runtime",
      "config",
      "seen",
      "evidence",
      "automationSessionId",
      "previewId",
      "decisionId",
      "reply",
      "thesis",
      "basis",
      "strategy",
    ])
      delete b[k];
    lines.push([r.atMs, `  J ${r.seq} ${r.kind} ${JSON.stringify(b).slice(0, 260)}`]);
  }
for (const f of o.history.wire ?? [])
  lines.push([f.atMs, `W ${f.call} ${JSON.stringify(f.params).slice(0, 150)} -> ${f.result}`]);
for (const f of o.history.venue ?? [])
  if (["order", "execution", "algo", "position", "faults"].includes(f.fact))
    lines.push([
      f.atMs,
      `    V ${JSON.stringify({ ...f, accountId: undefined, at: undefined, atMs: undefined }, (_k, v) => (v && typeof v === "object" && "digits" in v ? Number(v.digits) / 10 ** v.scale : typeof v === "bigint" ? String(v) : v)).slice(0, 300)}`,
    ]);
lines.sort((a, b) => a[0] - b[0]);
for (const [at, l] of lines) console.log(((at - t0) / 1000).toFixed(2).padStart(7), l);
for (const v of o.violations) console.log("!!", v.id, v.what, "t0", t0);
