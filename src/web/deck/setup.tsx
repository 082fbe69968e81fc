/** The checks of `ballast doctor` on the agent's machine, run on demand. */
import { useState } from "preact/hooks";
import type { DeckCheck } from "../../deck/shapes.ts";
import { prose } from "../parts/format.ts";
import { usePolled } from "./live.ts";

const TONES: Readonly<Record<DeckCheck["result"], string>> = {
  PASS: "gain",
  SKIP: "quiet",
  WARN: "warn",
  FAIL: "loss",
};
const LOOK_EVERY_MS = 60_000;

export function Setup() {
  const [wanted, setWanted] = useState(false);
  const checks = usePolled<readonly DeckCheck[]>(wanted ? "/deck/setup" : null, LOOK_EVERY_MS);
  return (
    <section aria-labelledby="setup">
      <h2 id="setup">Set-up</h2>
      <div class="panel">
        {wanted ? null : (
          <button type="button" onClick={() => setWanted(true)}>
            Check the set-up
          </button>
        )}
        {wanted && checks === null ? <p class="quiet">Checking.</p> : null}
        {checks ? (
          <ul class="checks">
            {checks.map(({ title, result, text, next }) => (
              <li key={title}>
                <strong class={TONES[result]}>{result}</strong>
                <span>
                  {title}: {prose(text)}
                  {next ? <span class="quiet"> → {prose(next)}</span> : null}
                </span>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </section>
  );
}
