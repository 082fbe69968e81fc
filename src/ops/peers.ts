/** The hosts that this process talks to, by name only: paths and bodies are not noted. */
import type { Network } from "../net/network.ts";

export interface Peers {
  /** The same network, listened to. */
  over(network: Network): Network;
  /** `host:port` of each, sorted. */
  reported(): readonly string[];
}

/** Hosts come from the configuration alone; more of them than this are reported as one. */
const HOSTS_CAP = 32;
const OTHERS = "others";

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "unreadable");

/** Noted when a request or connection begins, answered or not; beyond 32 hosts the rest is `others`. */
export function notePeers(): Peers {
  const known = new Set<string>();
  const note = (url: string): void => {
    const host = hostOf(url);
    known.add(known.has(host) || known.size < HOSTS_CAP ? host : OTHERS);
  };
  return {
    over: (network) => ({
      ...network,
      http: (clock, options) => {
        const client = network.http(clock, options);
        return {
          send: (request) => {
            note(options.baseUrl);
            return client.send(request);
          },
          close: () => client.close(),
        };
      },
      connect: (url, on) => {
        note(url);
        return network.connect(url, on);
      },
    }),
    reported: () => [...known].sort(),
  };
}
