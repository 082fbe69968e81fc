/** Text of others, made safe to print: it cannot draw on the terminal and cannot forge a line. */

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** Every control character, line separator and direction mark becomes a blank. */
export const oneLine = (text: string): string => text.replace(CONTROL, " ");
