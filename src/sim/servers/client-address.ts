/** Whose connection it is: the first X-Forwarded-For segment, then X-Real-IP, then the remote address. Spec: 2 §8. */
import type { HttpCall } from "../wire/http-call.ts";

const first = (header: string | string[] | undefined): string =>
  (Array.isArray(header) ? (header[0] ?? "") : (header ?? "")).split(",")[0]?.trim() ?? "";

/** The client's address as text, IPv4 without the IPv6 mapping prefix. Headers can lie: good for limits only. */
export function clientAddress(call: Pick<HttpCall, "headers" | "remoteAddress">): string {
  const claimed = first(call.headers["x-forwarded-for"]) || first(call.headers["x-real-ip"]);
  return bareAddress(claimed || call.remoteAddress);
}

const bareAddress = (address: string): string => address.replace(/^::ffff:/, "").slice(0, 64);
