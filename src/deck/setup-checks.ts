/**
 * What `ballast doctor` finds on this machine, for the page. Venue and model are not asked again: the agent talks to them all
 * the time, and says so under its health.
 */
import { consentVenue } from "../control/consent-gap.ts";
import type { Environment } from "../control/environment.ts";
import type { Clock } from "../core/clock.ts";
import { redactor, type Secret } from "../core/secret.ts";
import type { DaemonSetup } from "../daemon/daemon-setup.ts";
import { type Checked, runChecks } from "../doctor/check.ts";
import { placeChecks } from "../doctor/place-checks.ts";
import type { DeckCheck } from "./shapes.ts";

/** Looking costs the disk a little, and what is looked at changes by a person's hand. */
const KEPT_MS = 60_000;

type Setup = Pick<DaemonSetup, "config" | "environment" | "kind">;

/** Whoever asks within a minute is given the same answer. */
export function createSetupChecks(
  { config, environment, kind }: Setup,
  clock: Pick<Clock, "monotonicMs" | "scale">,
): () => Promise<readonly DeckCheck[]> {
  const clean = redactor(secretsOf(environment));
  const venue = consentVenue(kind, environment.service?.restUrl ?? null);
  let made: { readonly atMs: number; readonly checks: Promise<readonly DeckCheck[]> } | null = null;
  const look = async (): Promise<readonly DeckCheck[]> =>
    (await runChecks(placeChecks(config, environment, venue), () => undefined)).map((checked) => shown(checked, clean));
  return () => {
    const atMs = clock.monotonicMs();
    if (made === null || atMs - made.atMs > KEPT_MS * clock.scale) made = { atMs, checks: look() };
    return made.checks;
  };
}

const secretsOf = ({ service, aiKey, statusToken }: Environment): readonly Secret[] =>
  [service?.accessKey, service?.secretKey, aiKey, statusToken].filter((secret): secret is Secret => !!secret);

const shown = ({ title, verdict }: Checked, clean: (text: string) => string): DeckCheck => ({
  title,
  result: verdict.result,
  text: clean(verdict.text),
  next: "next" in verdict ? clean(verdict.next) : "",
});
