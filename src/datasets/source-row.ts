/** A row of somebody's dump as texts; `line` counts from 1, the headings included. */
export interface SourceRow {
  readonly line: number;
  readonly cells: readonly string[];
}
