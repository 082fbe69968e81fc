/** The page itself: one text for everybody, without any data in it. Script and style are files beside it. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { sha256 } from "../core/hash.ts";
import { PACKAGE_ROOT } from "../ops/paths.ts";

export interface PageText {
  readonly html: string;
  /** Hash of `html`. */
  readonly hash: string;
  readonly script: PageFile;
  readonly style: PageFile;
}

/** A file as it is sent: packed once, not for each page that opens. */
export interface PageFile {
  readonly text: string;
  readonly gzip: Uint8Array<ArrayBuffer>;
}

const WEB_DIR = path.join(PACKAGE_ROOT, "dist/web");

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ballast</title>
<link rel="icon" href="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><circle cx='8' cy='8' r='7' fill='%230b5cad'/><path d='M3 9h10' stroke='white' stroke-width='2'/></svg>">
<link rel="stylesheet" href="/deck.css">
</head>
<body>
<main id="deck"><noscript>This page needs JavaScript. The same facts: ballast status.</noscript></main>
<script src="/deck.js"></script>
</body>
</html>
`;

/** Nothing from elsewhere, no frame around it, no form that leaves; styles of elements are set by the charts. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Null where the page has not been built. */
export function readPage(): PageText | null {
  const [script, style] = [path.join(WEB_DIR, "deck.js"), path.join(WEB_DIR, "deck.css")];
  if (!existsSync(script) || !existsSync(style)) return null;
  return { html: HTML, hash: sha256(HTML), script: packed(script), style: packed(style) };
}

function packed(file: string): PageFile {
  const bytes = readFileSync(file);
  return { text: bytes.toString("utf8"), gzip: new Uint8Array(gzipSync(bytes, { level: 9 })) };
}
