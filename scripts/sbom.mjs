// The bill of materials of a production install, and its licences. Exit code 1 for a licence that has not been
// reviewed.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Permissive, or like MPL-2.0 binding only for changes of their own files. */
const LOOKED_AT = [
  "(BSD-2-Clause OR MIT OR Apache-2.0)",
  "(MIT OR WTFPL)",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MPL-2.0",
];

const licenceOf = ({ licenses = [] }) => {
  const [first] = licenses;
  return first?.license?.id ?? first?.license?.name ?? first?.expression ?? "none stated";
};

/** Packages by licence, from the text of `npm sbom --sbom-format cyclonedx`; `unknown` are those to review. */
export function licencesOf(text) {
  const { components = [] } = JSON.parse(text);
  const byLicence = new Map();
  for (const component of components) {
    const licence = licenceOf(component);
    byLicence.set(licence, [...(byLicence.get(licence) ?? []), `${component.name} ${component.version}`]);
  }
  const unknown = [...byLicence].filter(([licence]) => !LOOKED_AT.includes(licence));
  return { count: components.length, byLicence, unknown };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
  const args = ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"];
  const made = spawnSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (made.status !== 0) {
    console.error(`npm sbom failed: ${made.stderr.trim().split("\n").at(-1)}. Run npm ci first.`);
    process.exit(1);
  }
  const file = path.join(root, "dist/sbom.cdx.json");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, made.stdout);
  const { count, byLicence, unknown } = licencesOf(made.stdout);
  console.log(`${count} packages, written to ${path.relative(process.cwd(), file)}`);
  for (const [licence, packages] of [...byLicence].sort((a, b) => b[1].length - a[1].length)) {
    console.log(`${licence}: ${packages.length > 6 ? packages.length : packages.join(", ")}`);
  }
  for (const [licence, packages] of unknown) console.error(`not looked at: ${licence} of ${packages.join(", ")}`);
  process.exitCode = unknown.length === 0 ? 0 : 1;
}
