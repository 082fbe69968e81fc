/** Texts from outside, made safe for the place that shows them: one line of a terminal, one cell of a spreadsheet. */

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Every control character, line separator and direction mark becomes a blank. */
export const oneLine = (text: string): string => text.replace(CONTROL, " ");

/** A cell that a spreadsheet would take for a formula is prefixed with an apostrophe; negative numbers are left alone. */
export const inertCell = (text: string): string =>
  /^[=+\-@\t]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
