/** The command that somebody probably meant. */
import { nearestWord } from "../../core/nearest.ts";

/** Null if none is near. */
export const nearCommand = (words: readonly string[], commands: readonly string[]): string | null =>
  sharing(words, commands) ?? nearestWord(words.join(" "), commands);

/** The command of the domain that has a word of the action, which says more than letters; of several the nearest. */
function sharing([domain, ...action]: readonly string[], commands: readonly string[]): string | null {
  const said = new Set(action.flatMap((word) => word.split("-")));
  const alike = commands.filter((command) => {
    const [of, ...parts] = command.split(/[ -]/);
    return of === domain && parts.some((part) => said.has(part));
  });
  const [only] = alike;
  return alike.length === 1 && only !== undefined ? only : nearestWord([domain, ...action].join(" "), alike);
}
