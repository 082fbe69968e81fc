/** The newest log lines of this process, for whoever looks at the page. */

/** Lines are numbered from 1 in the order in which they came. */
export interface LineRing {
  push(line: string): void;
  /** Lines after that number, oldest first, and the number of the newest. */
  since(number: number): { readonly lines: readonly string[]; readonly last: number };
}

export function lineRing(keep: number): LineRing {
  let lines: string[] = [];
  let last = 0;
  return {
    push: (line) => {
      last += 1;
      lines.push(line);
      if (lines.length >= keep * 2) lines = lines.slice(-keep);
    },
    since: (number) => ({
      lines: lines.slice(-keep).slice(Math.max(0, Math.min(keep, lines.length) - (last - number))),
      last,
    }),
  };
}
