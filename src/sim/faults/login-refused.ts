/** The user stream refuses a good login. Faults U7. */
import { z } from "zod";
import { fault } from "./fault.ts";

/** `message` is the text of the refusal. Sockets that are logged in stay so. */
export const loginRefused = fault({
  name: "login-refused",
  group: "user",
  description: "Logins on the user stream fail with 601009.",
  params: z.object({ message: z.string().default("login failed") }).strict(),
  start: (_world, { message }) => ({ hooks: { refuseUserLogin: () => message } }),
});
