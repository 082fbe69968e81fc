/**
 * What an operator's consent lacks. It is for one venue, and its text must be the owner's own and name both caps in
 * figures: what was never written down is not consented to. Spec: 3 §2.4, §3.2.
 */
import type { Config, VenueKind } from "../config/config.ts";
import { Decimal, toWire } from "../core/decimal.ts";

/** What a consent is checked against: the practice venue, or the address of a service. */
export interface ConsentVenue {
  readonly kind: VenueKind;
  /** The host, with its port unless that is the scheme's default; empty on the practice venue. */
  readonly host: string;
}

/** The venue of a run, or the one that an environment names. */
export const consentVenue = (kind: ConsentVenue["kind"], restUrl: string | null): ConsentVenue => ({
  kind,
  host: kind !== "embedded" && restUrl !== null ? new URL(restUrl).host : "",
});

/** Sentences from shipped files, past and present, without their figures. They are nobody's own words. */
const SHIPPED: ReadonlySet<string> = new Set([
  "i let this agent trade automatically, up to # usdt an order and # usdt in all.",
  "i let this agent trade automatically on the embedded practice venue, up to # usdt an order and # usdt in all.",
]);

/** "NOT up to 400 USDT" names the caps and consents to nothing. */
const NEGATION = /\b(not|no|never|cannot|refuse\w*|forbid\w*|deny|denied|revoke\w*)\b|n['’]t\b/i;

const shape = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/\d[\d,]*(?:\.\d+)?/g, "#");

function venueGap({ consent, consentFor }: Config["session"], { kind, host }: ConsentVenue): string | null {
  const here = kind === "embedded" ? "embedded" : host;
  if (kind === "embedded" ? consentFor !== "embedded" : ![host, host.replace(/:\d+$/, "")].includes(consentFor))
    return `session.consentFor is ${consentFor}, and this run is on ${here}: the consent does not apply here. Write session.consentFor: ${here} and your consent for it`;
  if (kind !== "embedded" && SHIPPED.has(shape(consent)))
    return "session.consent is the sentence of an example file: write it in your own words";
  return null;
}

/** Why the consent does not cover trading at this venue under these caps; null when it does. */
export function consentGap(session: Config["session"], venue: ConsentVenue): string | null {
  const { consent, maxNotionalPerOrder, maxTotalNotional } = session;
  if (consent.trim() === "") return "session.consent is empty: the agent watches and opens nothing";
  const elsewhere = venueGap(session, venue);
  if (elsewhere !== null) return elsewhere;
  const negation = NEGATION.exec(consent)?.[0];
  if (negation !== undefined)
    return `session.consent says "${negation}", which reads like a refusal: write what the agent may do, without a negation`;
  const figures = (consent.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((text) => new Decimal(text.replaceAll(",", "")));
  const caps = [maxNotionalPerOrder, maxTotalNotional];
  const missing = caps.filter((cap) => !figures.some((figure) => figure.eq(cap))).map(toWire);
  return missing.length === 0
    ? null
    : `session.consent does not name ${missing.join(" and ")}, so it does not cover the caps`;
}

/** For runs that reach no account: the caps of the file, and a consent that needs none of its own. */
export const practiceSession = (session: Config["session"]): Config["session"] => ({
  ...session,
  consentFor: "embedded",
  consent: `A simulation, up to ${toWire(session.maxNotionalPerOrder)} USDT an order and ${toWire(session.maxTotalNotional)} USDT in all.`,
});
