/** A table whose rows can be sorted by any column. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface Column<T> {
  readonly name: string;
  readonly show: (row: T) => ComponentChildren;
  /** The sort value of the column; a column without it sorts as text. */
  readonly figure?: (row: T) => number | null;
  readonly sortText?: (row: T) => string;
  /** For sentences, which may wrap. */
  readonly long?: boolean;
}

interface Props<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  /** More rows are shown on demand. */
  readonly first?: number;
  readonly empty?: string;
}

export function Table<T>({ label, rows, columns, first = 25, empty = "None." }: Props<T>) {
  const [sorted, setSorted] = useState<{ readonly by: string; readonly down: boolean } | null>(null);
  const [all, setAll] = useState(false);
  if (rows.length === 0) return <p class="quiet">{empty}</p>;
  const ordered = sorted ? inOrder(rows, columns, sorted) : rows;
  const shown = all ? ordered : ordered.slice(0, first);
  const direction = (name: string) => (sorted?.by === name ? (sorted.down ? "descending" : "ascending") : "none");
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={label}>
        <table>
          <thead>
            <tr>
              {columns.map(({ name, figure }) => (
                <th key={name} class={figure ? "figure" : ""} aria-sort={direction(name)} scope="col">
                  <button
                    type="button"
                    onClick={() => setSorted({ by: name, down: !(sorted?.by === name && sorted.down) })}
                  >
                    {name}
                    {sorted?.by === name ? (sorted.down ? " ▾" : " ▴") : ""}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              <tr key={at}>
                {columns.map(({ name, show, figure, long }) => (
                  <td key={name} class={figure ? "figure" : long ? "long" : ""}>
                    {show(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > first ? (
        <button type="button" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${rows.length}`}
        </button>
      ) : null}
    </>
  );
}

function inOrder<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  { by, down }: { readonly by: string; readonly down: boolean },
): readonly T[] {
  const column = columns.find(({ name }) => name === by);
  if (!column) return rows;
  const { figure, sortText } = column;
  const compare = figure
    ? (a: T, b: T): number => (figure(a) ?? -Infinity) - (figure(b) ?? -Infinity)
    : (a: T, b: T): number => textOf(a).localeCompare(textOf(b));
  const textOf = (row: T): string => sortText?.(row) ?? String(column.show(row));
  return [...rows].sort((a, b) => (down ? -1 : 1) * compare(a, b));
}
