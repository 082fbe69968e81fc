/** Some proofs are as good in short, and longer by hand: `npm run long` sets `BALLAST_LONG` and runs those that take one. */
export const isLong = Boolean(process.env["BALLAST_LONG"]);
export const lengthOf = (short: number, long: number): number => (isLong ? long : short);
