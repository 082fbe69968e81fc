/** Steps that cards about the user stream share: open, log in, act. */
import { expect } from "vitest";
import { at, type Json, text } from "../json.ts";
import type { Key } from "../rest-client.ts";
import { type Venue } from "../venue.ts";
import type { Frame, Wire } from "../wire.ts";

export async function socket(v: Venue): Promise<Wire> {
  const wire = await v.rawSocket("user");
  if ("status" in wire) throw new Error(`handshake refused with ${wire.status}`);
  return wire;
}

export async function login(v: Venue, args: Record<string, unknown>, wire?: Wire): Promise<Json> {
  const opened = wire ?? (await socket(v));
  opened.say({ action: "login", args });
  return (await opened.next((frame) => at(frame.json, "code") !== null, "a login reply")).json;
}

/** Sends one action and answers its reply. */
export async function act(wire: Wire, action: string, args: unknown, id = "1"): Promise<Json> {
  wire.say({ id, action, args });
  return (await wire.next((frame) => at(frame.json, "id") === id, `the reply to ${action}`)).json;
}

export const onChannel = (channel: string, orderId?: string) => (frame: Frame) =>
  at(frame.json, "channel") === channel && (orderId === undefined || at(frame.json, "data", "orderId") === orderId);

export const orderIn = (orderId: string, state: string) => (frame: Frame) =>
  onChannel("Orders", orderId)(frame) && at(frame.json, "data", "orderState") === state;

export async function placed(v: Venue, wire: Wire): Promise<string> {
  const reply = await act(wire, "place_order", await v.farOrder());
  expect(at(reply, "code")).toBe(200000);
  const orderId = text(at(reply, "data", "orderId"));
  return orderId;
}

export async function resting(v: Venue, wire: Wire): Promise<string> {
  const orderId = await placed(v, wire);
  await v.settled(orderId, ["OPEN"]);
  return orderId;
}

export const externalOrder: Key = { accessKey: "nobody-knows-me", secretKey: "s" };
