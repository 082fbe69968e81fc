// Checks the shipped dependencies for known vulnerabilities and fails for high and critical ones. If the registry
// cannot be reached, or has no list, it says so and passes: a build must not depend on another service.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const WITHIN_MS = 30_000;
const GRAVE = ["high", "critical"];

/** `report` is the text of `npm audit --json`; `code` 1 fails. */
export function judge(report) {
  let found;
  try {
    found = JSON.parse(report);
  } catch {
    return { code: 0, text: "npm audit: unreadable answer; nothing is known" };
  }
  if (found.metadata?.vulnerabilities === undefined) {
    const why = found.error?.summary || found.message || "it returned no list";
    return {
      code: 0,
      text: `npm audit: the registry could not be asked (${String(why).slice(0, 200)}); nothing is known`,
    };
  }
  const grave = Object.values(found.vulnerabilities ?? {}).filter(({ severity }) => GRAVE.includes(severity));
  if (grave.length === 0)
    return { code: 0, text: "npm audit: no high or critical vulnerability in production dependencies" };
  const names = grave.map(({ name, severity, range }) => `  ${name} ${range}: ${severity}`);
  return {
    code: 1,
    text: [`npm audit: ${grave.length} high or critical vulnerabilities in production dependencies`, ...names].join(
      "\n",
    ),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const asked = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8", timeout: WITHIN_MS });
  const { code, text } = judge(asked.stdout ?? "");
  process.stdout.write(`${text}\n`);
  process.exit(code);
}
