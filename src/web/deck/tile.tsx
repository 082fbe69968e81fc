/** A tile of the first screen, and the bar that a tile may show. */
import type { ComponentChildren } from "preact";

/** A titled panel. */
export function Tile({
  title,
  children,
  name = "",
}: {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Its area in the grid. */
  readonly name?: string;
}) {
  return (
    <section class={`panel tile ${name}`}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A share of a whole as a bar; the figures are beside it. */
export function Bar({
  value,
  label,
  tone = "accent",
  mark = null,
}: {
  readonly value: number;
  readonly label: string;
  readonly tone?: string;
  /** The position of a marker line, as a share of the whole. */
  readonly mark?: number | null;
}) {
  const width = Math.max(0, Math.min(1, value)) * 100;
  return (
    <div
      class="bar"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(width)}
    >
      <div class={tone} style={{ width: `${width}%` }} />
      {mark === null ? null : <i style={{ left: `${Math.min(1, mark) * 100}%` }} />}
    </div>
  );
}
