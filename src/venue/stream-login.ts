/** The credentials of a stream and the signature by which it logs in. Spec: 1 §4.7, §4.8. */
import type { Secret } from "../core/secret.ts";
import { signSocketLogin } from "../net/sign.ts";
import type { VenueClock } from "./venue-clock.ts";
import type { Log } from "../core/log.ts";

/** Credentials of a stream. */
export interface StreamKeys {
  readonly accessKey: Secret;
  readonly secretKey: Secret;
}

/** The common content of both login messages, signed with the venue's current time. */
export function signedLogin({ accessKey, secretKey }: StreamKeys, venueClock: VenueClock) {
  // Ten digits only: the venue answers milliseconds with 601016.
  const timestamp = String(Math.floor(venueClock.nowMs() / 1_000));
  const sign = signSocketLogin(secretKey.reveal(), timestamp);
  return { apiKey: accessKey.reveal(), timestamp, sign };
}

const LOGGED_MAX = 5;

/** Counts and logs the refused frames of the named stream. */
export function refusedFrames(log: Log, stream: string): (reason: string) => void {
  let refused = 0;
  return (reason) => {
    if (++refused > LOGGED_MAX && refused % 1_000 !== 0) return;
    log.event("warn", "frame.refused", `${stream}: ${reason.slice(0, 160)} (${refused} so far)`, { stream, refused });
  };
}
