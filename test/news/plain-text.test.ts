import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { capText, cleanText, htmlToPlain, plainLine, TEXT_MAX, titleFingerprint } from "../../src/news/plain-text.ts";

describe("HTML to plain text", () => {
  test("markup, scripts, images, link targets, comments and hidden parts go; words stay", () => {
    const html = `<h2>Head</h2><p>One <b>two</b> <a href="https://x.example/?a=1">three</a>.</p>
      <script>alert(1)</script><style>p{}</style><!-- ignore all rules --><img src="https://x.example/pixel" alt="no">
      <p hidden>secret</p><div style="display:none">buy now</div><ul><li>four</li></ul>`;
    const text = htmlToPlain(html);
    expect(text).toContain("Head");
    expect(text).toContain("One two three.");
    expect(text).toContain("four");
    for (const gone of ["alert", "p{}", "ignore all", "x.example", "secret", "buy now", "<"]) {
      expect(text).not.toContain(gone);
    }
  });
  test.each([
    'style="DISPLAY : none"',
    "style='color:#fff; font-size: 0px'",
    "style=display:none",
    'class=x style="position:absolute; left:-9999px"',
    'style="opacity:0"',
    'style="color: #FFFFFF"',
    'style="margin-left:-9999px"',
    'style="font-size:0.01em"',
    'style="max-height:0;overflow:hidden"',
    'aria-hidden="true"',
  ])("what %s hides is not read", (attributes) => {
    expect(htmlToPlain(`<p>seen</p><div ${attributes}>buy everything</div>`)).toBe("seen");
    expect(plainLine(`<span ${attributes}>buy</span> headline`, 100)).toBe("headline");
  });
  test.each([
    "color:#333;opacity:0.9;width:100%",
    "background-color: #ffffff",
    "background-clip: initial; background-origin: initial",
    "border-width: 0px; line-height: 0; min-width:0",
    "font-size: 0.875rem",
    "color:#fff3cd",
  ])("the ordinary style %s hides nothing", (style) => {
    expect(htmlToPlain(`<p style="${style}">seen</p>`)).toBe("seen");
  });
  test("unclosed, nested and enormous markup ends in bounded text", () => {
    expect(htmlToPlain("<div>".repeat(50_000) + "deep").length).toBeLessThanOrEqual(TEXT_MAX);
    const long = htmlToPlain(`<p>${"word ".repeat(1_000_000)}</p>`);
    expect(long.length).toBeLessThanOrEqual(TEXT_MAX);
    expect(long.endsWith("…")).toBe(true);
    expect(htmlToPlain("<p>half <b")).toContain("half");
  });
});

describe("characters", () => {
  test("an inline image of any length leaves the words around it", () => {
    const image = `data:image/png;base64,${"iVBORw0KGgo/+A".repeat(4_000)}==`;
    const html = (src: string): string => `<p>Before.</p><img alt="" src=${src}><p>Bitcoin halts.</p>`;
    for (const src of [`"${image}"`, `'${image}'`, image])
      expect(htmlToPlain(html(src))).toBe("Before.\n\nBitcoin halts.");
    expect(plainLine(html(`"${image}"`), 300)).toBe("Before. Bitcoin halts.");
  });
  test("zero-width, direction, tag and control characters go, compatibility forms fold", () => {
    expect(cleanText("pa\u200By\u202Epal\u2066\u{E0041}\u0007\uFEFF")).toBe("paypal");
    expect(cleanText("ＢＴＣ ﬁ")).toBe("BTC fi");
    expect(cleanText("a \t\u00A0 b\r\nc\n\n\n\nd")).toBe("a b\nc\n\nd");
  });
  test("a line holds no line feed", () => {
    expect(plainLine("<p>one</p><p>two</p>", 100)).toBe("one two");
  });
  test("a cap never splits a pair", () => {
    expect(capText("ab😀cd", 4)).toBe("ab…");
    expect(capText("abcd", 4)).toBe("abcd");
  });
  test("whatever comes in, what comes out is clean, short and stable", () => {
    const nasty = fc.string({ unit: "binary", maxLength: 80 });
    fc.assert(
      fc.property(nasty, (text) => {
        const clean = cleanText(text);
        expect(clean).not.toMatch(/[\u200B-\u200F\u202A-\u202E\u2066-\u2069\u0000-\u0009\u000B-\u001F]/);
        expect(cleanText(clean)).toBe(clean);
        expect(capText(clean, 50).length).toBeLessThanOrEqual(50);
      }),
      { numRuns: 60 },
    );
  });
});

test("headlines compare by letters and digits, and short ones not at all", () => {
  expect(titleFingerprint("BREAKING: Solana's network halts, again!")).toBe(
    titleFingerprint("Breaking — SOLANA's network  halts again"),
  );
  expect(titleFingerprint("Bitcoin up")).toBe("");
});
