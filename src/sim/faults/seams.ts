/** Shapes that faults share with the servers, gathered here so that neither imports the other's insides. */
export type { UserPush } from "../exchange/api.ts";
export type { GatewayReply } from "../model/gateway.ts";
export type { RawReply } from "../servers/http-call.ts";

/** One push of the feed stream. Spec: 2 §6.2. */
export interface NewsMessage {
  readonly channel: string;
  readonly data: Readonly<Record<string, unknown>>;
}
