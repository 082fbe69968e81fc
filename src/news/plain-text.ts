/**
 * Converts hostile HTML to short plain text: no markup, no hidden or direction-changing characters, bounded length.
 * The content is not judged here. Faults N2, A1, A5; records §13.
 */
import { compile } from "html-to-text";
import { skeleton } from "./skeleton.ts";

/**
 * Only this much of a body is read: nested markup of this length takes about 50 ms, and the time grows with its
 * square.
 */
const INPUT_MAX = 40_000;
/** Maximum length of a body. */
export const TEXT_MAX = 4_000;
/** Maximum length of a headline, or of the body's first line if there is no headline. */
export const TITLE_MAX = 300;

const skipped = ["script", "style", "head", "template", "noscript", "iframe", "svg", "img", "object", "form"].concat([
  "video",
  "audio",
  "canvas",
  "math",
  "textarea",
  "select",
  "button",
  "title",
]);
const hidden = ["[hidden]", '[aria-hidden="true"]'];
/** Style attributes, with a bounded length so that unterminated markup costs linear time. */
const STYLE = /\sstyle\s*=\s*(?:"[^"]{0,1000}"|'[^']{0,1000}'|[^\s>"']{1,200})/gi;
/**
 * Styles that make words invisible to a reader of the page. Names are matched whole: a page sets `background-color`,
 * `line-height` and `background-clip` on words that everybody sees.
 */
const UNSEEN = new RegExp(
  `(?<![\\w-])(?:-webkit-)?(?:${[
    "display\\s*:\\s*none",
    "visibility\\s*:\\s*hidden",
    "opacity\\s*:\\s*0(?![.\\d])",
    "font-size\\s*:\\s*0(?!\\.[1-9]\\d*r?em)",
    "(?:max-)?(?:height|width)\\s*:\\s*0(?![.\\d])",
    // White of any opacity.
    "(?:text-fill-)?color\\s*:\\s*(?:transparent|white|#fff(?:fff)?[\\da-f]{0,2}(?![\\da-f]))",
    "(?:(?:margin-)?(?:left|top)|text-indent)\\s*:\\s*-\\d{3}",
    "clip(?:-path)?\\s*:",
  ].join("|")})`,
  "i",
);

/** Marks elements that a reader would not see. */
const marked = (html: string): string => html.replace(STYLE, (style) => (UNSEEN.test(style) ? " hidden" : ""));

/** An inline image may be longer than all that is read of a body, and has no words. */
const withoutData = (html: string): string => html.replace(/data:[a-z]+\/[\w.+-]+[;,][^"'\s<>]*/gi, "");

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: INPUT_MAX, maxDepth: 40, maxChildNodes: 2_000, ellipsis: "" },
  selectors: [
    { selector: "a", options: { ignoreHref: true } },
    ...[...skipped, ...hidden].map((selector) => ({ selector, format: "skip" })),
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

/** Most headlines contain no markup; then only whitespace is normalised as in HTML. */
const textOf = (html: string): string =>
  /[<&]/.test(html) ? toText(marked(html)) : html.replace(/[ \t\r\n\f\u200b]+/g, " ");

/** Control, format, private and surrogate characters, variation selectors and invisible letters. Line feeds stay. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}\u{115F}\u{1160}\u{3164}\u{FFA0}\u{2800}]/gu;

/** Folds compatibility forms, removes invisible characters, and collapses blanks and empty lines. */
export function cleanText(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\r\u2028\u2029]+\n?/g, "\n")
    .replace(/\t/g, " ")
    .replace(INVISIBLE, (character) => (character === "\n" ? "\n" : ""))
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** At most `max` characters, cut between code points, with an ellipsis if text was cut. */
export function capText(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** At most `TEXT_MAX` characters; beside inline images only the first 40,000 of the input are read. */
export function htmlToPlain(html: string): string {
  return capText(cleanText(textOf(withoutData(html).slice(0, INPUT_MAX))), TEXT_MAX);
}

/** One line, without markup. */
export const plainLine = (html: string, max: number): string =>
  capText(cleanText(textOf(withoutData(html).slice(0, max * 8))).replace(/\n+/g, " "), max);

/** A key for comparing headlines: letters and digits in lower case. "" when too short to compare. */
export function titleFingerprint(title: string): string {
  const words = skeleton(title).replace(/[^\p{L}\p{N}]+/gu, " ");
  return words.replace(/ /g, "").length < 20 ? "" : words.trim();
}
