/** A report as one HTML file that opens from disk: it contains page, style and data, and loads nothing else. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { err, ok, type Result } from "../../core/result.ts";
import { PACKAGE_ROOT } from "../../ops/paths.ts";
import type { SheetPage } from "./sheet-data.ts";

const WEB_DIR = path.join(PACKAGE_ROOT, "dist/web");

const escaped = (text: string): string => text.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`);

/** JSON that cannot end the script element around it. */
const inert = (data: unknown): string => JSON.stringify(data).replace(/</g, "\\u003c");

/** The error says that the page has not been built. */
export function reportHtml(data: SheetPage): Result<string, string> {
  const [script, style] = ["report.js", "report.css"].map((file) => path.join(WEB_DIR, file));
  if (!script || !style || !existsSync(script) || !existsSync(style))
    return err(`the page of reports is not built (${WEB_DIR}): run npm run build`);
  const code = readFileSync(script, "utf8");
  const hash = createHash("sha256").update(code).digest("base64");
  return ok(
    [
      "<!doctype html>",
      '<html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:">`,
      `<title>${escaped(data.title)}</title>`,
      `<style>${readFileSync(style, "utf8")}</style></head>`,
      '<body><main id="report"></main>',
      `<script type="application/json" id="data">${inert(data)}</script>`,
      `<script>${code}</script></body></html>`,
      "",
    ].join("\n"),
  );
}

/** Writes the report; the error is for people. */
export function writeReport(file: string, data: SheetPage): Result<void, string> {
  const html = reportHtml(data);
  if (!html.ok) return html;
  try {
    writeFileSync(file, html.value);
    return ok(undefined);
  } catch (cause) {
    return err(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
