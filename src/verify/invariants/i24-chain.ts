import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { FIRST_PREV_HASH, hashOfRow, readObject, type Row } from "../rows.ts";

const KINDS = /^[a-z]+(-[a-z]+)*$/;

/** I24: the hash chain and its tail mark; the mark is skipped if nobody looked for it. */
export const i24: Invariant = {
  id: "I24",
  title: "Chain and tail",
  rule: "Rows are numbered without a gap from 1, each bears the hash of all its columns and of the row before it, each body is an object; the tail mark names a row that is there, with its hash.",
  needs: [],
  more: [],
  unseen: "",
  judge: (history) => [...chainProblems(history.rows), ...tailProblems(history)],
};

function chainProblems(rows: readonly Row[]): readonly Finding[] {
  const found: Finding[] = [];
  let before = { seq: 0, hash: FIRST_PREV_HASH };
  for (const row of rows) {
    if (row.seq !== before.seq + 1)
      found.push(finding(row.seq, `row ${before.seq + 1} is missing, row ${row.seq} stands in its place`));
    else if (row.prevHash !== before.hash) found.push(finding(row.seq, "it does not follow the row before it"));
    if (row.hash !== hashOfRow(row)) found.push(finding(row.seq, "its hash is not that of its columns"));
    if (readObject(row.bodyText) === null) found.push(finding(row.seq, "its body is not a JSON object"));
    if (!KINDS.test(row.kind)) found.push(finding(row.seq, `its kind is ${JSON.stringify(row.kind)}`));
    before = row;
  }
  return found;
}

function tailProblems({ rows, tail }: History): readonly Finding[] {
  if (tail === null) return [];
  if (tail.state !== "read") return rows.length === 0 ? [] : [finding(null, `the tail mark is ${tail.state}`)];
  const last = rows.at(-1)?.seq ?? 0;
  if (tail.seq > last) return [finding(null, `the journal ends at row ${last}, but row ${tail.seq} was durable`)];
  const marked = tail.seq === 0 ? FIRST_PREV_HASH : rows.find(({ seq }) => seq === tail.seq)?.hash;
  return marked === tail.hash ? [] : [finding(tail.seq, "it is not the row that the tail mark names")];
}
