/** Colours of the style sheet, for drawing on a canvas. */

export const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || "#888";

/** Line colours that people with red-green blindness can distinguish. */
export const LINES = ["line-1", "line-2", "line-3", "line-4", "line-5", "line-6"] as const;

export const lineColour = (at: number): string => colour(LINES[at % LINES.length] ?? "line-1");

/** Calls back when the system turns dark or light; returns a function that unsubscribes. */
export function onSchemeChange(changed: () => void): () => void {
  const query = matchMedia("(prefers-color-scheme: dark)");
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}
