/** The feed refuses new connections. Faults N5. */
import { z } from "zod";
import { fault } from "./fault.ts";

/** `cut` also ends the sockets that are open, which then cannot come back while it lasts. */
export const news429 = fault({
  name: "news-429",
  group: "news",
  description: "Handshakes of the feed stream are answered HTTP 429.",
  params: z.object({ cut: z.boolean().default(true).describe("also cut the sockets that are open") }).strict(),
  start: (world, { cut }) => {
    if (cut) world.cutNewsSockets();
    return { hooks: { refuseNewsHandshake: () => true } };
  },
});
