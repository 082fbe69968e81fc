/** Letters of other alphabets that look like Latin ones, so that a headline cannot hide from comparison behind them. */

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

/** Lower case, marks off letters, lookalikes folded. For comparing, never for showing. */
export const skeleton = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^\u0000-\u007f]/gu, (letter) => LOOKALIKES[letter] ?? letter)
    .toLowerCase();
