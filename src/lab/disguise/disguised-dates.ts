/**
 * Dates in a text, moved by whole weeks: `2025-06-12`, `June 12, 2025`, `12 June`, `June 2025`, `Q2 2025`, `2025`. A
 * date or month without a year ("since June") gets the year that puts it nearest to the text's own time.
 */
import { DAY_MS } from "../../core/time.ts";

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
] as const;
/** `May` and `March` are also ordinary words, so a month without a day needs one of these words before it. */
const BEFORE_MONTH = "in|since|by|until|before|after|from|early|late|mid|of|this|last|next";
const NAME = `(${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)}|\\.)?`).join("|")}|Sept\\.?)`;
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(20\\d\\d)";
/** Years in which the coins existed; any other number of four digits is a figure. */
const ALL = [
  `\\b${YEAR}-(\\d\\d)-(\\d\\d)(?!\\d)`,
  `\\b${NAME} ${DAY}(?!\\d)(?:,? ${YEAR})?`,
  `\\b${DAY} ${NAME}(?![a-z])(?:,? ${YEAR})?`,
  `\\b${NAME},? ${YEAR}\\b`,
  `\\b(Q[1-4]|H[12]) ${YEAR}\\b`,
  `(?<=\\b(?:${BEFORE_MONTH})[ -])${NAME}(?![a-z])`,
  `(?<![$\\d,.])${YEAR}(?![\\d,]|\\.\\d|%)\\b`,
].join("|");
const DATES = new RegExp(ALL, "g");

const monthOf = (name: string): number => MONTHS.findIndex((month) => month.slice(0, 3) === name.slice(0, 3));
const yearOf = (atMs: number): number => new Date(atMs).getUTCFullYear();

/** The instant with this day and month that is nearest to another. */
function nearest(month: number, day: number, atMs: number): number {
  const near = [-1, 0, 1].map((years) => Date.UTC(yearOf(atMs) + years, month, day));
  return near.reduce((best, each) => (Math.abs(each - atMs) < Math.abs(best - atMs) ? each : best));
}

type Groups = readonly (string | undefined)[];

/** Keeps the form of the original. `groups` are those of `DATES`, in order. */
function shownDate(
  whole: string,
  groups: Groups,
  { atMs, shiftMs }: { readonly atMs: number; readonly shiftMs: number },
) {
  const [isoYear, isoMonth, isoDay, name, day, year, dayFirst, nameAfter, yearAfter, ...rest] = groups;
  const [monthName, monthYear, part, partYear, monthAlone, yearAlone] = rest;
  const moved = (ms: number): Date => new Date(ms + shiftMs);
  if (isoYear !== undefined)
    return moved(Date.UTC(Number(isoYear), Number(isoMonth) - 1, Number(isoDay)))
      .toISOString()
      .slice(0, 10);
  const dayOf = (month: string, on: string, inYear: string | undefined): Date =>
    moved(
      inYear === undefined
        ? nearest(monthOf(month), Number(on), atMs)
        : Date.UTC(Number(inYear), monthOf(month), Number(on)),
    );
  const written = (date: Date): string => MONTHS[date.getUTCMonth()] ?? "";
  if (name !== undefined && day !== undefined) {
    const date = dayOf(name, day, year);
    return `${written(date)} ${date.getUTCDate()}${year === undefined ? "" : `, ${date.getUTCFullYear()}`}`;
  }
  if (dayFirst !== undefined && nameAfter !== undefined) {
    const date = dayOf(nameAfter, dayFirst, yearAfter);
    return `${date.getUTCDate()} ${written(date)}${yearAfter === undefined ? "" : ` ${date.getUTCFullYear()}`}`;
  }
  if (monthName !== undefined) {
    const date = dayOf(monthName, "15", monthYear);
    return `${written(date)} ${date.getUTCFullYear()}`;
  }
  if (part !== undefined) return shownPart(part, Number(partYear), moved);
  if (monthAlone !== undefined) return written(dayOf(monthAlone, "15", undefined));
  // A year keeps its distance to the year of the text.
  if (yearAlone !== undefined) return String(Number(yearAlone) + yearOf(atMs + shiftMs) - yearOf(atMs));
  return whole;
}

/** A quarter or half is moved by its middle. */
function shownPart(part: string, year: number, moved: (ms: number) => Date): string {
  const months = part.startsWith("Q") ? 3 : 6;
  const middle = Date.UTC(year, (Number(part[1]) - 1) * months, 1) + (months * 30 * DAY_MS) / 2;
  const date = moved(middle);
  return `${part[0] ?? ""}${Math.floor(date.getUTCMonth() / months) + 1} ${date.getUTCFullYear()}`;
}

/** Moves the dates in a text of the time `atMs` by `shiftMs`. */
export const shownDates = (text: string, atMs: number, shiftMs: number): string =>
  text.replace(DATES, (whole: string, ...found: (string | number)[]) => {
    const groups = found.slice(0, -2).map((each) => (typeof each === "string" ? each : undefined));
    return shownDate(whole, groups, { atMs, shiftMs });
  });
