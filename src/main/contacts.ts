/** Whom this process talks to: hosts by name, with how many requests and sockets. Names only; paths and bodies pass by. */
import type { Network } from "../net/network.ts";

export interface Contact {
  readonly requests: number;
  readonly sockets: number;
}

export interface Contacts {
  /** The same network, listened to. */
  over(network: Network): Network;
  /** By `host:port`. */
  told(): Readonly<Record<string, Contact>>;
}

/** Hosts come from the configuration alone; more of them than this are counted as one. */
const HOSTS_CAP = 32;
const OTHERS = "others";

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "unreadable");

export function countContacts(): Contacts {
  const known = new Map<string, { requests: number; sockets: number }>();
  const count = (url: string, what: "requests" | "sockets"): void => {
    const host = hostOf(url);
    const name = known.has(host) || known.size < HOSTS_CAP ? host : OTHERS;
    const contact = known.get(name) ?? { requests: 0, sockets: 0 };
    contact[what] += 1;
    known.set(name, contact);
  };
  return {
    over: (network) => ({
      http: (clock, options) => {
        const client = network.http(clock, options);
        return {
          send: (request) => {
            count(options.baseUrl, "requests");
            return client.send(request);
          },
          close: () => client.close(),
        };
      },
      connect: (url, on) => {
        count(url, "sockets");
        return network.connect(url, on);
      },
      gate: () => network.gate(),
    }),
    told: () => Object.fromEntries([...known].map(([host, contact]) => [host, { ...contact }])),
  };
}
