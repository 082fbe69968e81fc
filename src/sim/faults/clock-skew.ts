/** Nonces, logins, pongs and push times by a clock that is off. Faults C1. */
import { z } from "zod";
import { fault } from "./fault.ts";

/** `ms` above zero is a service that is ahead. The exchange's own time and the logs are not touched. */
export const clockSkew = fault({
  name: "clock-skew",
  group: "venue",
  description: "The service's clock, as clients see it, is off by a span.",
  params: z.object({ ms: z.number().min(-86_400_000).max(86_400_000).default(90_000) }).strict(),
  start: (_world, { ms }) => ({ hooks: { skewMs: () => ms } }),
});
