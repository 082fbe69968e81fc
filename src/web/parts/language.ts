/**
 * The chart libraries format with the browser's language, one of them as soon as it is loaded; so a page imports this file
 * before them. Some browsers name a language that `Intl` refuses, such as `en-US@posix`, and the page would stay empty.
 */
function isKnown(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}

if (!isKnown(navigator.language)) Object.defineProperty(navigator, "language", { value: "en-US" });
