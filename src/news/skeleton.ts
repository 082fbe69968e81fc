/** Folds lookalike letters of other alphabets to Latin ones, so that a headline cannot evade comparison with them. */

const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["аАаα", "a"],
    ["вВβΒ", "b"],
    ["сСϲ", "c"],
    ["ԁ", "d"],
    ["еЕёЁεΕ", "e"],
    ["ɡ", "g"],
    ["нНΗ", "h"],
    ["іІїιΙӏ", "i"],
    ["јЈ", "j"],
    ["кКκΚ", "k"],
    ["мМΜ", "m"],
    ["ոΝν", "n"],
    ["оОοΟօ", "o"],
    ["рРρΡ", "p"],
    ["ԛ", "q"],
    ["ѕЅ", "s"],
    ["тТτΤ", "t"],
    ["υս", "u"],
    ["ԝ", "w"],
    ["хХχΧ", "x"],
    ["уУγΥ", "y"],
    ["Ζζ", "z"],
  ].flatMap(([letters = "", latin = ""]) => [...letters].map((letter) => [letter, latin])),
);

/** Lower case, accents removed, lookalikes folded. Only for comparison, never for display. */
export const skeleton = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^\u0000-\u007f]/gu, (letter) => LOOKALIKES[letter] ?? letter)
    .toLowerCase();
