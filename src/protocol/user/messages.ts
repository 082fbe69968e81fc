/** The user stream's session: login and heartbeat. Spec: 1 §4.8, §5.3, §6.2, §7.3; records §11.1. */
import { z } from "zod";

/** Raw texts, not JSON. */
export const USER_PING = "ping";
/** A server's answer to USER_PING, likewise raw text. */
export const USER_PONG = "pong";

/** Login as a client sends it. Timestamp: 10-digit seconds only; 13 digits are answered 601016. */
export const userLoginArgs = z.looseObject({
  apiKey: z.string(),
  timestamp: z.string(),
  sign: z.string(),
  /** When true the connection does order operations only and gets no pushes. */
  onlyTrade: z.boolean().optional(),
});

/** Any JSON message a client may send: a login without id, or an action with one. */
export const userClientMessage = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  action: z.string(),
  args: z.record(z.string(), z.unknown()).nullish(),
});
/** A login frame; `timestamp` is 10-digit seconds, exactly the text that was signed. */
export const userLoginMessage = (args: {
  apiKey: string;
  timestamp: string;
  sign: string;
  onlyTrade?: boolean;
}): string => JSON.stringify({ action: "login", args });

const answer = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  event: z.string(),
  code: z.union([z.string(), z.number()]),
  msg: z.string().nullish(),
  message: z.string().nullish(),
  data: z.unknown().optional(),
});

/** A reply to a login or an action. `code` as text; success is `0` for a login and `200000` for an action. */
export interface UserReply {
  readonly id: string | null;
  /** `login`, or the name of the action; `error` in the older form of a failed login. */
  readonly event: string;
  readonly code: string;
  readonly ok: boolean;
  readonly message: string;
  readonly data: unknown;
}

/** Null for a frame that is no reply. Takes the older login failure (`error`, `60009`) too. */
export function readUserReply(frame: unknown): UserReply | null {
  const parsed = answer.safeParse(frame);
  if (!parsed.success) return null;
  const { id, event, msg, message, data } = parsed.data;
  const code = String(parsed.data.code);
  return {
    id: id === null || id === undefined ? null : String(id),
    event,
    code,
    ok: event !== "error" && (code === "0" || code === "200000"),
    message: msg ?? message ?? "",
    data,
  };
}
